package org.daqfabric.impl.engine.loss;

/**
 * Packets that a link has certainly lost in one direction. The number is exact whenever nothing was sent during a
 * reading: then both bounds are the same. From then on the difference can only grow: where it seems less, a counter of
 * the sender was told late.
 *
 * @param before lost before the counters last began again
 * @param isExact whether the difference was once exactly known
 * @param lowest that difference, or the lowest upper bound so far: when the ledger began it was not higher
 * @param highest highest lower bound so far
 * @param sure the greatest excess of a lower bound over an upper bound before it
 * @param doubt by how much counters have contradicted each other: cards may tell them late
 */
record LostPackets(long before, boolean isExact, long lowest, long highest, long sure, long doubt) {
    static LostPackets of(long before, Bounds first) {
        return new LostPackets(before, false, first.most(), first.least(), 0, 0);
    }

    LostPackets after(Bounds now) {
        long least = isExact ? lowest : Math.min(lowest, now.most());
        return new LostPackets(before, isExact, least, Math.max(highest, now.least()),
            Math.max(sure, now.least() - lowest), Math.max(doubt, highest - now.most()));
    }

    /** Some readings in succession have told the same difference, without a packet on its way: it is exact. */
    LostPackets exact(long difference) {
        return new LostPackets(before + Math.max(0, difference - lowest), true, difference, difference, 0, 0);
    }

    long lost() {
        return before + Math.max(0, sure - 2 * doubt);
    }
}
