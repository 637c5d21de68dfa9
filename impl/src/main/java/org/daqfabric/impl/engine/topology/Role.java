package org.daqfabric.impl.engine.topology;

/** What a switch does in the fabric. */
public sealed interface Role {
    record OfSpine(int plane, int spine) implements Role {
    }

    record OfLeaf(int plane, int pod) implements Role {
    }

    record OfRos(int pod, String ros) implements Role {
    }

    record OfRack(int pod, String rack) implements Role {
    }

    /** A node that reads out and builds events: ROS and HLT rack at once. */
    record OfBuilder(int pod, String ros, String rack) implements Role {
    }

    /** Hosts that are neither ROS nor DCMs, and nothing else. */
    record OfHosts(int pod) implements Role {
    }

    /** Configured, but in no plane or pod yet. */
    record Spare() implements Role {
    }

    /** Whether hosts sit behind the switch. */
    default boolean isEdge() {
        return sendsFragments() || buildsEvents() || this instanceof OfHosts;
    }

    /** Whether a ROS sits behind the switch. */
    default boolean sendsFragments() {
        return this instanceof OfRos || this instanceof OfBuilder;
    }

    /** Whether the switch is one for DCMs, although it may have none. */
    default boolean buildsEvents() {
        return this instanceof OfRack || this instanceof OfBuilder;
    }

    /** Whether events or requests for them lead from the switch to such addresses; flows of other hosts aside. */
    default boolean sendsTo(Endpoint.Kind kind) {
        return switch (kind) {
            case DCM -> sendsFragments();
            case ROS -> buildsEvents();
            case HOST -> false;
        };
    }
}
