package org.daqfabric.impl.engine.proof;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** What is known of a direction; times are monotonic, in ns. Not thread-safe. */
final class Known {
    /** Large packets have passed: only then their absence has a meaning, for hosts may send none. */
    boolean large;
    boolean silent;
    long silentSince;
    /** Whether it is only known to be silent for large packets. */
    boolean silentForLarge;
    /** Packets that have passed in a row, since it was silent. */
    int inRow;
    /** Those by which it may return and that have not arrived, in their order. */
    final Deque<Long> returning = new ArrayDeque<>();
    boolean returnsLarge;
    long due;
    /** When the newest large packet was sent that has passed, and the newest of any size. */
    long lastLarge = Long.MIN_VALUE;
    long lastPassed = Long.MIN_VALUE;
    long examined = Long.MIN_VALUE;
    /** Examinations in a row that have shown nothing. */
    int vain;
    Examination examination;

    boolean isWatched() {
        return silent || examination != null;
    }

    /** Those that are not waited for any more have not returned. */
    void forget(Set<Long> outstanding) {
        while (!returning.isEmpty() && !outstanding.contains(returning.peek())) {
            returning.remove();
            inRow = 0;
        }
    }

    /**
     * A packet has returned. They arrive in the order in which they were sent, however long that takes: one that is
     * overtaken is lost.
     */
    void returned(long id) {
        while (!returning.isEmpty() && returning.peek() <= id) {
            inRow = returning.remove() < id ? 0 : inRow;
        }
        inRow++;
    }
}
