package org.daqfabric.impl.controller;

import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.controller.spi.Timer;
import org.eclipse.jdt.annotation.Nullable;

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
    /** What the controller that started last has as its store. */
    private @Nullable FaultyStore store;
    private boolean active;
    /** Whether an event loop is running. */
    private boolean inside;

    InternalFaults(World world, Random random, int rarity, List<String> log) {
        this.world = world;
        this.random = random;
        this.rarity = rarity;
        this.log = log;
    }

    /** Faults occur from now on. */
    void begin() {
        active = true;
        log.add("faults inside the controller");
        store.begin();
    }

    /** No more faults occur; what the store has not answered is answered now. */
    void end() {
        log.add("no more faults inside the controller");
        active = false;
        store.end();
    }

    /** Number of throwables so far, by class. */
    Map<String, Integer> thrown() {
        return thrown;
    }

    FabricServices around(FabricServices real) {
        if (store != null) {
            store.abandon();
        }
        store = new FaultyStore(real.store(), world, random, log, () -> active);
        if (active) {
            store.begin();
        }
        return new FabricServices(around(DecisionStore.class, store), real.removals(),
            around(StatePublisher.class, real.publisher()),
            new Clocks(around(InstantSource.class, real.clocks().wall()),
                around(InstantSource.class, real.clocks().steady())),
            around(Timer.class, real.timer()), around(real.executor()), real.background(), real.questions(),
            real.compareInterval(), around(Recorder.class, real.recorder()));
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
}
