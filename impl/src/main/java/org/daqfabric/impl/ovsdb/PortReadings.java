package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.PortReading.Line;

/** Makes readings of ports from rows of table Interface. */
final class PortReadings {
    /** Columns of all rows. */
    static final Object[] COUNTED = { "name", "statistics" };
    /** Columns of rows that are no daqrings. */
    static final Object[] DESCRIBED = { "name", "link_speed", "duplex", "mtu", "mac_in_use", "status",
        "external_ids" };
    /** Key in {@code external_ids} under which daqfabric-node-load, on the node, tells how busy queues are. */
    static final String QUEUES = "daqfabric-queues";
    /** Keys there under which daqfabric-node tells what the host's kernel dropped. */
    private static final List<String> HOST_COUNTS = List.of(PortReading.SOCKET_DROPS, PortReading.BACKLOG_DROPS);

    private static final double BITS_PER_GBPS = 1e9;
    /** How a port of DPDK tells its speed in column {@code status}. */
    private static final Pattern DPDK_SPEED = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)([MG])bps");

    private static final Pattern MAC = Pattern.compile("(?:[0-9a-f]{2}:){5}[0-9a-f]{2}");
    private static final Pattern COUNT = Pattern.compile("\\d{1,18}");
    private static final Pattern NUMA = Pattern.compile("\\d{1,4}");
    private static final Pattern QUEUE =
        Pattern.compile("(?<!\\S)(\\d{1,4}):(\\d{1,5}):(\\d{1,4}):(\\d{1,2}|100):(\\d{1,2}|100)(?!\\S)");
    /** More than any card has. */
    private static final int MAX_QUEUES = 1024;

    private PortReadings() {
    }

    /** By name of the port. */
    static SortedMap<String, PortReading> of(JsonArray counted, JsonArray described) {
        Map<String, Line> lines = new HashMap<>();
        Map<String, Map<String, Long>> hostCounts = new HashMap<>();
        described.forEach(row -> {
            lines.put(name(row), line(row.getAsJsonObject()));
            hostCounts.put(name(row), hostCounts(row.getAsJsonObject()));
        });
        SortedMap<String, PortReading> ports = new TreeMap<>();
        for (JsonElement row : counted) {
            Map<String, Long> statistics = new TreeMap<>(hostCounts.getOrDefault(name(row), Map.of()));
            OvsdbValues.map(row.getAsJsonObject(), "statistics")
                .forEach((statistic, value) -> statistics.put(statistic, Long.parseLong(value)));
            ports.put(name(row), new PortReading(statistics, lines.getOrDefault(name(row), Line.UNKNOWN)));
        }
        return ports;
    }

    private static String name(JsonElement row) {
        return OvsdbValues.string(row.getAsJsonObject(), "name");
    }

    private static Line line(JsonObject row) {
        String duplex = OvsdbValues.string(row, "duplex");
        return new Line(speed(row), duplex.equals("full") || duplex.equals("half") ? duplex : "",
            OvsdbValues.integer(row, "mtu"), numa(row), mac(row),
            queues(OvsdbValues.map(row, "external_ids").getOrDefault(QUEUES, "")));
    }

    private static Map<String, Long> hostCounts(JsonObject row) {
        Map<String, String> told = OvsdbValues.map(row, "external_ids");
        return HOST_COUNTS.stream().filter(key -> COUNT.matcher(told.getOrDefault(key, "")).matches())
            .collect(Collectors.toMap(key -> key, key -> Long.parseLong(told.get(key))));
    }

    private static String mac(JsonObject row) {
        String mac = OvsdbValues.string(row, "mac_in_use");
        return MAC.matcher(mac).matches() ? mac : "";
    }

    private static OptionalLong numa(JsonObject row) {
        Matcher node = NUMA.matcher(OvsdbValues.map(row, "status").getOrDefault("numa_id", ""));
        return node.matches() ? OptionalLong.of(Long.parseLong(node.group())) : OptionalLong.empty();
    }

    /** {@code ID:PROCESSOR:NUMA:BUSY:THREAD-BUSY} of each queue; what is written otherwise is left out. */
    private static List<PortState.Queue> queues(String text) {
        return QUEUE.matcher(text).results().map(each -> new PortState.Queue(number(each, 1), number(each, 2),
            number(each, 3), number(each, 4), number(each, 5))).limit(MAX_QUEUES).toList();
    }

    private static int number(MatchResult found, int group) {
        return Integer.parseInt(found.group(group));
    }

    /** Open vSwitch before 3.2 leaves the column empty for 25 Gbps and others that OpenFlow 1.3 has no bit for. */
    private static OptionalDouble speed(JsonObject row) {
        OptionalLong bits = OvsdbValues.integer(row, "link_speed");
        if (bits.isPresent() && bits.getAsLong() > 0) {
            return OptionalDouble.of(bits.getAsLong() / BITS_PER_GBPS);
        }
        Matcher dpdk = DPDK_SPEED.matcher(OvsdbValues.map(row, "status").getOrDefault("link_speed", ""));
        return dpdk.matches()
            ? OptionalDouble.of(Double.parseDouble(dpdk.group(1)) / (dpdk.group(2).equals("M") ? 1000 : 1))
            : OptionalDouble.empty();
    }
}
