package org.daqfabric.impl.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one member knows of the lease. Its holder may change switches until {@link #LENGTH} after it began the newest
 * renewal that the store confirmed, which takes a majority of the members. A member that wants it waits until it has
 * seen the same renewal for longer than that. As a renewal is seen only after it was begun, two members never hold the
 * lease at the same time, however the cluster is partitioned and whatever the clocks show; the only assumption is that
 * clocks run at the same rate.
 *
 * <p>A value; times are nanoseconds of this member's own monotonic clock.
 *
 * @param renewed when this member began its newest confirmed renewal; empty if it does not hold the lease
 * @param seen the term that this member last saw in the store
 * @param seenAt since when it has seen no other term
 */
record Lease(Member member, String session, OptionalLong renewed, Optional<LeaseTerm> seen, long seenAt) {
    static final Duration LENGTH = Duration.ofSeconds(5);
    /** Added to the wait before taking the lease: for clocks of slightly different rates and messages in flight. */
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

    /** After this term was seen in the store. */
    Lease saw(Optional<LeaseTerm> term, long now) {
        return term.equals(seen) ? this : new Lease(member, session, renewed, term, now);
    }

    /** After a confirmed renewal. */
    Lease renewed(long began) {
        return new Lease(member, session, OptionalLong.of(began), seen, seenAt);
    }

    /** After the lease was given up or lost. */
    Lease without() {
        return new Lease(member, session, OptionalLong.empty(), seen, seenAt);
    }

    /** Whether no other member can hold it, as far as this one has seen; an earlier session of its own has ended. */
    boolean isFree(long now) {
        return seen.isEmpty() || seen.get().member().equals(member.name())
            || now - seenAt >= LENGTH.plus(MARGIN).toNanos();
    }

    /**
     * The term this member writes to take or renew the lease.
     *
     * @param stands the term in the store at this moment
     * @return empty if another may still hold it
     */
    Optional<LeaseTerm> claim(Optional<LeaseTerm> stands, long now, Instant clock) {
        Lease updated = saw(stands, now);
        if (!updated.isFree(now)) {
            return Optional.empty();
        }
        return Optional.of(stands.filter(this::isMine).map(LeaseTerm::renewed)
            .orElseGet(() -> new LeaseTerm(member.name(), member.address(), session, 1, clock)));
    }
}
