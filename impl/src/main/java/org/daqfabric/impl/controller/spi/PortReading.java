package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.daqfabric.api.state.PortState;

/**
 * A port or daqring as its Open vSwitch counts and describes it at one time.
 *
 * @param statistics by their names in OVSDB; what a node itself counts, by its keys there
 * @param line what is behind the port; {@link Line#UNKNOWN} for a daqring
 */
public record PortReading(Map<String, Long> statistics, Line line) {
    /** Of a port: packets that its packet socket had no room for. */
    public static final String SOCKET_DROPS = "daqfabric-socket-drops";
    /** Of a bridge's own port: packets that the backlogs of its host's processors had no room for. */
    public static final String BACKLOG_DROPS = "daqfabric-softnet-drops";

    public PortReading {
        statistics = Map.copyOf(statistics);
    }

    /**
     * What is behind a port.
     *
     * @param speed Gbps
     * @param duplex {@code full}, {@code half} or empty
     * @param mtu bytes
     * @param numa the card's NUMA node
     * @param mac its Ethernet address; empty if Open vSwitch tells none
     * @param queues those that a PMD thread polls, as far as the node tells
     */
    public record Line(OptionalDouble speed, String duplex, OptionalLong mtu, OptionalLong numa,
            String mac, List<PortState.Queue> queues) {
        public static final Line UNKNOWN =
            new Line(OptionalDouble.empty(), "", OptionalLong.empty(), OptionalLong.empty(), "",
                List.of());

        public Line {
            queues = List.copyOf(queues);
        }
    }
}
