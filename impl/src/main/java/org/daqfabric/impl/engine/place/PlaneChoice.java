package org.daqfabric.impl.engine.place;

/**
 * One step of an address's route: the plane, and the spine in it. The first stage serves every source in its plane,
 * the next those that are left. Indexes as in {@link org.daqfabric.impl.engine.routing.UsableFabric}.
 *
 * @param spine -1 if the address's pod reaches none
 * @param backup the spine for pods that {@code spine} does not join, -1 if there are none
 */
record PlaneChoice(int plane, int spine, int backup) {
    /** The route of an address that is not placed. */
    static final PlaneChoice[] NOWHERE = {};

    PlaneChoice(int plane, int spine) {
        this(plane, spine, -1);
    }

    PlaneChoice withBackup(int other) {
        return new PlaneChoice(plane, spine, other);
    }

    boolean sameSpine(PlaneChoice other) {
        return other.plane == plane && other.spine == spine;
    }
}
