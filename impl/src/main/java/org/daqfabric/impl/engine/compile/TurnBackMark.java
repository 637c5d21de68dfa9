package org.daqfabric.impl.engine.compile;

import org.daqfabric.api.spec.Mac;

/**
 * The mark that a leaf writes into the Ethernet destination of a packet to a spine. If the spine turns the packet back,
 * the leaf sends it to the spine that the mark names. A leaf of another pod ignores the mark, as it names the pod that
 * wrote it; the destination edge switch writes the real address.
 */
public final class TurnBackMark {
    /** Locally administered and unicast like the addresses of {@code DatapathIds}, and different from all of them. */
    private static final long MARK = 0x06daL << 32;

    private TurnBackMark() {
    }

    /**
     * The mark.
     *
     * @param pod the mark of the leaf that writes it, 1..65535
     * @param spine the mark of the spine to send the packet to, 1..65535
     */
    public static Mac to(int pod, int spine) {
        return new Mac(MARK | (long) pod << 16 | spine);
    }
}
