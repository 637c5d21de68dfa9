package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;

/**
 * What a controller sees of a store that stalls, refuses, and answers late or never. What it is asked takes effect in
 * order, as in a shard of the datastore, whenever the answers arrive.
 */
final class FaultyStore implements DecisionStore {
    private final DecisionStore real;
    private final World world;
    private final Random random;
    private final List<String> log;
    private final BooleanSupplier active;
    /** Calls that have not taken effect, in order. */
    private final Deque<Call> waiting = new ArrayDeque<>();
    /** Answers to calls that took effect long ago. */
    private final List<Runnable> unanswered = new ArrayList<>();
    private Answer answer = Answer.AT_ONCE;

    /** When a call takes effect, and its answer arrives. */
    private enum Answer { AT_ONCE, LATE, NEVER, TAKEN_AND_NOT_ANSWERED, REFUSED }

    private static final class Call {
        private final Runnable effect;
        private boolean taken;

        Call(Runnable effect) {
            this.effect = effect;
        }
    }

    /**
     * Creates a store that works.
     *
     * @param active whether faults may occur now
     */
    FaultyStore(DecisionStore real, World world, Random random, List<String> log, BooleanSupplier active) {
        this.real = real;
        this.world = world;
        this.random = random;
        this.log = log;
        this.active = active;
    }

    void begin() {
        answer = any();
        log.add("the store answers " + answer);
    }

    /** From now on the store works; what it was asked before takes effect first. */
    void end() {
        answer = Answer.AT_ONCE;
        take(waiting.size());
        Collections.shuffle(unanswered, random);
        List.copyOf(unanswered).forEach(Runnable::run);
        unanswered.clear();
    }

    /** The controller has died: the first of its calls have reached the store, the others never will. */
    void abandon() {
        take(waiting.isEmpty() ? 0 : random.nextInt(waiting.size() + 1));
        waiting.clear();
        unanswered.clear();
    }

    @Override
    public CompletionStage<Decision> load(String fabric) {
        return call(() -> real.load(fabric));
    }

    @Override
    public CompletionStage<Void> save(String fabric, Decision decision) {
        return call(() -> real.save(fabric, decision));
    }

    @Override
    public CompletionStage<Doubts> loadDoubts(String fabric) {
        return call(() -> real.loadDoubts(fabric));
    }

    @Override
    public CompletionStage<Void> saveDoubts(String fabric, Doubts doubts) {
        return call(() -> real.saveDoubts(fabric, doubts));
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        return call(() -> real.delete(fabric));
    }

    private Answer any() {
        return Answer.values()[random.nextInt(Answer.values().length)];
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> asked) {
        if (active.getAsBoolean() && random.nextInt(8) == 0) {
            answer = any();
            log.add("  the store answers " + answer);
        }
        if (answer == Answer.REFUSED) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store refuses"));
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        boolean silent = answer == Answer.TAKEN_AND_NOT_ANSWERED;
        Call call = new Call(() -> asked.get().whenComplete((result, failure) -> {
            if (silent) {
                unanswered.add(() -> complete(done, result, failure));
            } else {
                complete(done, result, failure);
            }
        }));
        waiting.add(call);
        if (answer == Answer.LATE) {
            world.alarms.add(new World.Alarm(world.now.plus(Duration.ofMillis(random.nextInt(20_000))),
                () -> takeUpTo(call)));
        } else if (answer != Answer.NEVER) {
            takeUpTo(call);
        }
        return done;
    }

    private void takeUpTo(Call last) {
        while (!last.taken && !waiting.isEmpty()) {
            take(1);
        }
    }

    private void take(int count) {
        for (int left = count; left > 0 && !waiting.isEmpty(); left--) {
            Call next = waiting.poll();
            next.taken = true;
            next.effect.run();
        }
    }

    private static <T> void complete(CompletableFuture<T> done, T result, Throwable failure) {
        if (failure == null) {
            done.complete(result);
        } else {
            done.completeExceptionally(failure);
        }
    }
}
