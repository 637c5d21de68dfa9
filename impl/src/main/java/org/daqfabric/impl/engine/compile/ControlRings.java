package org.daqfabric.impl.engine.compile;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.planning.TcpPacket;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The daqrings of control: the edge switch of a host, ROS or DCM that sends control by a declared flow has one for what
 * that host sends, which lets out no more than is declared. So a sender that goes wrong takes nothing from the events,
 * although ports send control first, and control waits behind no fragment in a daqring of a DCM.
 */
final class ControlRings {
    private static final double KILOBITS_PER_GIGABIT = 1e6;
    /** What Open vSwitch accepts. */
    private static final long MAX_RATE = 1_000_000_000;
    /** Seconds that a full daqring of full packets takes to become empty: control that waits longer is of no use. */
    private static final double LONGEST_WAIT = 0.2;
    private static final int FEWEST_PACKETS = 100;
    private static final int MOST_PACKETS = 4096;
    private static final int MAX_BURST = 32;

    private ControlRings() {
    }

    /** Addresses of the senders, by edge switch. */
    static SortedMap<String, Set<Address>> senders(Topology topology) {
        SortedMap<String, Set<Address>> senders = new TreeMap<>();
        topology.others().declaredControl().forEach((address, pairs) ->
            senders.computeIfAbsent(pairs.get(0).from().edge(), edge -> new TreeSet<>()).add(address));
        return senders;
    }

    /** Whether a switch is one whose daqrings are those of control. */
    static boolean belongTo(Topology topology, String switchName) {
        Role role = topology.roles().get(switchName);
        return !(role instanceof Role.OfLeaf || role instanceof Role.OfSpine);
    }

    /** The options of the daqring of a sender, as Open vSwitch names them. */
    static SortedMap<String, String> options(Topology topology, Address sender) {
        long rate = kilobits(topology, sender);
        int bits = topology.spec().policy().mtu().orElse(TcpPacket.USUAL_MTU) * Byte.SIZE;
        long packets = (long) (rate * 1000 * LONGEST_WAIT / bits);
        return new TreeMap<>(Map.of(
            "ring-size", Long.toString(Math.clamp(packets, FEWEST_PACKETS, MOST_PACKETS)),
            "max-burst", Integer.toString(MAX_BURST),
            "polling-interval", "0",
            "max-rate", Long.toString(rate)));
    }

    /** The kbit/s that a sender's flows of control may take of its uplinks, at least 1. */
    private static long kilobits(Topology topology, Address sender) {
        List<FlowPair> pairs = topology.others().declaredControl().getOrDefault(sender, List.of());
        // most flows have a rate, and a fabric thousands of edge switches
        double events = pairs.stream().noneMatch(pair -> pair.share() > 0) ? 0 : topology.mostEvents(edge ->
            topology.segments(edge).stream().mapToDouble(Segment::capacity).sum());
        double gbps = pairs.stream().mapToDouble(pair -> pair.gbps(events)).sum();
        return Math.clamp(Math.round(gbps * KILOBITS_PER_GIGABIT), 1, MAX_RATE);
    }
}
