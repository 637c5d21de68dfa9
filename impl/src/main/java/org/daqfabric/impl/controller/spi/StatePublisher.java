package org.daqfabric.impl.controller.spi;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.PendingRemoval;

/** Publishes the states of fabrics, in the state tree among others. Returns at once; only the newest state counts. */
public interface StatePublisher {
    void publish(FabricState state);

    /** The ports of a fabric's switches; called after {@link #publish} whenever they, or the state, have changed. */
    default void ports(FabricPorts ports) {
    }

    /** A switch was read: its ports and daqrings by name. Called from any thread. */
    default void read(String fabric, String switchName, Instant when, SortedMap<String, PortReading> ports) {
    }

    void withdraw(String fabric);

    /** The bridges that fabrics have left and that are still to be removed. */
    default void pending(List<PendingRemoval> removals) {
    }

    /**
     * Another member of the cluster publishes the fabric from now on; its published state stays until that member does.
     */
    default void forget(String fabric) {
    }
}
