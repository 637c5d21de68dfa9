package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is known of refused peers. */
class RefusalsTest {
    private final AtomicLong now = new AtomicLong();
    private final Refusals refusals = new Refusals("OpenFlow", new Ticker() {
        @Override
        public long read() {
            return now.get();
        }
    });

    /** All are counted; the first hundred are named, and stay, so that a list of them stands still. */
    @Test
    void allAreCountedAndAHundredAreNamed() {
        for (int each = 0; each < 1000; each++) {
            refusals.add(address(each), Limit.TIME, "late");
        }
        refusals.add(address(0), Limit.PORTS, "it has too many ports");
        assertThat(refusals.counts()).containsEntry("time", 1000L).containsEntry("ports", 1L)
            .containsEntry("unread", 0L);
        assertThat(refusals.reasons()).hasSize(100).containsEntry("10.0.0.0", "it has too many ports")
            .containsEntry("10.0.0.99", "late");
        refusals.accepted(address(0));
        refusals.add(address(500), "it has no system-id");
        assertThat(refusals.reasons()).hasSize(100).doesNotContainKey("10.0.0.0").containsKey("10.0.1.244");
        assertThat(refusals.counts().values().stream().mapToLong(each -> each).sum()).isEqualTo(1001);
    }

    /** A switch whose rules are too many to be read connects again and again: it is told throughout. */
    @Test
    void oneThatCannotBeReadIsToldUntilItCan() {
        refusals.add(address(1), Limit.ANSWER, "its bridge holds too many rules");
        for (int second = 0; second < 59; second++) {
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            refusals.accepted(address(1));
        }
        assertThat(refusals.reasons()).containsOnlyKeys("10.0.0.1");
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        refusals.accepted(address(1));
        assertThat(refusals.reasons()).isEmpty();
    }
}
