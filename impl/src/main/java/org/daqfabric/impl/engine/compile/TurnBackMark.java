package org.daqfabric.impl.engine.compile;

import org.daqfabric.api.spec.Mac;

/**
 * What a leaf writes into the Ethernet destination of a packet on its way up, so that it knows what to do with it should
 * the spine turn it back: it goes to the spine named there. The leaf of the other pod takes no notice, since the mark
 * names the pod it was made in; the destination edge switch writes the real address.
 */
final class TurnBackMark {
    /** Locally administered and unicast as those of {@link DatapathIds}, and none of them. */
    private static final long MARK = 0x06daL << 32;

    private TurnBackMark() {
    }

    /**
     * The mark.
     *
     * @param pod the leaf's own, 1..65535
     * @param spine the one to go to, 1..65535
     */
    static Mac to(int pod, int spine) {
        return new Mac(MARK | (long) pod << 16 | spine);
    }
}
