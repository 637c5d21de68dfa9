package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.daqfabric.api.state.RingDrops;
import org.junit.jupiter.api.Test;

class DropStatusTest {
    private static final Map<String, String> STATUS = Map.of("drop_episode", "1", "drop_time", "1790000000123",
        "drop_duration", "11", "drop_packets", "57", "drop_peak", "100", "drop_before", "300", "drop_occupancy",
        "0*300 100 99 98*299");

    private static Map<String, String> with(String key, String value) {
        Map<String, String> status = new HashMap<>(STATUS);
        status.put(key, value);
        return status;
    }

    @Test
    void readsAnEpisode() {
        assertThat(DropStatus.of(STATUS)).contains(new RingDrops(Instant.ofEpochMilli(1_790_000_000_123L),
            Duration.ofMillis(11), 57, 100, 300, "0*300 100 99 98*299"));
        assertThat(DropStatus.of(Map.of("driver_name", "veth"))).isEmpty();
    }

    /** A node may say anything; what is not an episode must not reach the state tree, whose types would refuse it. */
    @Test
    void ignoresWhatIsNoEpisode() {
        STATUS.keySet().stream().filter(key -> !key.equals("drop_episode")).forEach(key -> {
            for (String value : new String[] {"", "-1", "x", "1e3", "99999999999999999999"}) {
                assertThat(DropStatus.of(with(key, value))).as(key + " " + value).isEmpty();
            }
        });
        assertThat(DropStatus.of(with("drop_time", Long.toString(Long.MAX_VALUE)))).isEmpty();
        assertThat(DropStatus.of(with("drop_before", "10000"))).isEmpty();
        assertThat(DropStatus.of(with("drop_occupancy", "1  2"))).isEmpty();
        assertThat(DropStatus.of(with("drop_occupancy", "1 ".repeat(5000) + "1"))).isEmpty();
    }
}
