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

    static FabricView view(Topology topology, PortNumbers numbers, Map<String, SwitchView> switches) {
        Set<PortId> down = new TreeSet<>();
        for (Link link : topology.spec().links()) {
            if (isDown(link.end(), numbers, switches) || isDown(link.peer(), numbers, switches)) {
                down.add(link.end());
            }
        }
        return new FabricView(down);
    }

    private static boolean isDown(PortId port, PortNumbers numbers, Map<String, SwitchView> switches) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNSEEN).isDown(port, numbers);
    }
}
