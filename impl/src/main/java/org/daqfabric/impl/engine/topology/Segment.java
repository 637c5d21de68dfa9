package org.daqfabric.impl.engine.topology;

import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * A link with its ends ordered by the structure of the fabric: an edge switch is below a leaf, a leaf below a spine.
 *
 * @param lower the link's port on the edge switch or leaf
 * @param upper its port on the leaf or spine
 */
public record Segment(Link link, PortId lower, PortId upper) {
    /** The link's name. */
    public PortId id() {
        return link.end();
    }

    /** Its port on one of its two switches. */
    public PortId at(String switchName) {
        return lower.switchName().equals(switchName) ? lower : upper;
    }

    /** Gbps in each direction. */
    public double capacity() {
        return link.capacity();
    }
}
