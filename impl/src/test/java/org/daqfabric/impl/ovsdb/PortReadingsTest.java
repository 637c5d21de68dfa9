package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.daqfabric.api.state.PortState.Queue;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.PortReading.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortReadingsTest {
    private static final String NONE = "[\"set\",[]]";

    private static JsonArray rows(String... rows) {
        return JsonParser.parseString("[" + String.join(",", rows) + "]").getAsJsonArray();
    }

    private static Line line(String speed, String duplex, String mtu, String status) {
        return PortReadings.of(rows("{\"name\":\"p\",\"statistics\":[\"map\",[]]}"), rows(("{\"name\":\"p\","
            + "\"link_speed\":%s,\"duplex\":%s,\"mtu\":%s,\"status\":[\"map\",[[\"link_speed\",\"%s\"]]]}")
                .formatted(speed, duplex, mtu, status))).get("p").line();
    }

    @Test
    void readsPortsAndDaqrings() {
        JsonArray counted = rows("{\"name\":\"p\",\"statistics\":[\"map\",[[\"rx_bytes\",7]]]}",
            "{\"name\":\"ring\",\"statistics\":[\"map\",[[\"ring_dropped\",3]]]}");
        JsonArray described = rows("{\"name\":\"p\",\"link_speed\":10000000000,\"duplex\":\"full\",\"mtu\":1500,"
            + "\"mac_in_use\":\"0a:00:00:00:00:01\",\"status\":[\"map\",[[\"driver_name\",\"veth\"]]]}",
            "{\"name\":\"gone\",\"mtu\":1500}");
        assertThat(PortReadings.of(counted, described)).isEqualTo(Map.of(
            "p", new PortReading(Map.of("rx_bytes", 7L),
                new Line(OptionalDouble.of(10), "full", OptionalLong.of(1500), OptionalLong.empty(),
                    "0a:00:00:00:00:01", List.of())),
            "ring", new PortReading(Map.of("ring_dropped", 3L), Line.UNKNOWN)));
    }

    /** Open vSwitch 3.1 has the speed of a DPDK port in its status only, if OpenFlow 1.3 does not know that speed. */
    @ParameterizedTest
    @CsvSource({ "25Gbps, 25", "2.5Gbps, 2.5", "100Mbps, 0.1" })
    void readsTheSpeedOfDpdk(String status, double gbps) {
        assertThat(line(NONE, NONE, "9000", status))
            .isEqualTo(new Line(OptionalDouble.of(gbps), "", OptionalLong.of(9000), OptionalLong.empty(), "",
                List.of()));
        assertThat(line("40000000000", NONE, "9000", status).speed()).hasValue(40);
    }

    /** What the node says of queues, with the card's NUMA node from the status. */
    @Test
    void readsQueues() {
        assertThat(queues("0:2:0:37:81 1:13:1:0:100")).containsExactly(new Queue(0, 2, 0, 37, 81),
            new Queue(1, 13, 1, 0, 100));
        assertThat(described("\"status\":[\"map\",[[\"numa_id\",\"1\"]]]").numa()).hasValue(1);
        assertThat(described("\"status\":[\"map\",[[\"numa_id\",\"near\"]]]").numa()).isEmpty();
    }

    /** A node may say anything. */
    @ParameterizedTest
    @ValueSource(strings = { "", "0:2", "0:2:0:37:101", "0:2:0:-1:5", "99999:1:0:0:0", "0:2:0:37:81:1",
        "x0:2:0:37:81" })
    void ignoresWhatIsNoQueue(String text) {
        assertThat(queues(text)).isEmpty();
        assertThat(queues(text + " 3:1:0:5:6")).containsExactly(new Queue(3, 1, 0, 5, 6));
    }

    /** What daqfabric-node counts on the host is read like what Open vSwitch counts; a node may say anything. */
    @Test
    void readsWhatTheHostDropped() {
        assertThat(counted("[\"daqfabric-socket-drops\",\"12\"],[\"daqfabric-softnet-drops\",\"3\"]"))
            .isEqualTo(Map.of("rx_bytes", 7L, PortReading.SOCKET_DROPS, 12L, PortReading.BACKLOG_DROPS, 3L));
        for (String text : List.of("", "-1", "x", "1 2", "9999999999999999999")) {
            assertThat(counted("[\"daqfabric-socket-drops\",\"" + text + "\"]")).isEqualTo(Map.of("rx_bytes", 7L));
        }
    }

    private static Map<String, Long> counted(String externalIds) {
        return PortReadings.of(rows("{\"name\":\"p\",\"statistics\":[\"map\",[[\"rx_bytes\",7]]]}"),
            rows("{\"name\":\"p\",\"external_ids\":[\"map\",[" + externalIds + "]]}")).get("p").statistics();
    }

    private static List<Queue> queues(String text) {
        return described("\"external_ids\":[\"map\",[[\"daqfabric-queues\",\"" + text + "\"]]]").queues();
    }

    private static Line described(String column) {
        return PortReadings.of(rows("{\"name\":\"p\",\"statistics\":[\"map\",[]]}"),
            rows("{\"name\":\"p\"," + column + "}")).get("p").line();
    }

    /** A node may say anything. */
    @ParameterizedTest
    @CsvSource({ "0, Not defined", "-5, 25", "0, 25Tbps", "0, 99999999999Gbps" })
    void ignoresWhatIsNoSpeed(String speed, String status) {
        assertThat(line(speed, "\"both\"", NONE, status)).isEqualTo(Line.UNKNOWN);
    }
}
