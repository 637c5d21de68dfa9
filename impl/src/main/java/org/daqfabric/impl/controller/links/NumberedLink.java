package org.daqfabric.impl.controller.links;

import java.util.List;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A link with the OpenFlow numbers of its two ports, {@link #NONE} where one has none. It exists
 * because links are evaluated after every event, and numbers change only with a decision.
 */
public record NumberedLink(Link link, int number, int peerNumber) {
    static final int NONE = 0;

    /** All links of a fabric, with the numbers of a decision. */
    static List<NumberedLink> of(Topology topology, PortNumbers numbers) {
        return topology.spec().links().stream()
            .map(link -> new NumberedLink(link, number(numbers, link.end()), number(numbers, link.peer()))).toList();
    }

    private static int number(PortNumbers numbers, PortId port) {
        return numbers.of(port).orElse(NONE);
    }

    PortId end() {
        return link.end();
    }

    PortId peer() {
        return link.peer();
    }
}
