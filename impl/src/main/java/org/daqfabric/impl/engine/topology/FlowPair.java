package org.daqfabric.impl.engine.topology;

import org.daqfabric.api.spec.Flow;

/**
 * A sender and a receiver of a flow, of which one at least is a host that is neither ROS nor DCM.
 *
 * @param flow name of the flow
 * @param rate Gbps that the one sends to the other whatever the events' rate
 * @param share the part of the events' bandwidth that the one sends to the other
 */
public record FlowPair(String flow, Endpoint from, Endpoint to, Flow.Kind kind, double rate, double share) {
    /**
     * What the one sends to the other.
     *
     * @param events Gbps of the events
     * @return Gbps
     */
    public double gbps(double events) {
        return rate + share * events;
    }

    /** Whether the packets pass a link. */
    public boolean usesLinks() {
        return !from.edge().equals(to.edge());
    }
}
