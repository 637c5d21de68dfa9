package org.daqfabric.impl.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one member knows of the lease: who holds it may change switches until {@link #LENGTH} after it began the newest
 * renewal that the store confirmed, which takes a majority of the members. Who wants it waits until it has seen the same
 * renewal for longer than that. Since a renewal is seen after it was begun, no two ever hold it at a time, however the
 * members are cut from each other and whatever their clocks say; only that clocks go at the same pace is relied on.
 *
 * <p>A value; times are nanoseconds of this member's own clock.
 *
 * @param renewed when this member began its newest confirmed renewal; empty if it does not hold the lease
 * @param seen what stood in the store when it last looked
 * @param seenAt since when it has seen no other than that
 */
record Lease(Member member, String session, OptionalLong renewed, Optional<LeaseTerm> seen, long seenAt) {
    static final Duration LENGTH = Duration.ofSeconds(5);
    /** What a taker waits longer, for clocks that do not go at quite the same pace and messages that are on their way. */
    static final Duration MARGIN = Duration.ofSeconds(1);

    static Lease of(Member member, String session, long now) {
        return new Lease(member, session, OptionalLong.empty(), Optional.empty(), now);
    }

    boolean maySend(long now) {
        return renewed.isPresent() && now - renewed.getAsLong() < LENGTH.toNanos();
    }

    boolean isMine(LeaseTerm term) {
        return term.session().equals(session);
    }

    /** After a look at the store. */
    Lease saw(Optional<LeaseTerm> term, long now) {
        return term.equals(seen) ? this : new Lease(member, session, renewed, term, now);
    }

    /** After a renewal that was confirmed. */
    Lease renewed(long began) {
        return new Lease(member, session, OptionalLong.of(began), seen, seenAt);
    }

    /** After it was given up or lost. */
    Lease without() {
        return new Lease(member, session, OptionalLong.empty(), seen, seenAt);
    }

    /** Whether nobody else can hold it, as far as this member has seen; a former life of its own has ended. */
    boolean isFree(long now) {
        return seen.isEmpty() || seen.get().member().equals(member.name())
            || now - seenAt >= LENGTH.plus(MARGIN).toNanos();
    }

    /**
     * What this member writes to hold the lease, or to go on holding it.
     *
     * @param stands what stands in the store at this moment
     * @return empty if another may still hold it
     */
    Optional<LeaseTerm> claim(Optional<LeaseTerm> stands, long now, Instant clock) {
        Lease looked = saw(stands, now);
        if (!looked.isFree(now)) {
            return Optional.empty();
        }
        return Optional.of(stands.filter(this::isMine).map(LeaseTerm::renewed)
            .orElseGet(() -> new LeaseTerm(member.name(), member.address(), session, 1, clock)));
    }
}
