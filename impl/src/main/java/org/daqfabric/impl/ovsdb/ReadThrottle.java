package org.daqfabric.impl.ovsdb;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.Credit;

/**
 * Limits the processor time of peers that send without a pause. The readers are virtual threads, which are not
 * preempted: one that always has something to read never leaves its processor, and one that yields runs again before
 * those that were just woken. So every peer has a credit of processor time. One that has used it up waits twice as long
 * as it was worked for, and only few such peers wait at a time, the others queue for their turn. All peers of an
 * address that no node of a fabric has share another credit, and wait for their turn before they are worked for.
 *
 * <p>No clock counts the processor time of a virtual thread. What passes on the wall is charged instead, but no more
 * than its bytes can cost: on a busy machine a reader waits for the processor and for locks, which is no fault of its
 * peer.
 */
final class ReadThrottle {
    /** Nanoseconds; enough to read the rows of a large node at once. */
    private static final long CREDIT = 50_000_000;
    private static final long UNIDENTIFIED_CREDIT = 5_000_000;
    /** Of a handshake of TLS, which waits for its peer in between. */
    private static final long HANDSHAKE = 3_000_000;

    /** The most that a byte costs to parse and to apply, some ten times what is usual; and what each reading may. */
    private static final long OF_BYTE = 1_000;
    private static final long OF_READING = 200_000;

    private final Semaphore slots;
    private final AddressCredits shared;
    private final InetAddress address;
    private final Credit credit = new Credit(UNIDENTIFIED_CREDIT, System.nanoTime());

    /** Throttles one peer, with slots that it shares with the others and the credit of its address. */
    ReadThrottle(Semaphore slots, AddressCredits shared, InetAddress address) {
        this.slots = slots;
        this.shared = shared;
        this.address = address;
    }

    /** For all peers of a driver: half the processors are left to those within their credit. */
    static Semaphore sharedSlots() {
        return new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    }

    /** Raises the credit of a peer that has named its system-id. */
    void identified() {
        credit.raise(CREDIT);
    }

    /**
     * Waits until it is the peer's turn among those of its address.
     *
     * @return whether it is; false if the connection has ended before
     */
    boolean awaitTurn(CountDownLatch ended) throws InterruptedException {
        long left = shared.turn(address, System.nanoTime());
        for (long step; left > 0 && shared.limits(address); left -= step) {
            step = Math.min(left, AddressCredits.STEP.toNanos());
            if (ended.await(step, TimeUnit.NANOSECONDS)) {
                shared.left(address, System.nanoTime());
                return false;
            }
        }
        return true;
    }

    /** It is about to exchange certificates. */
    void handshake() {
        shared.worked(address, HANDSHAKE, System.nanoTime());
    }

    /**
     * Charges the time spent on the peer until now; waits if its credit is used up.
     *
     * @param bytes that were worked on
     */
    void worked(long nanos, long bytes) throws InterruptedException {
        long cost = Math.min(nanos, OF_READING + bytes * OF_BYTE);
        shared.worked(address, cost, System.nanoTime());
        long pause = credit.worked(cost, System.nanoTime());
        if (pause > 0) {
            slots.acquire();
            try {
                // waiting is the purpose: a peer gets no more than its share
                Thread.sleep(Duration.ofNanos(pause));
            } finally {
                slots.release();
            }
        }
    }
}
