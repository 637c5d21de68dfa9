package org.daqfabric.impl.controller.spi;

import java.util.concurrent.CompletionStage;

/** Keeps decisions across restarts. */
public interface DecisionStore {
    /** The fabric's stored decision, {@link Decision#NONE} if there is none; fails if the store cannot be read. */
    CompletionStage<Decision> load(String fabric);

    /** Stores a decision; completes when it would survive a restart. */
    CompletionStage<Void> save(String fabric, Decision decision);

    CompletionStage<Void> delete(String fabric);
}
