package org.daqfabric.impl.engine.capacity;

import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;

/**
 * The traffic on one link in one direction.
 *
 * @param upwards from the lower switch to the upper
 * @param load Gbps per unit of event rate, which is one fragment of weight 1 to a DCM of weight 1 in one Gbit;
 *     of events and of flows that are a share of them
 * @param reserved Gbps of flows, whatever the event rate
 */
public record LinkLoad(Segment segment, boolean upwards, double load, double reserved) {
    /** What is left of a link that flows fill: nothing, without dividing by it. */
    private static final double LEAST_LEFT = 1e-6;

    /** Load by the capacity that is not reserved: the reciprocal of the event rate at which the link is full. */
    public double relative() {
        return load / Math.max(segment.capacity() - reserved, segment.capacity() * LEAST_LEFT);
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
