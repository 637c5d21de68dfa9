package org.daqfabric.impl.engine.place;

/**
 * One element of an active route: a plane, and the spine taken in it. An array of these is the active route of an
 * address: the first choice serves every source that its plane reaches, each further one the sources that are left.
 * Plane and spine are indexes as in {@link org.daqfabric.impl.engine.routing.UsableFabric}.
 *
 * @param spine {@link #NO_SPINE} if the address's pod has a link to none
 * @param backup the spine for source pods that {@code spine} does not join, {@link #NO_SPINE} if there are none
 */
record PlaneChoice(int plane, int spine, int backup) {
    static final int NO_SPINE = -1;
    /** The active route of an address that is not placed. */
    static final PlaneChoice[] UNPLACED = {};

    PlaneChoice(int plane, int spine) {
        this(plane, spine, NO_SPINE);
    }

    PlaneChoice withBackup(int otherSpine) {
        return new PlaneChoice(plane, spine, otherSpine);
    }

    boolean sameSpine(PlaneChoice other) {
        return other.plane == plane && other.spine == spine;
    }
}
