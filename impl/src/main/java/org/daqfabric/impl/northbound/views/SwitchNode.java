package org.daqfabric.impl.northbound.views;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A switch of a view.
 *
 * @param id {@code openflow:} and the datapath-id in decimal, as OpenDaylight names switches
 * @param name the name in the fabric
 * @param connected whether it is connected over OpenFlow
 * @param ports its numbered ports without daqrings, in the order of their numbers, then the bridge's own
 * @param read when the counters were read; empty if they have not been
 */
record SwitchNode(String id, String name, boolean connected, List<Port> ports, Optional<Instant> read) {
    SwitchNode {
        ports = List.copyOf(ports);
    }

    /** The id of a switch by its datapath-id. */
    static String id(long datapathId) {
        return "openflow:" + Long.toUnsignedString(datapathId);
    }

    /**
     * A port.
     *
     * @param id that of the switch and the number
     * @param number the OpenFlow number; {@code LOCAL} for the bridge's own port
     * @param exists whether the switch has it
     * @param state empty for the bridge's own port, which nobody reports
     * @param kbps its speed
     * @param mac its Ethernet address; empty if that is not known
     * @param counters by their names in OVSDB
     */
    record Port(String id, String number, String name, boolean exists, Optional<State> state, OptionalLong kbps,
            String mac, Map<String, Long> counters) {
        Port {
            counters = Map.copyOf(counters);
        }

        /** Whether this and another differ in nothing but counters. */
        boolean countsLike(Port other) {
            return new Port(id, number, name, exists, state, kbps, mac, other.counters).equals(other);
        }
    }

    /**
     * Whether a port works.
     *
     * @param down whether it has no carrier
     * @param live whether it forwards, which it does not either while BFD is down
     */
    record State(boolean down, boolean live) {
    }
}
