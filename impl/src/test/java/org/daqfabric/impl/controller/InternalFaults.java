package org.daqfabric.impl.controller;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.controller.spi.Timer;

/**
 * Faults inside the controller: whatever an event loop calls throws now and then, before or after it has done its work,
 * and the store stalls, refuses, and answers late.
 */
final class InternalFaults {
    private static final List<Supplier<Throwable>> THROWABLES = List.of(
        () -> new IllegalStateException("planted"), () -> new NullPointerException("planted"),
        () -> new OutOfMemoryError("planted"), () -> new StackOverflowError("planted"),
        () -> new AssertionError("planted"), () -> new NoClassDefFoundError("planted"));

    private final World world;
    private final Random random;
    private final List<String> log;
    /** One call of so many throws. */
    private final int rarity;
    /** Faults by class. */
    private final Map<String, Integer> thrown = new TreeMap<>();
    private final List<Runnable> stalled = new ArrayList<>();
    private boolean active;
    /** Whether an event loop is running. */
    private boolean inside;

    /** How the store answers. */
    private enum Answer { AT_ONCE, LATE, NEVER, REFUSED }

    private Answer answer = Answer.AT_ONCE;

    InternalFaults(World world, Random random, int rarity, List<String> log) {
        this.world = world;
        this.random = random;
        this.rarity = rarity;
        this.log = log;
    }

    /** Faults occur from now on. */
    void begin() {
        active = true;
        answer = Answer.values()[random.nextInt(Answer.values().length)];
        log.add("faults inside the controller; the store answers " + answer);
    }

    /** No more faults occur; what the store has not answered is answered now, in any order. */
    void end() {
        log.add("no more faults inside the controller");
        active = false;
        answer = Answer.AT_ONCE;
        Collections.shuffle(stalled, random);
        List.copyOf(stalled).forEach(Runnable::run);
        stalled.clear();
    }

    /** Number of throwables so far, by class. */
    Map<String, Integer> thrown() {
        return thrown;
    }

    FabricServices around(FabricServices real) {
        return new FabricServices(around(DecisionStore.class, store(real.store())), real.removals(),
            around(StatePublisher.class, real.publisher()), around(InstantSource.class, real.clock()),
            around(Timer.class, real.timer()), around(real.executor()), real.background(), real.compareInterval(),
            around(Recorder.class, real.recorder()));
    }

    FabricDrivers around(FabricDrivers real) {
        return new FabricDrivers(around(RuleChannel.class, real.rules()), around(BridgeDriver.class, real.bridges()),
            around(RunHooks.class, real.runs()), around(BooleanSupplier.class, real.mayChange()));
    }

    private Executor around(Executor real) {
        return turn -> real.execute(() -> {
            boolean before = inside;
            inside = true;
            try {
                turn.run();
            } finally {
                inside = before;
            }
        });
    }

    private <T> T around(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            String what = type.getSimpleName() + '.' + method.getName();
            throwPlanted("before " + what);
            Object result = method.invoke(real, given);
            // a write that has begun and is not told of cannot be followed
            if (type != DecisionStore.class) {
                throwPlanted("after " + what);
            }
            return result;
        }));
    }

    private void throwPlanted(String where) {
        if (active && inside && random.nextInt(rarity) == 0) {
            Throwable next = THROWABLES.get(random.nextInt(THROWABLES.size())).get();
            thrown.merge(next.getClass().getSimpleName(), 1, Integer::sum);
            log.add("  " + next.getClass().getSimpleName() + " " + where);
            if (next instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) next;
        }
    }

    private DecisionStore store(DecisionStore real) {
        return new DecisionStore() {
            @Override
            public CompletionStage<Decision> load(String fabric) {
                return answered(() -> real.load(fabric));
            }

            @Override
            public CompletionStage<Void> save(String fabric, Decision decision) {
                return answered(() -> real.save(fabric, decision));
            }

            @Override
            public CompletionStage<Void> delete(String fabric) {
                return real.delete(fabric);
            }
        };
    }

    private <T> CompletionStage<T> answered(Supplier<CompletionStage<T>> call) {
        if (active && random.nextInt(8) == 0) {
            answer = Answer.values()[random.nextInt(Answer.values().length)];
            log.add("  the store answers " + answer);
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        Runnable work = () -> call.get().whenComplete((result, failure) -> {
            if (failure == null) {
                done.complete(result);
            } else {
                done.completeExceptionally(failure);
            }
        });
        switch (answer) {
            case AT_ONCE -> work.run();
            case LATE -> world.alarms.add(new World.Alarm(world.now.plus(Duration.ofMillis(random.nextInt(20_000))),
                work));
            case NEVER -> stalled.add(work);
            case REFUSED -> done.completeExceptionally(new IllegalStateException("the store refuses"));
            default -> throw new AssertionError(answer);
        }
        return done;
    }
}
