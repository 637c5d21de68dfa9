package org.daqfabric.impl.engine.loss;

import java.util.List;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * A link in one direction.
 *
 * @param fromNumber OpenFlow number of the port that sends
 * @param toNumber that of the port that receives
 */
public record Direction(PortId from, int fromNumber, PortId to, int toNumber) {
    /** Both directions of a link, with the numbers of its ports. */
    public static List<Direction> of(Link link, int number, int peerNumber) {
        return Stream.of(new Direction(link.end(), number, link.peer(), peerNumber),
            new Direction(link.peer(), peerNumber, link.end(), number)).toList();
    }
}
