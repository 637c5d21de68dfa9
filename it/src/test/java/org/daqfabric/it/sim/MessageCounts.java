package org.daqfabric.it.sim;

import java.util.Arrays;

/** Counts the messages that switches receive; times are those of {@link System#nanoTime()}. */
public final class MessageCounts {
    private final long[] received = new long[OpenFlow.TYPES];
    private long[] barriers = new long[16];
    private int barrierCount;
    private boolean unconfirmed;
    private long lastChange;
    private long errors;

    void received(final int type) {
        if (type < received.length) {
            received[type]++;
        }
        if (type == OpenFlow.FLOW_MOD || type == OpenFlow.GROUP_MOD) {
            lastChange = System.nanoTime();
            unconfirmed = true;
        }
    }

    /** Records the time, if the barrier confirms a change. */
    void barrierAnswered() {
        if (!unconfirmed) {
            return;
        }
        unconfirmed = false;
        if (barrierCount == barriers.length) {
            barriers = Arrays.copyOf(barriers, 2 * barrierCount);
        }
        barriers[barrierCount++] = System.nanoTime();
    }

    void refused() {
        errors++;
    }

    void reset() {
        Arrays.fill(received, 0);
        barrierCount = 0;
        lastChange = 0;
        unconfirmed = false;
        errors = 0;
    }

    void add(final MessageCounts other) {
        for (int type = 0; type < received.length; type++) {
            received[type] += other.received[type];
        }
        for (int at = 0; at < other.barrierCount; at++) {
            if (barrierCount == barriers.length) {
                barriers = Arrays.copyOf(barriers, 2 * barrierCount);
            }
            barriers[barrierCount++] = other.barriers[at];
        }
        lastChange = Math.max(lastChange, other.lastChange);
        unconfirmed |= other.unconfirmed;
        errors += other.errors;
    }

    /** Messages that change rules. */
    public long rules() {
        return received[OpenFlow.FLOW_MOD];
    }

    /** Messages that change groups. */
    public long groups() {
        return received[OpenFlow.GROUP_MOD];
    }

    /** Messages that change rules or groups. */
    public long changes() {
        return rules() + groups();
    }

    public long barriers() {
        return received[OpenFlow.BARRIER_REQUEST];
    }

    /** Packet-out messages. */
    public long packets() {
        return received[OpenFlow.PACKET_OUT];
    }

    /** Requests for descriptions and statistics. */
    public long multipartRequests() {
        return received[OpenFlow.MULTIPART_REQUEST];
    }

    public long errors() {
        return errors;
    }

    /** When the last change of a rule or group arrived; 0 for never. */
    public long lastChange() {
        return lastChange;
    }

    /** Whether changes have arrived that no barrier has confirmed yet. */
    public boolean hasUnconfirmedChanges() {
        return unconfirmed;
    }

    /** When the last barrier that confirmed changes was answered, by that time at the latest; 0 for none. */
    public long lastBarrier(final long until) {
        return Arrays.stream(barriers, 0, barrierCount).filter(time -> time - until <= 0).max().orElse(0);
    }

    /** When the last barrier that confirmed changes was answered; 0 for never. */
    public long lastBarrier() {
        return Arrays.stream(barriers, 0, barrierCount).max().orElse(0);
    }

    @Override
    public String toString() {
        return rules() + " rules, " + groups() + " groups, " + barriers() + " barriers, " + multipartRequests()
            + " multipart requests, "
            + packets() + " packets, " + errors + " errors";
    }
}
