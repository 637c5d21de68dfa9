package org.daqfabric.impl.cluster;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Where the term stands that all members see; a change takes a majority of them. */
public interface LeaseStore {
    /**
     * Reads the term and writes another, unless somebody else writes one meanwhile.
     *
     * @param decide given what stands, what to write; empty to leave it
     * @return what stands afterwards; fails if it was overtaken or no majority is to be had
     */
    CompletionStage<Optional<LeaseTerm>> claim(Function<Optional<LeaseTerm>, Optional<LeaseTerm>> decide);

    /** Deletes the term if it is of that session. */
    CompletionStage<Void> release(String session);
}
