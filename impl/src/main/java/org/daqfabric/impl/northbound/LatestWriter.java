package org.daqfabric.impl.northbound;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Futures;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the newest of many values into a datastore: at most one transaction at a time, and of the values that arrive
 * meanwhile only the newest. A write that fails, or that the datastore does not answer, is repeated.
 *
 * @param <T> the values; immutable
 */
public final class LatestWriter<T> {
    /** When a write counts as failed: a datastore whose leader changes may never answer it. */
    public static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(LatestWriter.class);
    private static final long RETRY_SECONDS = 1;

    private final String what;
    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    private final Duration limit;
    private final Duration pause;
    private final Difference<T> difference;
    @GuardedBy("this")
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    @GuardedBy("this")
    private @Nullable T wanted;
    /** What the datastore holds; null if that is not known. */
    @GuardedBy("this")
    private @Nullable T written;
    @GuardedBy("this")
    private boolean writing;
    /** When the last write was begun, by the system's timer. */
    @GuardedBy("this")
    private long begun;
    /** Whether a write was stored that had been given up. */
    @GuardedBy("this")
    private boolean doubtful;
    @GuardedBy("this")
    private boolean ended;

    /** Writes what a value changes. */
    public interface Difference<T> {
        /**
         * Fills a transaction.
         *
         * @param before what the datastore holds; null if that is not known
         */
        void write(WriteTransaction tx, @Nullable T before, T target);
    }

    /**
     * Has nothing to write yet.
     *
     * @param what is written, to begin a message with
     * @param executor where transactions are made; not shut down by {@link #end()}
     * @param limit when a write that is not answered counts as failed
     */
    LatestWriter(String what, DataBroker broker, ScheduledExecutorService executor, Duration limit,
            Difference<T> difference) {
        this(what, broker, executor, limit, Duration.ZERO, difference);
    }

    /**
     * Has nothing to write yet.
     *
     * @param what is written, to begin a message with
     * @param executor where transactions are made; not shut down by {@link #end()}
     * @param limit when a write that is not answered counts as failed
     * @param pause the least time from the beginning of one write to that of the next
     */
    public LatestWriter(String what, DataBroker broker, ScheduledExecutorService executor, Duration limit,
            Duration pause, Difference<T> difference) {
        this.what = what;
        this.broker = broker;
        this.executor = executor;
        this.limit = limit;
        this.pause = pause;
        this.difference = difference;
        begun = System.nanoTime() - pause.toNanos();
    }

    public synchronized void want(T value) {
        wanted = value;
        begin(0);
    }

    /** Completes when every value wanted so far, or a newer one, is in the datastore. */
    public synchronized CompletableFuture<Void> whenWritten() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(done);
        begin(0);
        return done;
    }

    /** Writes nothing more. */
    public synchronized void end() {
        ended = true;
    }

    @GuardedBy("this")
    private void begin(long delaySeconds) {
        if (writing || ended) {
            return;
        }
        writing = true;
        long rest = pause.toNanos() - (System.nanoTime() - begun);
        try {
            executor.schedule(this::write, Math.max(TimeUnit.SECONDS.toNanos(delaySeconds), rest),
                TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: not written, the application is stopping", what, e);
        }
    }

    private void write() {
        T target;
        T before;
        synchronized (this) {
            if (ended) {
                return;
            }
            target = wanted;
            before = written;
            begun = System.nanoTime();
        }
        if (target == null || target.equals(before)) {
            answered(target, null);
            return;
        }
        CompletableFuture<?> commit = commit(before, target);
        commit.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).whenComplete((done, failure) -> {
            if (failure instanceof TimeoutException) {
                commit.thenRun(this::storedLate);
            }
            answered(target, failure);
        });
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a write that cannot begin has failed like any other
    private CompletableFuture<?> commit(@Nullable T before, T target) {
        try {
            WriteTransaction tx = broker.newWriteOnlyTransaction();
            difference.write(tx, before, target);
            return Futures.completable(tx.commit());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(@Nullable T target, @Nullable Throwable failure) {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        synchronized (this) {
            writing = false;
            if (failure != null) {
                LOG.warn("{} could not be written, trying again in {} s: {}", what, RETRY_SECONDS,
                    failure instanceof TimeoutException ? "no answer for " + limit.toSeconds() + " s"
                        : Causes.inWords(failure));
                written = null;
                begin(RETRY_SECONDS);
                return;
            }
            written = doubtful ? null : target;
            doubtful = false;
            if (written != wanted) {
                begin(0);
                return;
            }
            done.addAll(waiting);
            waiting.clear();
        }
        done.forEach(each -> each.complete(null));
    }

    /** What is in the datastore may be older than what was written last. */
    private synchronized void storedLate() {
        if (writing) {
            doubtful = true;
        } else {
            written = null;
            begin(0);
        }
    }
}
