package org.daqfabric.impl.engine.capacity;

import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;

/**
 * The event traffic on one link in one direction.
 *
 * @param upwards from the lower switch to the upper
 * @param load Gbps per unit of event rate, which is one fragment of weight 1 to a DCM of weight 1 in one Gbit
 */
public record LinkLoad(Segment segment, boolean upwards, double load) {
    /** Load by capacity: the reciprocal of the event rate at which the link is full. */
    public double relative() {
        return load / segment.capacity();
    }

    /** The end that sends. */
    public PortId from() {
        return upwards ? segment.lower() : segment.upper();
    }

    /** {@code switch:port -> switch:port}, the sending end first. */
    @Override
    public String toString() {
        return from() + " -> " + (upwards ? segment.upper() : segment.lower());
    }
}
