package org.daqfabric.impl.northbound;

import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.controller.spi.StatePublisher;

/** Publishes nothing. */
final class Unseen implements StatePublisher {
    @Override
    public void publish(FabricState state) {
        // not needed here
    }

    @Override
    public void withdraw(String fabric) {
        // not needed here
    }
}
