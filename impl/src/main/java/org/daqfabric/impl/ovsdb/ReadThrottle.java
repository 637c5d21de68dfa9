package org.daqfabric.impl.ovsdb;

import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Keeps peers that never pause from taking the others' turn. The readers are virtual threads: nobody interrupts one that
 * always has something to read, and one that yields comes back before those who were woken. So a peer has some processor
 * time of its own; whoever has used it up waits twice as long as he worked, and all such peers wait one after another.
 */
final class ReadThrottle {
    /** Nanoseconds: enough to read the rows of a large node at once. */
    private static final long CREDIT = 50_000_000;
    private static final long STRANGERS_CREDIT = 5_000_000;
    /** Part of the time that passes which becomes credit. */
    private static final int REFILL = 20;

    private final Semaphore crowd;
    private long most = STRANGERS_CREDIT;
    private long credit = STRANGERS_CREDIT;
    private long last = System.nanoTime();

    /** Paces one peer beside the others of that crowd. */
    ReadThrottle(Semaphore crowd) {
        this.crowd = crowd;
    }

    /** What the peers of a driver share. */
    static Semaphore crowd() {
        return new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    }

    /** Gives more to a peer that has named itself. */
    void named() {
        if (most < CREDIT) {
            most = CREDIT;
            credit = CREDIT;
        }
    }

    /** Says that the peer was worked for, until now; waits if it was too much. */
    void worked(long nanos) throws InterruptedException {
        long now = System.nanoTime();
        credit = Math.min(most, credit + (now - last) / REFILL) - nanos;
        last = now;
        if (credit < 0) {
            crowd.acquire();
            try {
                // to wait is the purpose: a peer gets no more than its share
                Thread.sleep(Duration.ofNanos(2 * nanos));
            } finally {
                crowd.release();
            }
            credit = 0;
            last = System.nanoTime();
        }
    }
}
