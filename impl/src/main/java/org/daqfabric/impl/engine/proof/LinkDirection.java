package org.daqfabric.impl.engine.proof;

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
    @Override
    public int compareTo(LinkDirection other) {
        return out.compareTo(other.out);
    }

    @Override
    public String toString() {
        return out + " -> " + in;
    }
}
