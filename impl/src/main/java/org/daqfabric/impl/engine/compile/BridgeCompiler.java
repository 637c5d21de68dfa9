package org.daqfabric.impl.engine.compile;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** What OVSDB must hold for a switch. */
public final class BridgeCompiler {
    private static final String DAQRING = "daqring";

    private BridgeCompiler() {
    }

    public static Bridge of(Topology topology, PortNumbers numbers, String switchName) {
        String fabric = topology.spec().name();
        Switch description = topology.switchOf(switchName);
        SortedMap<String, Bridge.Port> ports = new TreeMap<>();
        SortedMap<String, Integer> numbered = numbers.of(switchName);
        Set<String> fabricPorts = new HashSet<>();
        for (Segment segment : topology.segments(switchName)) {
            fabricPorts.add(segment.at(switchName).port());
        }
        SortedMap<String, String> bfd = bfd(topology.spec().policy().protection());
        for (Map.Entry<String, Integer> entry : numbered.entrySet()) {
            boolean ring = PortAllocator.isRing(entry.getValue());
            PortSettings settings = description.port(entry.getKey());
            ports.put(entry.getKey(), new Bridge.Port(entry.getValue(), ring ? DAQRING : PortColumns.type(settings),
                ring ? options(topology, switchName, entry.getKey())
                    : PortColumns.options(entry.getKey(), settings),
                fabricPorts.contains(entry.getKey()) ? bfd : Collections.emptySortedMap()));
        }
        return new Bridge(fabric, description.bridge(), topology.datapathId(switchName),
            topology.mac(switchName), description.datapathType(), ports, topology.spec().policy().mtu(),
            NodeColumns.of(description.dpdk(), ports.values()), false);
    }

    /** A link is dead after three intervals without a packet, which is what Open vSwitch counts to. */
    private static SortedMap<String, String> bfd(Policy.Protection policy) {
        if (!policy.bfd()) {
            return Collections.emptySortedMap();
        }
        String interval = Integer.toString(policy.bfdInterval());
        return new TreeMap<>(Map.of("enable", "true", "min_rx", interval, "min_tx", interval));
    }

    private static SortedMap<String, String> options(Topology topology, String switchName, String port) {
        Optional<Address> address = Daqrings.addressOf(port).map(Address::parse);
        if (address.isPresent() && ControlRings.belongTo(topology, switchName)) {
            return ControlRings.options(topology, address.get());
        }
        Policy.Daqring policy = topology.spec().policy().daqring();
        DaqringOptions options = address.map(policy::of).orElse(policy.options());
        SortedMap<String, String> columns = new TreeMap<>(Map.of(
            "ring-size", Integer.toString(options.ringSize()),
            "max-burst", Integer.toString(options.maxBurst()),
            "polling-interval", Integer.toString(options.pollingInterval())));
        options.credit().ifPresent(credit -> columns.put("credit", Integer.toString(credit)));
        options.ecnThreshold().ifPresent(packets -> columns.put("ecn-threshold", Integer.toString(packets)));
        return columns;
    }
}
