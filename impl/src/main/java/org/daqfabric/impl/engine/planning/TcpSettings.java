package org.daqfabric.impl.engine.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.daqfabric.impl.engine.topology.Endpoint;

/** How TCP of a host behaves. What routes can carry is set by routes, so that it holds in the fabric alone. */
final class TcpSettings {
    /** What Linux does by itself, ms: TCP_RTO_MIN and TCP_DELACK_MIN. */
    private static final long USUAL_RTO_MIN = 200;
    private static final long DELAYED_ACK = 40;
    /** A timeout of less than some ticks of the kernel, 4 ms each at 250 Hz, would come by chance. */
    private static final long LEAST_RTO_MIN = 10;
    private static final long LEAST_BUFFER = 131_072;
    private static final long MOST_BUFFER = 1 << 30;
    private static final String IP_ROUTE = ", ip-route(8)";
    private static final String SLOW_START = "R. Hughes-Jones, Investigating the Network Performance of Remote "
        + "Real-Time Computing Farms for ATLAS Trigger DAQ";

    private final List<Setting> byRoute = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<Setting> bySysctl = new ArrayList<>();

    /**
     * Works the settings out.
     *
     * @param event what a DCM collects
     * @param ofWeight1 response of a ROS of weight 1, bytes
     * @param cwnd to lock a ROS at
     */
    TcpSettings(FabricTraffic traffic, Host host, EventTransfer event, long ofWeight1, OptionalInt cwnd) {
        boolean isRos = host.endpoint().kind() == Endpoint.Kind.ROS;
        long response = isRos ? Math.max(1, Math.round(ofWeight1 * host.endpoint().weight()))
            : event.responses().stream().mapToLong(Long::longValue).max().orElseThrow();
        timeouts(isRos, Math.max(LEAST_RTO_MIN, Rounding.up(traffic.drainTime(event.mtu()))));
        option("congctl", "cubic", "congestion control: it only reduces its window when packets are lost",
            "follows from daqrings that drop nothing; thesis, figure 6.9, for what it does without",
            "BBR takes the queue in a daqring for congestion, and DCTCP needs switches that mark: "
                + "neither fits. The thesis switched congestion control off, which needs a kernel module");
        if (cwnd.isPresent()) {
            option("cwnd lock", String.valueOf(cwnd.getAsInt()),
                "all ROS together have no more in flight than the network holds; Linux locks it from the second "
                    + "connection between two addresses on: open one to each DCM and close it first",
                "TCP paper, section IV-C", "daqrings hold whole events: then it only takes bandwidth; or there are "
                + "few ROS with large responses (thesis, section 7.3.3: 40 % of the goodput)");
        } else if (isRos && traffic.hasDaqrings()) {
            option("initcwnd", String.valueOf(event.frames(response)),
                "a whole response leaves at once, without slow start",
                SLOW_START, "no daqring holds a whole event: then this is what makes incast; lock a cwnd instead");
        }
        sysctl("slow-start-after-idle", "net.ipv4.tcp_slow_start_after_idle", "0",
            "connections are idle between events and would begin each with a small window", SLOW_START,
            "the host also sends over wide-area links");
        sysctl(isRos ? "send-buffer" : "receive-buffer", isRos ? "net.ipv4.tcp_wmem" : "net.ipv4.tcp_rmem",
            buffer(response),
            isRos ? "a whole response fits the socket" : "the advertised window holds a whole response, and cwnd"
                + " decides",
            isRos ? SLOW_START : "TCP paper, section IV-C1; " + SLOW_START,
            "with thousands of connections and little memory: it is for each of them");
    }

    private void timeouts(boolean isRos, long rtoMin) {
        if (rtoMin >= USUAL_RTO_MIN) {
            return;
        }
        option("rto_min", rtoMin + "ms",
            "a packet that was lost is sent again after this, not after 200 ms; longer than a full daqring takes to"
                + " empty, so that nothing that only waits is sent twice",
            "TCP paper, section IV-B; D. Lupu, High-Performance Networking in Distributed Quasi Real-time Systems"
                + IP_ROUTE,
            "it is no cure for incast: losses that come again and again need daqrings or windows "
                + "(thesis, section 2.2.2.2)");
        // a ROS acknowledges a request with its answer; at once, it would be one more packet in the daqring
        if (rtoMin < DELAYED_ACK && !isRos) {
            option("quickack", "1", "an acknowledgement delayed by 40 ms would look like a loss", "follows from rto_min"
                + IP_ROUTE, "the host cannot afford more acknowledgements: then raise rto_min to more than 40 ms");
        }
    }

    private void option(String name, String value, String why, String source, String notWhen) {
        options.add(name + " " + value);
        byRoute.add(new Setting(name, value, why, source, notWhen, List.of()));
    }

    private void sysctl(String name, String key, String value, String why, String source, String notWhen) {
        bySysctl.add(new Setting(name, value, why, source, notWhen, List.of("sysctl -w " + key + "=\"" + value + '"')));
    }

    /** Twice a response, for the kernel counts its own overhead; least, usual and most. */
    private static String buffer(long response) {
        long usual = Math.max(LEAST_BUFFER, 2 * Long.highestOneBit(2 * Math.min(response, MOST_BUFFER) - 1));
        return "4096 " + Math.min(usual, MOST_BUFFER) + " " + Math.min(Math.max(4 * usual, 6_291_456), MOST_BUFFER);
    }

    /** What the host's routes into the fabric say about TCP. */
    String routeOptions() {
        return options.stream().map(option -> " " + option).collect(Collectors.joining());
    }

    List<Setting> all() {
        List<Setting> all = new ArrayList<>(byRoute);
        all.addAll(bySysctl);
        return all;
    }
}
