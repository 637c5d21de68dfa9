package org.daqfabric.impl.controller.spi;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Keeps decisions across restarts, and what is known of switches that no controller can ask. */
public interface DecisionStore {
    /** The fabric's stored decision, {@link Decision#NONE} if there is none; fails if the store cannot be read. */
    CompletionStage<Decision> load(String fabric);

    /** Stores a decision; completes when it would survive a restart. */
    CompletionStage<Void> save(String fabric, Decision decision);

    /** The switches of a fabric that were in doubt; fails if the store cannot be read. */
    CompletionStage<Set<String>> loadDoubt(String fabric);

    /** Stores which switches are in doubt; completes when that would survive a restart. */
    CompletionStage<Void> saveDoubt(String fabric, Set<String> inDoubt);

    /** Deletes all of a fabric. */
    CompletionStage<Void> delete(String fabric);
}
