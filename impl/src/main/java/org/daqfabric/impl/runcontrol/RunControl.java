package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.SerialLoop;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves run controllers: one request at a time is decided, stored and then acted on, and between requests every
 * partition is judged anew whenever its fabric changed. All of it happens on a loop of its own.
 */
public final class RunControl implements RunHooks {
    private static final Logger LOG = LoggerFactory.getLogger(RunControl.class);
    /** How long a fabric may take to come to rest for a run to start; the answer must come within a second. */
    private static final Duration REST = Duration.ofMillis(700);
    /** How long an answer may wait until others can read what it says; a datastore that stalls must not stall run control. */
    private static final Duration SHOWN = Duration.ofMillis(250);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final FabricControl fabrics;
    private final RunStore store;
    private final RunListener listener;
    private final InstantSource clock;
    private final Timer timer;
    private final SerialLoop loop;
    private final PartitionRegistry book = new PartitionRegistry();
    private final PartitionWatch watch;
    private final CompletableFuture<Void> loaded = new CompletableFuture<>();
    private final Deque<Pending> waiting = new ArrayDeque<>();
    private boolean busy;
    private volatile boolean closed;

    private record Pending(Request request, CompletableFuture<Answer> answer) {
    }

    /** Begins by reading what is stored. */
    public RunControl(FabricControl fabrics, RunStore store, RunListener listener, EventLog events, InstantSource clock,
            Timer timer, Executor executor) {
        this.fabrics = fabrics;
        this.store = store;
        this.listener = listener;
        this.clock = clock;
        this.timer = timer;
        watch = new PartitionWatch(book, this::keep, delay -> after(delay, () -> { }), listener, events, clock);
        loop = new SerialLoop(executor, this::settle);
        loop.post("run control: start", this::load);
    }

    private void load() {
        then(store.load(), (stored, failure) -> {
            if (failure != null) {
                LOG.warn("the partitions cannot be read, and nothing is done for run controllers until they can; "
                    + "trying again: {}", Causes.inWords(failure));
                after(RETRY, this::load);
                return;
            }
            stored.forEach(partition -> {
                book.put(partition);
                if (!partition.isIdle()) {
                    LOG.info("partition {} is found {}", partition.name(), RunEvent.words(partition));
                }
                if (partition.works()) {
                    watch.begin(partition.name());
                    // the fabric was told with what it was taken up
                    watch.placed(partition.name());
                }
            });
            loaded.complete(null);
            next();
        });
    }

    /** Asks something; what is asked first is answered first. */
    public CompletionStage<Answer> ask(Request request) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        post("run control: " + request.rpc(), () -> {
            waiting.add(new Pending(request, answer));
            next();
        });
        return answer;
    }

    /** Does nothing any more: another member of the cluster goes on with what is stored. */
    public void close() {
        closed = true;
        loop.post("run control: end", () -> {
            waiting.forEach(pending -> pending.answer().completeExceptionally(new IllegalStateException(
                "another member of the cluster has become active: ask again, with the same request-id")));
            waiting.clear();
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
        return book.frozenBy(fabric);
    }

    @Override
    public CompletionStage<RunDirective> wanted(String fabric) {
        CompletableFuture<RunDirective> wanted = new CompletableFuture<>();
        loaded.thenRun(() -> post("run control: " + fabric + " is taken up",
            () -> wanted.complete(book.control(fabric))));
        return wanted;
    }

    @Override
    public void seen(FabricStatus picture) {
        post("run control: news", () -> watch.seen(picture));
    }

    @Override
    public void removed(String fabric) {
        post("run control: " + fabric + " is removed", () -> {
            watch.removed(fabric);
            book.all().stream().filter(partition -> !partition.isIdle() && partition.fabric().equals(fabric))
                .forEach(partition -> keep(partition.failed("fabric " + fabric + " was removed from the configuration:"
                    + " release the partition, or prepare it on another fabric", clock.instant())));
        });
    }

    private void settle() {
        // what a request changes is told when it is stored
        if (loaded.isDone() && !busy && !closed) {
            watch.look();
        }
    }

    private void next() {
        if (busy || !loaded.isDone() || waiting.isEmpty()) {
            return;
        }
        busy = true;
        Pending pending = waiting.poll();
        Request request = pending.request();
        Partition partition = book.find(request.partition())
            .orElseGet(() -> Partition.idle(request.partition(), clock.instant()));
        Optional<Answer> same = partition.answers().stream()
            .filter(answer -> answer.requestId().equals(request.id())).findAny();
        if (same.isEmpty()) {
            deciding(pending, partition, () -> decide(pending, partition));
        } else if (same.get().asked().equals(request.toString())) {
            reply(pending, same.get());
        } else {
            reply(pending, refusal(request, partition, Refusal.input("request-id", request.id()
                + " was used for another request of partition " + partition.name()
                + ": use a new one for every request")));
        }
    }

    private void decide(Pending pending, Partition partition) {
        conclude(pending, partition, switch (pending.request()) {
            case Request.Prepare request ->
                Transitions.prepare(partition, request, fabrics.specs(), book.others(partition), clock.instant());
            case Request.Enable request ->
                Transitions.enable(partition, request, fabrics.specs(), book.others(partition), clock.instant());
            case Request.Disable request ->
                Transitions.disable(partition, request, fabrics.specs(), book.others(partition), clock.instant());
            case Request.Arm request -> Transitions.arm(partition, request, watch.picture(partition),
                picture -> watch.condition(picture, partition), clock.instant());
            case Request.Start request -> {
                Partition started = started(partition, request, watch.picture(partition));
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

    private Partition started(Partition partition, Request.Start request, Optional<FabricStatus> picture) {
        return Transitions.start(partition, request, picture, now -> watch.condition(now, partition), clock.instant());
    }

    /** What is found once the fabric is frozen stays so. */
    private void freezeFirst(Pending pending, Partition partition, Request.Start request) {
        book.freeze(partition, request.number());
        CompletableFuture<FabricStatus> rest =
            fabrics.control(partition.fabric(), book.control(partition.fabric())).toCompletableFuture().copy();
        timer.after(REST, () -> rest.completeExceptionally(new IllegalStateException("the fabric is being changed")));
        then(rest, (picture, failure) -> deciding(pending, partition, () -> {
            if (failure != null) {
                throw Transitions.unsettled(request, failure.getMessage());
            }
            conclude(pending, partition, started(partition, request, Optional.of(picture)));
        }));
    }

    private void deciding(Pending pending, Partition partition, Runnable decision) {
        try {
            decision.run();
        } catch (Refusal refusal) {
            LOG.info("{} of partition {} is refused: {}", pending.request().rpc(), partition.name(),
                refusal.getMessage());
            Answer answer = refusal(pending.request(), partition, refusal);
            // of a partition that does not exist nothing is remembered
            if (book.find(partition.name()).isPresent()) {
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

    /** Stores a decision and answers; nothing if it is not made yet. */
    private void conclude(Pending pending, Partition before, Partition after) {
        if (after == null) {
            return;
        }
        Request request = pending.request();
        boolean works = after.works() && after.operation().orElseThrow().requestId().equals(request.id());
        Optional<RunRecord> ended = request instanceof Request.Stop ? after.run() : Optional.empty();
        Answer answer = new Answer(request.id(), request.partition(), request.toString(), Optional.empty(), after.state(),
            works, ended);
        if (after == before && book.find(before.name()).isEmpty()) {
            reply(pending, answer);
        } else {
            save(pending, before, after, answer);
        }
    }

    /** What is decided holds once it is stored. */
    private void save(Pending pending, Partition before, Partition after, Answer answer) {
        Partition complete = after.with(answer);
        then(store.save(complete), (done, failure) -> {
            if (failure != null) {
                LOG.warn("{} of partition {} could not be stored and is not done: {}", pending.request().rpc(),
                    before.name(), Causes.inWords(failure));
                fail(pending, failure);
                return;
            }
            book.put(complete);
            if (before.state() != after.state()) {
                LOG.info("partition {} is {}", after.name(), RunEvent.words(after));
            }
            if (before != after) {
                act(before, complete, answer.works());
            }
            reply(pending, answer);
            book.forgetOld().forEach(store::delete);
        });
    }

    private void act(Partition before, Partition after, boolean works) {
        if (works) {
            watch.begin(after.name());
        }
        // a run that starts has frozen its fabric already
        if (works || before.isRunning() || after.isIdle()) {
            then(fabrics.control(after.fabric(), book.control(after.fabric())), (picture, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {} could not be told what partition {} wants: {}", after.fabric(), after.name(),
                        Causes.inWords(failure));
                } else {
                    watch.seen(picture);
                    if (works) {
                        watch.placed(after.name());
                    }
                }
            });
        }
    }

    private void reply(Pending pending, Answer answer) {
        finish();
        // who is answered may read the state next
        watch.look();
        CompletableFuture<Void> shown = listener.shown().toCompletableFuture();
        shown.whenComplete((done, failure) -> pending.answer().complete(answer));
        if (!shown.isDone()) {
            timer.after(SHOWN, () -> pending.answer().complete(answer));
        }
        next();
    }

    private void fail(Pending pending, Throwable failure) {
        finish();
        pending.answer().completeExceptionally(failure);
        next();
    }

    /** Also lets a fabric go that was frozen for a run that did not start. */
    private void finish() {
        book.thaw().filter(fabric -> book.frozenBy(fabric).isEmpty())
            .ifPresent(fabric -> fabrics.control(fabric, book.control(fabric)));
        busy = false;
    }

    /** Keeps what became of a partition without a request. */
    private void keep(Partition partition) {
        book.put(partition);
        store.save(partition).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warn("partition {} could not be stored; what became of it is lost if the controller restarts: {}",
                    partition.name(), Causes.inWords(failure));
            }
        });
    }

    private <T> void then(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation) {
        stage.whenComplete((result, failure) -> post("run control: an answer",
            () -> continuation.accept(result, Causes.of(failure))));
    }

    private void after(Duration delay, Runnable task) {
        timer.after(delay, () -> post("run control: a timer", task));
    }
}
