package org.daqfabric.impl.cluster;

import java.util.concurrent.CompletionStage;

/** What only the active member of a cluster does. All methods return at once. */
public interface ActiveRole {
    /** Begins, or begins again. */
    void begin();

    /** Must change nothing for now: it is not known whether this member still holds the lease. */
    void pause();

    /** Continues after {@link #pause()}: no other member has been active meanwhile. */
    void resume();

    /**
     * Ends; it may begin again later.
     *
     * @return completes when it has stopped completely
     */
    CompletionStage<Void> end();
}
