package org.daqfabric.impl.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * The plane of each port of a link.
 *
 * @param ports by both ends of every link; empty for a link between switches that are not used yet
 */
record PortPlanes(SortedMap<PortId, String> ports) {
    static PortPlanes of(FabricSpec spec) {
        Map<String, String> switches = new HashMap<>();
        spec.planes().forEach(plane -> {
            plane.spines().forEach(spine -> switches.put(spine.switchName(), LabelText.of(plane.id())));
            plane.leaves().forEach(leaf -> switches.put(leaf.switchName(), LabelText.of(plane.id())));
        });
        SortedMap<PortId, String> ports = new TreeMap<>();
        for (Link link : spec.links()) {
            String plane = switches.getOrDefault(link.end().switchName(),
                switches.getOrDefault(link.peer().switchName(), ""));
            ports.put(link.end(), plane);
            ports.put(link.peer(), plane);
        }
        return new PortPlanes(ports);
    }

    String ofLink(PortId end) {
        return ports.getOrDefault(end, "");
    }
}
