package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.controller.spi.PortReading.Line;
import org.daqfabric.impl.engine.topology.Topology;

/** Compares what ports are with what was declared. */
final class PortConditions {
    /** A speed that is less than the declared one by a thousandth is none that anybody meant to declare. */
    private static final double TOLERANCE = 0.999;

    /** Per cent of its time from which on a PMD thread may be too slow for a burst of packets. */
    private static final int FULL = 95;

    private PortConditions() {
    }

    /**
     * The ports of links and DCMs that were read.
     *
     * @param read by switch
     */
    static List<PortState> of(Topology topology, Map<String, SwitchPorts> read) {
        SortedMap<PortId, Link> links = new TreeMap<>();
        topology.spec().links().forEach(link -> {
            links.put(link.end(), link);
            links.put(link.peer(), link);
        });
        List<PortState> states = new ArrayList<>();
        for (String name : topology.roles().keySet()) {
            SwitchPorts of = read.getOrDefault(name, SwitchPorts.UNKNOWN);
            topology.devices(name).stream().filter(of.lines()::containsKey).map(port -> new PortId(name, port)).sorted()
                .forEach(port -> states.add(state(port, of, Optional.ofNullable(links.get(port)))));
        }
        return List.copyOf(states);
    }

    private static PortState state(PortId port, SwitchPorts of, Optional<Link> link) {
        Line line = of.lines().get(port.port());
        StringJoiner fault = new StringJoiner("; ");
        link.filter(declared -> line.speed().orElse(Double.MAX_VALUE) < declared.capacity() * TOLERANCE).ifPresent(
            declared -> fault.add(number(line.speed().getAsDouble()) + " Gbps where " + number(declared.capacity())
                + " Gbps are declared: use a card, transceiver and cable of that speed, or correct the capacity of"
                + " link " + declared.end()));
        if (line.duplex().equals("half")) {
            fault.add("half duplex, so packets collide: let both ends negotiate, or set both to full duplex");
        }
        if (of.missing().contains(port.port())) {
            fault.add("it misses packets, as nobody takes them from the card in time: give the port more queues (n-rxq)"
                + " and the switch more processors of the card's NUMA node (pmd-cpus); 'ovs-appctl"
                + " dpif-netdev/pmd-rxq-show' on the node tells how busy its threads are");
        }
        threads(line, fault);
        return new PortState(port, line.speed(), line.duplex(), line.mtu(), line.queues(), fault.toString());
    }

    private static void threads(Line line, StringJoiner fault) {
        line.queues().stream().filter(queue -> queue.threadBusy() >= FULL).findFirst().ifPresent(queue ->
            fault.add("the PMD thread of processor " + queue.core() + ", which polls queue " + queue.id()
                + ", is busy for " + queue.threadBusy() + " % of its time: give the switch more processors of NUMA"
                + " node " + line.numa().orElse(queue.numa()) + " (pmd-cpus)" + (2 * queue.busy() < FULL ? ""
                    : ", and the port more queues (n-rxq)")));
        line.queues().stream().filter(queue -> line.numa().orElse(queue.numa()) != queue.numa()).findFirst()
            .ifPresent(queue -> fault.add("the card is at NUMA node " + line.numa().getAsLong() + ", and queue "
                + queue.id() + " is polled from processor " + queue.core() + " of NUMA node " + queue.numa()
                + ", which takes longer: give the switch processors of the card's node (pmd-cpus)"));
    }

    private static String number(double gbps) {
        return gbps == Math.rint(gbps) ? Long.toString((long) gbps) : Double.toString(gbps);
    }
}
