package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/** Which links are down, judged by what is known of their two ends. */
final class Links {
    private Links() {
    }

    /**
     * Which links carry nothing.
     *
     * @param unproven names of links that count as down until they are seen up
     */
    static FabricView view(Topology topology, Set<PortId> unproven, PortNumbers numbers,
            Map<String, SwitchView> switches) {
        Set<PortId> down = new TreeSet<>(unproven);
        for (Link link : topology.spec().links()) {
            if (isDown(link.end(), numbers, switches) || isDown(link.peer(), numbers, switches)) {
                down.add(link.end());
            }
        }
        return new FabricView(down);
    }

    /** Those of some links whose two ends have not both been seen up. */
    static Set<PortId> unproven(Topology topology, Set<PortId> links, PortNumbers numbers,
            Map<String, SwitchView> switches) {
        Set<PortId> left = new TreeSet<>();
        for (Link link : topology.spec().links()) {
            if (links.contains(link.end())
                && !(isProven(link.end(), numbers, switches) && isProven(link.peer(), numbers, switches))) {
                left.add(link.end());
            }
        }
        return left;
    }

    private static boolean isProven(PortId port, PortNumbers numbers, Map<String, SwitchView> switches) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNSEEN).isUp(port, numbers);
    }

    private static boolean isDown(PortId port, PortNumbers numbers, Map<String, SwitchView> switches) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNSEEN).isDown(port, numbers);
    }
}
