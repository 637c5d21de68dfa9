package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Adds to what was read of ports what OpenFlow reports of them: bits that stop packets, hosts that are cut off, and
 * that a port is not there.
 */
final class PortFaults {
    /** Names of hosts that are listed. */
    private static final int SHOWN = 8;

    private PortFaults() {
    }

    /**
     * The ports of links and hosts.
     *
     * @param bits those that are set in the configuration of ports
     * @param down the ports to hosts that carry nothing, with the hosts behind them
     * @param unlisted those that have left the datapath of their switch
     */
    static List<PortState> of(Topology topology, List<PortState> read, SortedMap<PortId, Set<PortBit>> bits,
            SortedMap<PortId, SortedSet<String>> down, SortedSet<PortId> unlisted) {
        if (bits.isEmpty() && down.isEmpty() && unlisted.isEmpty()) {
            return read;
        }
        Map<PortId, PortState> all = new TreeMap<>();
        read.forEach(port -> all.put(port.port(), port));
        SortedSet<PortId> concerned = new TreeSet<>(bits.keySet());
        concerned.addAll(down.keySet());
        concerned.addAll(unlisted);
        for (PortId port : concerned) {
            PortState before = all.getOrDefault(port, new PortState(port, OptionalDouble.empty(), "",
                OptionalLong.empty(), List.of(), ""));
            all.put(port, reported(topology, before, bits.getOrDefault(port, Set.of()),
                down.getOrDefault(port, new TreeSet<>()), unlisted.contains(port)));
        }
        return new ArrayList<>(all.values());
    }

    private static PortState reported(Topology topology, PortState before, Set<PortBit> bits,
            SortedSet<String> cutOff, boolean unlisted) {
        StringJoiner fault = new StringJoiner("; ");
        if (unlisted) {
            fault.add(left(topology, before.port(), cutOff));
        } else if (!cutOff.isEmpty()) {
            fault.add(cutOff(topology, before.port(), bits, cutOff));
        }
        bits.stream().filter(PortBit::isCleared).sorted().forEach(bit -> fault.add("another program has set " + bit
            .label() + " on it, so that " + bit.effect() + ": daqfabric clears it; if it comes back find that program"
            + " on the node"));
        if (!before.fault().isEmpty()) {
            fault.add(before.fault());
        }
        return new PortState(before.port(), before.speed(), before.duplex(), before.mtu(), before.queues(), bits,
            cutOff, unlisted, fault.toString());
    }

    /** Why, only the node's log has. */
    private static String left(Topology topology, PortId port, SortedSet<String> hosts) {
        Switch of = topology.switchOf(port.switchName());
        OptionalInt mtu = topology.spec().policy().mtu();
        return "it has left the datapath of its Open vSwitch" + (hosts.isEmpty() ? ""
            : ", so that no packet reaches " + names(hosts)) + ", though its Interface has an OpenFlow number and no"
            + " error: " + (of.port(port.port()).kind() == PortSettings.Kind.SYSTEM
                ? "another program has taken it out ('ovs-appctl dpctl/del-if'), find it on the node"
                : "it could not be set up anew, see ovs-vswitchd's log on the node; " + (mtu.isPresent()
                    ? "if its card does not take an MTU of " + mtu.getAsInt() + " bytes, give the fabric an mtu that it"
                        + " takes, otherwise correct the port's settings" : "correct the port's settings"))
            + "; 'ovs-vsctl del-port " + of.bridge() + " " + port.port()
            + "' there has it made anew, or its error told";
    }

    private static String names(SortedSet<String> hosts) {
        return hosts.stream().limit(SHOWN).collect(Collectors.joining(", "))
            + (hosts.size() > SHOWN ? " and " + (hosts.size() - SHOWN) + " more" : "");
    }

    private static String cutOff(Topology topology, PortId port, Set<PortBit> bits, SortedSet<String> hosts) {
        String device = port.port().equals(Dcm.LOCAL) ? topology.switchOf(port.switchName()).bridge() : port.port();
        return (port.port().equals(Dcm.LOCAL) ? "the bridge's own port " + device + " of " + port.switchName()
            : "the port " + device + " of " + port.switchName()) + " is down, so that no packet reaches " + names(hosts)
            + (bits.contains(PortBit.DOWN) ? ": 'ip link set " + device + " up' on the node brings it back"
                : port.port().equals(Dcm.LOCAL) ? ": see 'ip link show " + device + "' on the node"
                : ": check the cable, the transceivers and 'ip link' at both ends");
    }
}
