package org.daqfabric.impl.cluster;

import java.util.concurrent.CompletionStage;

/** What only one member of a cluster does at a time. All methods return at once. */
public interface ActiveRole {
    /** Begins, or begins again. */
    void begin();

    /** Is to change nothing for now: whether this member still holds the lease is not known. */
    void pause();

    /** Goes on after {@link #pause()}: no other member has been active meanwhile. */
    void resume();

    /**
     * Ends for now.
     *
     * @return completes when nothing is done any more
     */
    CompletionStage<Void> end();
}
