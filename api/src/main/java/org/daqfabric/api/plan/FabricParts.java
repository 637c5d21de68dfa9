package org.daqfabric.api.plan;

import java.util.List;
import org.daqfabric.api.spec.PortId;

/**
 * Parts of a fabric, by name.
 *
 * @param links each named by the port at either of its ends
 */
public record FabricParts(List<String> switches, List<PortId> links) {
    public static final FabricParts NONE = new FabricParts(List.of(), List.of());

    public FabricParts {
        switches = List.copyOf(switches);
        links = List.copyOf(links);
    }

    public boolean isEmpty() {
        return switches.isEmpty() && links.isEmpty();
    }
}
