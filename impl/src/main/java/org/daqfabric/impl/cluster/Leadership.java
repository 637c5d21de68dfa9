package org.daqfabric.impl.cluster;

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
 * Makes this member active for as long as it holds the lease, which any member takes that sees nobody hold it.
 *
 * <p>OpenDaylight's singleton service is not asked. Whom it chose goes on until it hears that another was chosen, which is
 * late when it is cut off; and it chooses another only after a member was given up for good, which must not be early, for
 * that restarts the member. The lease alone is both safe and quicker.
 */
public final class Leadership {
    /** How often {@link #tick()} is to be called. */
    public static final Duration TICK = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final long RELEASE_SECONDS = 2;
    /** After how long a question that was not answered is asked anew. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Member member;
    private final LeaseStore store;
    private final ActiveRole activity;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private volatile Lease lease;
    private boolean leaving;
    private boolean active;
    private boolean paused;
    private OptionalLong asking = OptionalLong.empty();
    private boolean troubled;
    /** When what was ended last has ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /**
     * Stands by.
     *
     * @param nanos a clock that never steps
     */
    public Leadership(Member member, LeaseStore store, ActiveRole activity, LongSupplier nanos, InstantSource clock) {
        this.member = member;
        this.store = store;
        this.activity = activity;
        this.nanos = nanos;
        this.clock = clock;
        lease = Lease.of(member, UUID.randomUUID().toString(), nanos.getAsLong());
    }

    /** Whether this member may change switches at this very moment. Of any thread. */
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

    /** Renews the lease, or takes it if nobody holds it, and looks whether it still holds. */
    public void tick() {
        long now = nanos.getAsLong();
        synchronized (this) {
            if (active && !paused && !maySend()) {
                LOG.warn("{} cannot renew its lease: nothing is sent to switches until it can", member.name());
                paused = true;
                activity.pause();
            }
            boolean waits = asking.isPresent() && now - asking.getAsLong() < PATIENCE.toNanos();
            if (leaving || waits || !ended.isDone() || !active && !lease.isFree(now)) {
                return;
            }
            asking = OptionalLong.of(now);
        }
        ask(now);
    }

    private void ask(long began) {
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
        asking = OptionalLong.empty();
        if (failure != null) {
            if (!troubled) {
                LOG.warn("{}: the lease could not be had or renewed; trying again: {}", member.name(),
                    Causes.inWords(failure));
            }
            troubled = true;
            return;
        }
        troubled = false;
        saw(stands);
        boolean mine = stands.isPresent() && lease.isMine(stands.get());
        if (leaving) {
            if (mine) {
                store.release(lease.session());
            }
        } else if (mine && stands.get().renewals() == 1) {
            // where the datastore's leader changes it may carry out a claim anew, over one that came between: whoever is
            // overtaken so hears of it before this one has said once more that it is active
            LOG.debug("{} has claimed the lease", member.name());
        } else if (mine) {
            lease = lease.renewed(began);
            if (maySend()) {
                hold();
            }
        } else if (active) {
            LOG.warn("{}: {} has taken the lease", member.name(), stands.map(LeaseTerm::member).orElse("nobody"));
            end();
        }
    }

    private void hold() {
        if (!active) {
            LOG.info("{} is active", member.name());
            active = true;
            activity.begin();
        } else if (paused) {
            LOG.info("{} renewed its lease and goes on", member.name());
            activity.resume();
        }
        paused = false;
    }

    private CompletableFuture<Void> end() {
        lease = lease.without();
        if (active) {
            LOG.info("{} stands by", member.name());
            active = false;
            paused = false;
            ended = activity.end().toCompletableFuture();
        }
        return ended;
    }

    /**
     * Stands by for good, and lets another member begin at once.
     *
     * @return fails if that could not be told; then another begins when the lease is over
     */
    public synchronized CompletionStage<Void> close() {
        leaving = true;
        return end().thenCompose(done -> store.release(lease.session()))
            .orTimeout(RELEASE_SECONDS, TimeUnit.SECONDS);
    }
}
