package org.daqfabric.impl.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.daqfabric.impl.async.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this member active for as long as it holds the lease. Any member takes the lease when it is free.
 *
 * <p>OpenDaylight's singleton service is not used. The member it has chosen stays active until it learns that another
 * was chosen, which is late when it is cut off; and the service chooses another only after a member has been removed
 * from the cluster, which must not be early, because that restarts the member. The lease alone is both safe and
 * quicker.
 */
public final class Leadership {
    /** How often to call {@link #tick()}. */
    public static final Duration TICK = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final long RELEASE_SECONDS = 2;
    /** How long to wait for the answer to a claim before the next one. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(5);
    /** How long a member whose role has failed leaves the lease to others. */
    static final Duration BARRED = Duration.ofSeconds(10);

    private final Member member;
    private final LeaseStore store;
    private final ActiveRole role;
    private final LongSupplier nanos;
    private final InstantSource clock;
    /** Written under this object's lock. */
    private volatile Lease lease;
    @GuardedBy("this")
    private boolean leaving;
    @GuardedBy("this")
    private boolean active;
    @GuardedBy("this")
    private boolean paused;
    /** When the claim that is not yet answered was sent. */
    @GuardedBy("this")
    private OptionalLong claimedAt = OptionalLong.empty();
    /** Whether the last claim failed, which is logged once. */
    @GuardedBy("this")
    private boolean claimFailed;
    /** When this member's role failed, until it may claim the lease again. */
    @GuardedBy("this")
    private OptionalLong roleFailedAt = OptionalLong.empty();
    /** Completes when the role that was ended last has stopped. */
    @GuardedBy("this")
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /**
     * Stands by.
     *
     * @param nanos a monotonic clock
     */
    public Leadership(Member member, LeaseStore store, ActiveRole role, LongSupplier nanos, InstantSource clock) {
        this.member = member;
        this.store = store;
        this.role = role;
        this.nanos = nanos;
        this.clock = clock;
        lease = Lease.of(member, UUID.randomUUID().toString(), nanos.getAsLong());
    }

    /** Whether this member may change switches at this very moment. Called by any thread. */
    public boolean maySend() {
        return lease.maySend(nanos.getAsLong());
    }

    /** Why this member does nothing, and who does. */
    public String standby() {
        return member.name() + " stands by: " + lease.seen().filter(term -> !lease.isMine(term))
            .map(term -> "ask " + term.member() + " at " + term.address() + ", which is active")
            .orElse("no member is active at this moment, try again");
    }

    /** Who is active, as far as this member knows. */
    public Optional<LeaseTerm> holder() {
        return lease.seen();
    }

    /** The store shows another term. */
    public synchronized void saw(Optional<LeaseTerm> term) {
        lease = lease.saw(term, nanos.getAsLong());
        if (active && term.isPresent() && !lease.isMine(term.get())) {
            LOG.warn("{}: {} has taken the lease", member.name(), term.get().member());
            end();
        }
    }

    /** Renews the lease or takes it if it is free, and pauses when it cannot be renewed. */
    public void tick() {
        long now = nanos.getAsLong();
        synchronized (this) {
            if (active && !paused && !maySend()) {
                LOG.warn("{} cannot renew its lease: nothing is sent to switches until it can", member.name());
                paused = true;
                role.pause();
            }
            boolean waits = claimedAt.isPresent() && now - claimedAt.getAsLong() < CLAIM_TIMEOUT.toNanos();
            if (roleFailedAt.isPresent() && now - roleFailedAt.getAsLong() >= BARRED.toNanos()) {
                roleFailedAt = OptionalLong.empty();
            }
            if (leaving || roleFailedAt.isPresent() || waits || !ended.isDone() || !active && !lease.isFree(now)) {
                return;
            }
            claimedAt = OptionalLong.of(now);
        }
        claim(now);
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a store that fails at once has failed like any other
    private void claim(long began) {
        try {
            store.claim(stands -> {
                saw(stands);
                return lease.claim(stands, nanos.getAsLong(), clock.instant());
            }).whenComplete((stands, failure) -> answered(began, stands, failure));
        } catch (RuntimeException e) {
            answered(began, null, e);
        }
    }

    private synchronized void answered(long began, Optional<LeaseTerm> stands, Throwable failure) {
        claimedAt = OptionalLong.empty();
        if (failure != null) {
            if (!claimFailed) {
                LOG.warn("{}: the lease could not be claimed or renewed; trying again: {}", member.name(),
                    Causes.inWords(failure));
            }
            claimFailed = true;
            return;
        }
        claimFailed = false;
        saw(stands);
        boolean mine = stands.isPresent() && lease.isMine(stands.get());
        if (leaving) {
            if (mine) {
                store.release(lease.session());
            }
        } else if (mine && stands.get().renewals() == 1) {
            // when the datastore's leader changes, it may apply a claim again, over one that came in between: a member
            // overtaken in this way learns of it before this one has renewed once, and only then becomes active
            LOG.debug("{} has claimed the lease", member.name());
        } else if (mine) {
            lease = lease.renewed(began);
            if (maySend()) {
                holdsLease();
            }
        } else if (active) {
            LOG.warn("{}: {} has taken the lease", member.name(), stands.map(LeaseTerm::member).orElse("nobody"));
            end();
        }
    }

    @GuardedBy("this")
    private void holdsLease() {
        if (!active) {
            LOG.info("{} is active", member.name());
            active = true;
            orGiveUp(role::begin);
        } else if (paused) {
            LOG.info("{} has renewed its lease and continues", member.name());
            orGiveUp(role::resume);
        }
        paused = false;
    }

    /** A member must not hold the lease and do nothing: if it cannot do its part, another one shall. */
    @GuardedBy("this")
    @SuppressWarnings("checkstyle:illegalCatch") // an Error, too, would leave the lease here for good
    private void orGiveUp(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.error("{} cannot be active: it gives the lease back, and claims it again after {} s at the earliest",
                member.name(), BARRED.toSeconds(), e);
            roleFailedAt = OptionalLong.of(nanos.getAsLong());
            end().whenComplete((done, failure) -> store.release(lease.session()));
        }
    }

    @GuardedBy("this")
    private CompletableFuture<Void> end() {
        lease = lease.without();
        if (active) {
            LOG.info("{} stands by", member.name());
            active = false;
            paused = false;
            ended = role.end().toCompletableFuture();
        }
        return ended;
    }

    /**
     * Stands by for good, and lets another member begin at once.
     *
     * @return fails if the lease could not be released; then another begins when it has run out
     */
    public synchronized CompletionStage<Void> close() {
        leaving = true;
        return end().thenCompose(done -> store.release(lease.session()))
            .orTimeout(RELEASE_SECONDS, TimeUnit.SECONDS);
    }
}
