package org.daqfabric.impl.cluster;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Stores the term for all members to see; a change takes a majority of them. */
public interface LeaseStore {
    /**
     * Reads the term and writes another, unless another member writes one meanwhile.
     *
     * @param decide returns the term to write for the one that is stored; empty to leave that
     * @return the stored term afterwards; fails if another member was first or there is no majority
     */
    CompletionStage<Optional<LeaseTerm>> claim(Function<Optional<LeaseTerm>, Optional<LeaseTerm>> decide);

    /** Deletes the term if it is of that session. */
    CompletionStage<Void> release(String session);
}
