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

    /** Configured, but in no plane or pod yet. */
    record Spare() implements Role {
    }

    /** Whether hosts sit behind the switch. */
    default boolean isEdge() {
        return this instanceof OfRos || this instanceof OfRack;
    }
}
