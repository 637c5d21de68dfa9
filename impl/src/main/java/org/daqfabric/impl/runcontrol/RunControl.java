package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.async.SerialLoop;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves run controllers: decides one request at a time, stores the decision and then acts on it. Between requests it
 * assesses every partition again whenever a fabric has changed. Everything runs on one event loop of its own.
 */
public final class RunControl implements RunHooks {
    private static final Logger LOG = LoggerFactory.getLogger(RunControl.class);
    /** How long start-run waits for the fabric to settle; the answer must come within a second. */
    private static final Duration SETTLE_TIMEOUT = Duration.ofMillis(700);
    /**
     * How long an answer waits until the state it reports can be read; a stalled datastore must not stall run control.
     */
    private static final Duration PUBLISH_TIMEOUT = Duration.ofMillis(250);
    private static final Duration LOAD_RETRY = Duration.ofSeconds(1);
    /** Within this time every request is answered, and no request holds up the others for longer. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final FabricControl fabrics;
    private final RunStore store;
    private final RunListener listener;
    private final InstantSource clock;
    private final Timer timer;
    private final SerialLoop loop;
    private final PartitionRegistry registry = new PartitionRegistry();
    private final PartitionWatch watch;
    private final CompletableFuture<Void> loaded = new CompletableFuture<>();
    private final OpenRequests requests = new OpenRequests();
    private final Deque<Pending> queue = new ArrayDeque<>();
    /** The request in progress; null if there is none. */
    private @Nullable Pending current;
    private volatile boolean closed;

    private record Pending(Request request, CompletableFuture<Answer> answer) {
    }

    /** Starts by loading the stored partitions. */
    public RunControl(FabricControl fabrics, RunStore store, RunListener listener, EventLog events, Clocks clocks,
            Timer timer, Executor executor) {
        this.fabrics = fabrics;
        this.store = store;
        this.listener = listener;
        clock = clocks.wall();
        this.timer = timer;
        watch = new PartitionWatch(registry, this::persist, delay -> after(delay, () -> { }), listener, events, clocks);
        loop = new SerialLoop(executor, this::settle, () -> { });
        loop.post("run control: start", this::load);
    }

    private void load() {
        onLoop(store.load(), (stored, failure) -> {
            if (failure != null) {
                LOG.warn("cannot read the stored partitions; requests of run controllers wait until it succeeds, "
                    + "trying again: {}", Causes.inWords(failure));
                after(LOAD_RETRY, this::load);
                return;
            }
            stored.forEach(partition -> {
                registry.put(partition);
                if (!partition.isIdle()) {
                    LOG.info("partition {} loaded: {}", partition.name(), RunEvent.describe(partition));
                }
                if (partition.works()) {
                    watch.begin(partition.name());
                    // the fabric got its directive when it was activated
                    watch.markPlaced(partition.name());
                }
            });
            // before a request has its turn, while which nothing is reported
            watch.update();
            loaded.complete(null);
            next();
        });
    }

    /** Done when the stored partitions are known, and their states can be read: one without a state is idle then. */
    public CompletionStage<Void> known() {
        return loaded.thenCompose(done -> listener.published());
    }

    /** Queues a request; requests are answered in order of arrival. */
    public CompletionStage<Answer> ask(Request request) {
        CompletableFuture<Answer> answer = requests.open();
        Pending pending = new Pending(request, answer);
        after(LIMIT, () -> giveUp(pending));
        post("run control: " + request.rpc(), () -> {
            queue.add(pending);
            next();
        });
        return answer;
    }

    /** A request that is not done by now is not carried out; those after it have their turn. */
    private void giveUp(Pending pending) {
        boolean waits = queue.remove(pending);
        if (waits || current == pending) {
            LOG.warn("{} of partition {} is given up: the datastore does not answer", pending.request().rpc(),
                pending.request().partition());
            TimeoutException late = new TimeoutException(pending.request().rpc() + " could not be stored within "
                + LIMIT.toSeconds() + " s and is not carried out: ask again, with the same request-id");
            if (waits) {
                pending.answer().completeExceptionally(late);
            } else {
                fail(pending, late);
            }
        }
    }

    /** Stops; another member of the cluster, or the next start, continues from the stored partitions. */
    public void close() {
        closed = true;
        loop.post("run control: end", () -> {
            requests.end();
            loaded.completeExceptionally(new UnansweredException());
        });
    }

    private void post(String what, Runnable task) {
        loop.post(what, () -> {
            if (!closed) {
                task.run();
            }
        });
    }

    /** Why the configuration of a fabric must not change now; empty if it may. */
    public Optional<String> frozenBy(String fabric) {
        return registry.frozenBy(fabric);
    }

    @Override
    public CompletionStage<RunDirective> directive(String fabric) {
        CompletableFuture<RunDirective> directive = new CompletableFuture<>();
        loaded.thenRun(() -> post("run control: " + fabric + " is activated",
            () -> directive.complete(registry.directive(fabric))));
        return directive;
    }

    @Override
    public CompletionStage<List<DropEpisode>> withRuns(String fabric, List<DropEpisode> episodes) {
        CompletableFuture<List<DropEpisode>> found = new CompletableFuture<>();
        loaded.thenRun(() -> post("run control: " + fabric + " dropped packets", () -> found.complete(episodes.stream()
            .map(each -> each.in(registry.runAt(fabric, each.dcm(), each.began()))).toList())));
        return found;
    }

    @Override
    public void changed(FabricStatus status) {
        post("run control: fabric status", () -> watch.observe(status));
    }

    @Override
    public void removed(String fabric) {
        post("run control: " + fabric + " is removed", () -> {
            watch.removed(fabric);
            registry.all().stream().filter(partition -> !partition.isIdle() && partition.fabric().equals(fabric))
                .forEach(partition -> persist(partition.failed("fabric " + fabric
                + " was removed from the configuration:"
                    + " release the partition, or prepare it on another fabric", clock.instant())));
        });
    }

    private void settle() {
        // while a request is in progress nothing is reported: its result first has to be stored
        if (loaded.isDone() && current == null && !closed) {
            watch.update();
        }
    }

    private void next() {
        if (current != null || !loaded.isDone() || queue.isEmpty()) {
            return;
        }
        Pending pending = queue.poll();
        current = pending;
        Request request = pending.request();
        Partition partition = registry.find(request.partition())
            .orElseGet(() -> Partition.idle(request.partition(), clock.instant()));
        Optional<Answer> earlier = partition.answers().stream()
            .filter(answer -> answer.requestId().equals(request.id())).findAny();
        if (earlier.isEmpty()) {
            attempt(pending, partition, () -> decide(pending, partition));
        } else if (earlier.get().asked().equals(request.toString())) {
            reply(pending, earlier.get());
        } else {
            reply(pending, refusal(request, partition, Refusal.input("request-id", request.id()
                + " was used for another request of partition " + partition.name()
                + ": use a new one for every request")));
        }
    }

    private void decide(Pending pending, Partition partition) {
        conclude(pending, partition, switch (pending.request()) {
            case Request.Prepare request ->
                Transitions.prepare(partition, request, fabrics.specs(), registry.others(partition), clock.instant());
            case Request.Enable request ->
                Transitions.enable(partition, request, fabrics.specs(), registry.others(partition), clock.instant());
            case Request.Disable request ->
                Transitions.disable(partition, request, fabrics.specs(), registry.others(partition), clock.instant());
            case Request.Arm request -> Transitions.arm(partition, request, watch.status(partition),
                status -> watch.condition(status, partition), clock.instant());
            case Request.Start request -> {
                Partition started = started(partition, request, watch.status(partition));
                if (started != partition) {
                    freezeFirst(pending, partition, request);
                    yield null;
                }
                yield partition;
            }
            case Request.Stop request -> Transitions.stop(partition, request, clock.instant());
            case Request.Release request -> Transitions.release(partition, request, clock.instant());
            case Request.Abort unused -> Transitions.abort(partition, clock.instant());
        });
    }

    private Partition started(Partition partition, Request.Start request, Optional<FabricStatus> status) {
        return Transitions.start(partition, request, status, now -> watch.condition(now, partition), clock.instant());
    }

    /** Freezes the fabric before the checks, so that what they find still holds when the run starts. */
    private void freezeFirst(Pending pending, Partition partition, Request.Start request) {
        registry.freeze(partition, request.number());
        CompletableFuture<FabricStatus> settled =
            fabrics.control(partition.fabric(), registry.directive(partition.fabric())).toCompletableFuture().copy();
        timer.after(SETTLE_TIMEOUT, () ->
            settled.completeExceptionally(new IllegalStateException("the fabric is being changed")));
        onLoop(settled, (status, failure) -> attempt(pending, partition, () -> {
            if (failure != null) {
                throw Transitions.unsettled(request, failure.getMessage());
            }
            conclude(pending, partition, started(partition, request, Optional.of(status)));
        }));
    }

    @SuppressWarnings("checkstyle:illegalCatch") // any failure is an answer to the caller
    private void attempt(Pending pending, Partition partition, Runnable decision) {
        try {
            decision.run();
        } catch (Refusal refusal) {
            LOG.info("{} of partition {} is refused: {}", pending.request().rpc(), partition.name(),
                refusal.getMessage());
            Answer answer = refusal(pending.request(), partition, refusal);
            // a refusal is remembered only for a partition that exists
            if (registry.find(partition.name()).isPresent()) {
                save(pending, partition, partition, answer);
            } else {
                reply(pending, answer);
            }
        } catch (RuntimeException e) {
            fail(pending, e);
        }
    }

    private static Answer refusal(Request request, Partition partition, Refusal refusal) {
        return new Answer(request.id(), request.partition(), request.toString(), Optional.of(refusal.refusal()),
            partition.state(), false, Optional.empty());
    }

    /** Stores a decision and answers; does nothing if it is not made yet (null). */
    private void conclude(Pending pending, Partition before, @Nullable Partition decided) {
        if (decided == null) {
            return;
        }
        Request request = pending.request();
        Partition after = watch.timed(before, decided);
        boolean works = after.works() && after.operation().orElseThrow().requestId().equals(request.id());
        Answer answer = new Answer(request.id(), request.partition(), request.toString(), Optional.empty(),
            after.state(), works, request instanceof Request.Stop ? after.run() : Optional.empty());
        if (after == before && registry.find(before.name()).isEmpty()) {
            reply(pending, answer);
        } else {
            save(pending, before, after, answer);
        }
    }

    /** A decision takes effect once it is stored. */
    private void save(Pending pending, Partition before, Partition after, Answer answer) {
        Partition complete = after.with(answer);
        onLoop(store.save(complete), (done, failure) -> {
            if (failure != null || current != pending) {
                storeAgain(before.name());
            }
            if (current != pending) {
                return;
            }
            if (failure != null) {
                LOG.warn("{} of partition {} could not be stored and is not carried out: {}", pending.request().rpc(),
                    before.name(), Causes.inWords(failure));
                fail(pending, failure);
                return;
            }
            registry.put(complete);
            if (before.state() != after.state()) {
                LOG.info("partition {} is {}", after.name(), RunEvent.describe(after));
            }
            if (before != after) {
                apply(before, complete, answer.works());
            }
            reply(pending, answer);
            registry.evictOldestIdle(clock.instant()).forEach(store::delete);
        });
    }

    /** The store has, or may have, a decision that does not count: what counts is stored over it. */
    private void storeAgain(String partition) {
        registry.find(partition).ifPresentOrElse(this::persist, () -> store.delete(partition));
    }

    private void apply(Partition before, Partition after, boolean works) {
        if (works) {
            watch.begin(after.name());
        }
        // start-run has frozen the fabric already
        if (works || before.isRunning() || after.isIdle()) {
            onLoop(fabrics.control(after.fabric(), registry.directive(after.fabric())), (status, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {} did not accept the directive for partition {}: {}", after.fabric(),
                        after.name(), Causes.inWords(failure));
                } else {
                    watch.observe(status);
                    if (works) {
                        watch.markPlaced(after.name());
                    }
                }
            });
        }
    }

    private void reply(Pending pending, Answer answer) {
        finish();
        // the caller may read the state next
        watch.update();
        CompletableFuture<Void> published = listener.published().toCompletableFuture();
        published.whenComplete((done, failure) -> pending.answer().complete(answer));
        if (!published.isDone()) {
            timer.after(PUBLISH_TIMEOUT, () -> pending.answer().complete(answer));
        }
        next();
    }

    private void fail(Pending pending, Throwable failure) {
        finish();
        pending.answer().completeExceptionally(failure);
        next();
    }

    /** Also unfreezes a fabric that was frozen for a run that did not start. */
    private void finish() {
        registry.thaw().filter(fabric -> registry.frozenBy(fabric).isEmpty())
            .ifPresent(fabric -> fabrics.control(fabric, registry.directive(fabric)));
        current = null;
    }

    /** Stores a partition that changed without a request. */
    private void persist(Partition partition) {
        registry.put(partition);
        store.save(partition).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warn("partition {} could not be stored; its newest state is lost if the controller restarts: {}",
                    partition.name(), Causes.inWords(failure));
            }
        });
    }

    private <T> void onLoop(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation) {
        stage.whenComplete((result, failure) -> post("run control: an answer",
            () -> continuation.accept(result, Causes.of(failure))));
    }

    private void after(Duration delay, Runnable task) {
        timer.after(delay, () -> post("run control: a timer", task));
    }
}
