package org.daqfabric.impl.openflow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.daqfabric.impl.engine.doctor.Pace;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Finds switches whose ovs-vswitchd has no time: one thread of it answers, sends BFD and changes groups when a port
 * fails, so what delays its answers delays the failover. Each is asked for a barrier once a second, of which nothing
 * but the time is used. It is asked, and the time taken, in the thread that reads its answers: a controller that has no
 * time itself then comes late to both, which {@link Pace} does not count. What this controller has a switch do may take
 * its time. Thread-safe.
 */
final class LateSwitches {
    /** One that connects after such a time, in ns, has answered: its node may have been switched off. */
    private static final long FORGOTTEN = TimeUnit.SECONDS.toNanos(20);

    private final Supplier<Map<Long, SwitchWay>> used;
    private final LongPredicate known;
    private final LongSupplier nanos;
    private final Map<Long, Watched> watched = new ConcurrentHashMap<>();

    /**
     * Has asked nobody yet.
     *
     * @param used the connection in use of each switch, by datapath-id
     * @param known whether a fabric has a switch; others are not asked
     * @param nanos a clock that nobody sets
     */
    LateSwitches(final Supplier<Map<Long, SwitchWay>> used, final LongPredicate known, final LongSupplier nanos) {
        this.used = used;
        this.known = known;
        this.nanos = nanos;
    }

    /** Has each switch asked; called every {@link Pace#ROUND}. */
    void round() {
        final var ways = used.get();
        // one that is late and loses its connection is still late: it has not answered
        watched.entrySet().removeIf(each -> !known.test(each.getKey())
            || !ways.containsKey(each.getKey()) && !each.getValue().isLate());
        ways.forEach((id, way) -> {
            if (known.test(id)) {
                final var each = watched(id);
                way.reader().execute(() -> each.ask(way.session()));
            }
        });
    }

    /** The switches that answer late, by datapath-id. */
    Set<Long> now() {
        final Set<Long> late = new TreeSet<>();
        watched.forEach((id, each) -> {
            if (each.isLate()) {
                late.add(id);
            }
        });
        return late;
    }

    /** A switch does something for this controller that may take so long; questions meanwhile wait for that. */
    <F extends CompletionStage<?>> F during(final long datapathId, final long millis, final F work) {
        final var busy = watched(datapathId).busy;
        final long longest = TimeUnit.MILLISECONDS.toNanos(millis);
        busy.addAndGet(longest);
        work.whenComplete((done, failure) -> busy.addAndGet(-longest));
        return work;
    }

    private Watched watched(final long datapathId) {
        return watched.computeIfAbsent(datapathId, id -> new Watched());
    }

    /**
     * An open question.
     *
     * @param allowed nanoseconds that the answer may take
     * @param answered when it was
     */
    private record Question(SwitchSession session, long allowed, CompletableFuture<Long> answered) {
        boolean isVoid(final SwitchSession now) {
            return session != now || answered.isCompletedExceptionally();
        }
    }

    /** One switch. */
    private final class Watched {
        /** Nanoseconds that what it is doing for this controller may take. */
        private final AtomicLong busy = new AtomicLong();
        @GuardedBy("this")
        private Pace pace = Pace.PROMPT;
        @GuardedBy("this")
        private @Nullable Question open;
        @GuardedBy("this")
        private long last;

        synchronized boolean isLate() {
            return pace.late();
        }

        /** Looks at the answer, and asks again unless the question is still open. */
        synchronized void ask(final SwitchSession session) {
            final long now = nanos.getAsLong();
            final long passed = now - last;
            final var question = open;
            last = now;
            if (question == null || question.isVoid(session)) {
                pace = passed > FORGOTTEN ? Pace.PROMPT : pace.unasked();
            } else if (question.answered.isDone()) {
                pace = pace.answered(question.answered.join() - now + passed, question.allowed);
            } else {
                pace = pace.unanswered(passed, question.allowed);
                return;
            }
            open = new Question(session, Pace.PROMPTLY + busy.get(),
                session.send(List.of()).thenApply(refused -> nanos.getAsLong()));
        }
    }
}
