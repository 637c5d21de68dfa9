package org.daqfabric.impl.engine.topology;

import java.util.List;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * One direction of a link.
 *
 * @param link the link's name
 * @param out the port by which packets leave
 * @param outNumber its OpenFlow number
 * @param in the port by which they arrive
 * @param inNumber its OpenFlow number
 */
public record LinkDirection(PortId link, PortId out, int outNumber, PortId in, int inNumber)
        implements Comparable<LinkDirection> {
    /** Both directions of a link, with the OpenFlow numbers of its ports. */
    public static List<LinkDirection> of(Link link, int number, int peerNumber) {
        return List.of(new LinkDirection(link.end(), link.end(), number, link.peer(), peerNumber),
            new LinkDirection(link.end(), link.peer(), peerNumber, link.end(), number));
    }

    @Override
    public int compareTo(LinkDirection other) {
        return out.compareTo(other.out);
    }

    @Override
    public String toString() {
        return out + " -> " + in;
    }
}
