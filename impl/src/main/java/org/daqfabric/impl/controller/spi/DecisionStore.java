package org.daqfabric.impl.controller.spi;

import java.util.concurrent.CompletionStage;

/** Keeps decisions across restarts, and what is known and could not be seen again. */
public interface DecisionStore {
    /** The fabric's stored decision, {@link Decision#NONE} if there is none; fails if the store cannot be read. */
    CompletionStage<Decision> load(String fabric);

    /** Stores a decision; completes when it would survive a restart. */
    CompletionStage<Void> save(String fabric, Decision decision);

    /** What was in doubt of a fabric; fails if the store cannot be read. */
    CompletionStage<Doubts> loadDoubts(String fabric);

    /** Stores what is in doubt; completes when that would survive a restart. */
    CompletionStage<Void> saveDoubts(String fabric, Doubts doubts);

    /** Deletes all of a fabric. */
    CompletionStage<Void> delete(String fabric);
}
