package org.daqfabric.impl.controller.spi;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;

/** Keeps pending removals of bridges across restarts. */
public interface RemovalStore {
    /** Everything stored; fails if the store cannot be read. */
    CompletionStage<List<PendingRemoval>> load();

    /** Stores and deletes in one step; completes when that would survive a restart. Calls take effect in order. */
    CompletionStage<Void> change(Collection<PendingRemoval> put, Collection<MarkedBridge> delete);
}
