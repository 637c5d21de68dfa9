package org.daqfabric.impl.controller;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** How many ROS reach each DCM, where ports to ROS and DCMs carry nothing. */
final class HostReach {
    private HostReach() {
    }

    /**
     * The number of ROS by the address of each DCM.
     *
     * @param byLinks the same if all ports to hosts are up
     * @param down the ports to hosts that carry nothing
     */
    static Map<Address, Integer> of(Topology topology, UnusableLinks unusable, Placement placement,
            SortedMap<Address, Integer> byLinks, Set<PortId> down) {
        if (down.isEmpty()) {
            return byLinks;
        }
        Routing routing = new Routing(topology, unusable, placement);
        List<Endpoint> lost = topology.endpoints().values().stream()
            .filter(host -> !host.isDcm() && isDown(host, down)).toList();
        Map<Address, Integer> reached = new TreeMap<>();
        byLinks.forEach((address, count) -> {
            Endpoint dcm = topology.addresses().get(address);
            int missing = (int) lost.stream().filter(ros -> ros.edge().equals(dcm.edge())
                || routing.plane(ros.edge(), address).isPresent()).count();
            reached.put(address, isDown(dcm, down) ? 0 : Math.max(0, count - missing));
        });
        return reached;
    }

    private static boolean isDown(Endpoint host, Set<PortId> down) {
        return down.contains(new PortId(host.edge(), host.port()));
    }
}
