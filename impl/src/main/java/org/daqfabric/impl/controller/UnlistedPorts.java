package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Ports of links and hosts whose Interface has an OpenFlow number and no error, and which their switch does not list:
 * they have left its datapath. The userspace datapath takes a port out that it cannot set up anew, as one of DPDK whose
 * card does not take a new MTU, and tells its log only; the Interface shows even the new MTU until ovs-vswitchd is next
 * given something to do.
 *
 * @param last those that the last answer of each switch did not list
 * @param ports those that two answers did not list, one after the other, as OVSDB and OpenFlow are not in step
 */
record UnlistedPorts(SortedMap<String, Set<String>> last, SortedSet<PortId> ports) {
    static final UnlistedPorts NONE = new UnlistedPorts(Collections.emptySortedMap(), Collections.emptySortedSet());

    /**
     * After an answer of some switches; what is known of one that is connected and has not answered stands.
     *
     * @param switches what they have reported
     * @param listed the numbers of the ports that each lists
     */
    UnlistedPorts after(Topology topology, Map<String, SwitchView> switches, Map<String, Set<Integer>> listed) {
        SortedMap<String, Set<String>> missing = new TreeMap<>();
        SortedSet<PortId> twice = new TreeSet<>();
        for (String name : topology.roles().keySet()) {
            SwitchView view = switches.getOrDefault(name, SwitchView.UNKNOWN);
            Set<Integer> numbers = listed.get(name);
            Set<String> before = last.getOrDefault(name, Set.of());
            Set<String> claimed = view.openflow() && view.ovsdb() ? claimed(topology, name, view) : Set.of();
            Set<String> now = claimed.stream().filter(port -> numbers == null ? before.contains(port)
                : !numbers.contains(view.ports().get(port).number().orElseThrow())).collect(Collectors.toSet());
            now.stream().map(port -> new PortId(name, port))
                .filter(port -> ports.contains(port) || numbers != null && before.contains(port.port()))
                .forEach(twice::add);
            if (!now.isEmpty()) {
                missing.put(name, now);
            }
        }
        return new UnlistedPorts(Collections.unmodifiableSortedMap(missing), Collections.unmodifiableSortedSet(twice));
    }

    /** The ports that have a number and no error. */
    private static Set<String> claimed(Topology topology, String name, SwitchView view) {
        return topology.devices(name).stream().filter(port -> {
            PortStatus status = view.ports().get(port);
            return status != null && status.number().isPresent() && status.error().isEmpty();
        }).collect(Collectors.toSet());
    }
}
