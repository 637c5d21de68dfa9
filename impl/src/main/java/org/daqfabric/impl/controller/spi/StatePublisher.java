package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.state.FabricState;

/** Shows fabrics as they run to whoever reads the state tree. Returns at once; only the newest state counts. */
public interface StatePublisher {
    void publish(FabricState state);

    void withdraw(String fabric);

    /** The fabric is another member's, who shows it; what is shown of it stays until then. */
    default void forget(String fabric) {
    }
}
