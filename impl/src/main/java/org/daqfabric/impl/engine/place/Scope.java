package org.daqfabric.impl.engine.place;

/** Who may move. */
public enum Scope {
    /**
     * After a failure: only addresses that the failure touched, and those never placed. An address is touched if
     * traffic to it, as it was placed, used a link that carries nothing now. Failing uplinks of sources touch nobody:
     * the source goes to the next plane by itself.
     */
    REPAIR,
    /**
     * Everyone, but no one without need: starting from the previous placement addresses move only where that raises
     * the bandwidth. For fresh fabrics, changes of the configuration and rebalancing. Adding a rack or a DCM in this
     * scope places the new addresses and moves others only if more bandwidth is to be had so; with {@link #REPAIR} it
     * moves nobody in any case.
     */
    OPTIMISE
}
