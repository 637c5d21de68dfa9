package org.daqfabric.impl.peers;

/**
 * How long the peers of one address may keep a processor busy, all together: a part of the time that passes becomes
 * credit, up to a limit. Where it is used up they wait for their turn, one after another.
 *
 * @param nanos of processor time that are left; negative if they were worked for in advance
 * @param at nanoseconds since any time, when that was so
 */
record AddressCredit(long nanos, long at) {
    /** Processor time that an address has at once: of a hundred new nodes behind it, or one large one. */
    static final long MOST = 100_000_000;

    /** An address that nobody has connected from lately. */
    static AddressCredit whole(long now) {
        return new AddressCredit(MOST, now);
    }

    /**
     * As it is at another time.
     *
     * @param part how many times slower than time credit grows
     */
    AddressCredit refilled(long now, int part) {
        return new AddressCredit(Math.min(MOST, nanos + Math.max(0, now - at) / part), now);
    }

    /** Peers of the address are, or were, worked for; a negative time gives back what was not needed. */
    AddressCredit used(long worked) {
        return new AddressCredit(Math.min(MOST, nanos - worked), at);
    }

    /** Nanoseconds until a peer that comes now has its turn; 0 if it has it at once. */
    long pause(int part) {
        return Math.max(0, -nanos) * part;
    }
}
