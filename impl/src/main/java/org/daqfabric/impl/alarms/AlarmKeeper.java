package org.daqfabric.impl.alarms;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.async.InOrder;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.doctor.Diagnosis;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the list of alarms of the active controller: evaluates what is known, tells who listens, and stores the list.
 */
public final class AlarmKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmKeeper.class);
    /** How long a controller that is stopped waits for the store. */
    private static final Duration STORE_LIMIT = Duration.ofSeconds(5);
    /** How long the store may take for what an operator does before the next one has his turn. */
    private static final Duration STEP_LIMIT = Duration.ofSeconds(10);

    private final Supplier<Optional<DiagnosisInput>> input;
    private final AlarmStore store;
    private final List<AlarmListener> listeners;
    private final Clocks clocks;
    /** What operators do, one after another: each goes on from what the one before has stored. */
    private final InOrder steps = new InOrder(Runnable::run, STEP_LIMIT);
    /** Null while it is not known what is stored, and while another member is active. */
    @GuardedBy("this")
    private @Nullable AlarmList list;
    @GuardedBy("this")
    private AlarmList stored = AlarmList.EMPTY;
    /** The alarms that the store may hold, also by writes of which it is not known whether they took effect. */
    @GuardedBy("this")
    private final Set<AlarmId> held = new TreeSet<>();
    @GuardedBy("this")
    private Settling settling = new Settling(Instant.MIN);
    @GuardedBy("this")
    private StorePace pace = StorePace.NEW;
    /** Those of which the store may have something else than {@link #stored}, after a write that failed. */
    @GuardedBy("this")
    private final Set<AlarmId> uncertain = new TreeSet<>();
    /** Number of writes without an answer. */
    @GuardedBy("this")
    private int storing;
    /** Counts beginnings and ends: an answer that is late belongs to an earlier one. */
    @GuardedBy("this")
    private int term;
    @GuardedBy("this")
    private boolean active;
    @GuardedBy("this")
    private boolean loading;
    private volatile List<Alarm> newest = List.of();

    /**
     * Knows no alarms until {@link #begin()}.
     *
     * @param input what is known now; empty while that is too little
     * @param listeners are told in this order
     */
    public AlarmKeeper(Supplier<Optional<DiagnosisInput>> input, AlarmStore store, List<AlarmListener> listeners,
            Clocks clocks) {
        this.input = input;
        this.store = store;
        this.listeners = List.copyOf(listeners);
        this.clocks = clocks;
    }

    /** This controller is active from now on. */
    public synchronized void begin() {
        term++;
        active = true;
        list = null;
        storing = 0;
        loading = false;
        pace = StorePace.NEW;
        settling = new Settling(clocks.steady().instant());
    }

    /** Another controller goes on with the list. */
    public synchronized void end() {
        term++;
        active = false;
        list = null;
        newest = List.of();
        listeners.forEach(AlarmListener::ended);
    }

    /**
     * Stores what waits for its time, and does not return before: the controller is being stopped, and goes on with
     * this list when it starts again.
     */
    @Override
    public void close() throws InterruptedException {
        CompletableFuture<Void> stores;
        synchronized (this) {
            stores = list == null ? CompletableFuture.completedFuture(null)
                : save(list, () -> { }).toCompletableFuture();
        }
        try {
            stores.get(STORE_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The last changes of alarms could not be stored; the next start finds again what is wrong: {}",
                Causes.inWords(e));
        }
    }

    /** All alarms, by resource; none while this controller is not active, or has not read what is stored. */
    public List<Alarm> now() {
        return newest;
    }

    private synchronized boolean isActive() {
        return active;
    }

    /** The task, which does nothing while another controller is active. */
    public Runnable ifActive(Runnable task) {
        return () -> {
            if (isActive()) {
                task.run();
            }
        };
    }

    /** Whether this controller has the list at present. */
    public synchronized boolean isKnown() {
        return list != null;
    }

    /** Evaluates what is known now. Called periodically. */
    public void evaluate() {
        if (isReady()) {
            input.get().ifPresent(this::evaluate);
        }
    }

    private synchronized boolean isReady() {
        if (active && list == null && !loading) {
            load();
        }
        return list != null;
    }

    @GuardedBy("this")
    private void load() {
        loading = true;
        int asked = term;
        store.load().whenComplete((found, failure) -> loaded(asked, found, failure));
    }

    private synchronized void loaded(int asked, List<Alarm> found, @Nullable Throwable failure) {
        if (asked != term) {
            return;
        }
        loading = false;
        if (failure != null) {
            LOG.warn("The stored alarms could not be read, trying again: {}", Causes.inWords(failure));
            return;
        }
        list = AlarmList.of(found);
        stored = list;
        uncertain.clear();
        held.clear();
        held.addAll(list.alarms().keySet());
        tell();
    }

    private synchronized void evaluate(DiagnosisInput known) {
        if (list == null) {
            return;
        }
        Instant now = clocks.steady().instant();
        settling.saw(known.fabrics(), now);
        AlarmList.Step step = list.evaluated(Diagnosis.alarms(known), settling::isJudged,
            clocks.wall().instant());
        if (!step.changed().isEmpty()) {
            list = step.next();
            tell();
            step.changed().forEach(each -> listeners.forEach(listener -> listener.statusChanged(each)));
        }
        if (storing == 0 && pace.allows(now)) {
            save(list, () -> { });
        }
    }

    @GuardedBy("this")
    private void tell() {
        newest = list.all();
        listeners.forEach(listener -> listener.listChanged(newest));
    }

    /**
     * Stores what is different from what is stored.
     *
     * @param done runs when it is stored, before anything else can be
     */
    @GuardedBy("this")
    private CompletionStage<Void> save(AlarmList target, Runnable done) {
        AlarmList there = stored;
        List<Alarm> put = target.alarms().values().stream()
            .filter(each -> !each.equals(there.alarms().get(each.id())) || uncertain.contains(each.id())).toList();
        List<AlarmId> delete = held.stream().filter(each -> !target.alarms().containsKey(each)).toList();
        if (put.isEmpty() && delete.isEmpty()) {
            done.run();
            return CompletableFuture.completedFuture(null);
        }
        pace = pace.wrote(clocks.steady().instant());
        storing++;
        List<AlarmId> written = Stream.concat(put.stream().map(Alarm::id), delete.stream()).toList();
        held.addAll(written);
        int asked = term;
        return store.change(put, delete)
            .whenComplete((unused, failure) -> saved(asked, target, written, done, failure));
    }

    private synchronized void saved(int asked, AlarmList target, List<AlarmId> written, Runnable done,
            @Nullable Throwable failure) {
        if (asked != term) {
            return;
        }
        storing--;
        if (failure == null) {
            stored = target;
            uncertain.removeAll(written);
            done.run();
            AlarmList now = list;
            written.stream().filter(each -> !target.alarms().containsKey(each) && !now.alarms().containsKey(each))
                .forEach(held::remove);
        } else {
            uncertain.addAll(written);
            LOG.warn("The alarms could not be stored, trying again: {}", Causes.inWords(failure));
        }
    }

    /**
     * Sets the state of alarms and stores it.
     *
     * @param operator who; may be empty
     * @param text why; may be empty
     * @return the alarms that were chosen, as they are then
     */
    public CompletionStage<List<Alarm>> operate(Predicate<AlarmId> which, OperatorState state, String operator,
            String text) {
        Instant time = clocks.wall().instant();
        return step(known -> known.operated(which, state, operator, text, time), true)
            .thenApply(changed -> now().stream().filter(each -> which.test(each.id())).toList());
    }

    /**
     * Removes cleared alarms.
     *
     * @return those it removed
     */
    public CompletionStage<List<Alarm>> purge(Predicate<Alarm> which) {
        return step(known -> known.purged(which), false);
    }

    /** Changes the list as soon as that is stored; what cannot be stored changes nothing. */
    private CompletionStage<List<Alarm>> step(Function<AlarmList, AlarmList.Step> change, boolean byOperator) {
        return steps.then(() -> store(change, byOperator));
    }

    private synchronized CompletableFuture<List<Alarm>> store(Function<AlarmList, AlarmList.Step> change,
            boolean byOperator) {
        if (list == null) {
            return CompletableFuture.failedFuture(new StandbyException(
                "this controller does not keep the alarms now: another is active, or it is just starting"));
        }
        AlarmList.Step step = change.apply(list);
        return save(step.next(), () -> changed(change, byOperator)).handle((done, failure) -> {
            if (failure != null) {
                throw new IllegalStateException("nothing was changed, as it could not be stored: "
                    + Causes.inWords(Causes.of(failure)), failure);
            }
            return step.changed();
        }).toCompletableFuture();
    }

    /** What is stored becomes true of the list, which may have changed meanwhile. */
    private synchronized void changed(Function<AlarmList, AlarmList.Step> change, boolean byOperator) {
        AlarmList.Step step = change.apply(list);
        list = step.next();
        tell();
        if (byOperator) {
            step.changed().forEach(each -> listeners.forEach(listener -> listener.operatorActed(each)));
        }
    }
}
