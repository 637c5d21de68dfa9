package org.daqfabric.impl.engine.place;

/** Which addresses a placement may move. */
public enum Scope {
    /**
     * After a failure: only addresses that the failure touched, and those not placed yet. An address is touched if its
     * traffic, as placed, used a link that cannot be used now. A failed uplink of a source touches no address: the
     * source takes the next plane by itself.
     */
    REPAIR,
    /**
     * All addresses, but none without need: compared with the previous placement an address moves only if that raises
     * the bandwidth. For new fabrics, changes of the configuration and rebalancing. When a rack or DCM is added, this
     * scope places the new addresses and moves others only if that gains bandwidth; {@link #REPAIR} moves no others.
     */
    OPTIMISE
}
