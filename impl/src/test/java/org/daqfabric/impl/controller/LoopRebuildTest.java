package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.Knowledge;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event loop in which something has failed is replaced by one that is told everything again. */
class LoopRebuildTest {
    private static final Duration WATCH = Duration.ofMillis(500);

    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();
    private final Segment link = new Topology(spec).segments("leaf-1-1").stream()
        .filter(each -> each.upper().switchName().equals("spine-1-1")).findFirst().orElseThrow();
    /** What the next publications throw, one each. */
    private final List<Error> planted = new ArrayList<>();
    private boolean recorderFails;

    @BeforeEach
    void fabricRuns() {
        world.services = real -> new FabricServices(real.store(), real.removals(), new StatePublisher() {
            @Override
            public void publish(FabricState state) {
                if (!planted.isEmpty()) {
                    throw planted.remove(0);
                }
                real.publisher().publish(state);
            }

            @Override
            public void withdraw(String fabric) {
                real.publisher().withdraw(fabric);
            }
        }, real.clocks(), real.timer(), real.executor(), real.background(), real.questions(),
            real.compareInterval(), failing(real.recorder()));
        world.watch = WATCH;
        world.start();
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** The new loop takes the fabric up as a restarted controller does: nothing is sent, and it reacts to failures. */
    @Test
    void loopIsReplaced() {
        planted.add(new OutOfMemoryError("planted"));
        world.network.carrier(link, false);
        world.settle();
        assertThat(planted).isEmpty();
        int messages = world.network.messages();
        world.pass(WATCH.multipliedBy(2));
        assertThat(health().failures()).isEqualTo(1);
        assertThat(health().rebuilds()).isEqualTo(1);
        assertThat(world.network.messages()).as("the repair was done").isEqualTo(messages);
        assertThat(world.isUsed(spec, link)).isFalse();
        world.network.carrier(link, true);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** Also when somebody sets the clock back: pauses are not longer for it. */
    @Test
    void loopIsReplacedAfterTheClockWasSetBack() {
        for (int time = 1; time <= 2; time++) {
            planted.add(new OutOfMemoryError("planted"));
            world.network.carrier(link, time % 2 == 0);
            world.settle();
            world.set = world.set.minusHours(1);
            world.pass(Duration.ofSeconds(3));
            assertThat(health().rebuilds()).isEqualTo(time);
        }
    }

    /** A loop that fails again and again is replaced less and less often, and acts in between. */
    @Test
    void replacementsBackOff() {
        for (int second = 0; second < 600; second++) {
            planted.clear();
            planted.add(new AssertionError("planted"));
            world.network.carrier(link, second % 2 == 1);
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(health().failures()).isGreaterThan(100);
        assertThat(health().rebuilds()).isBetween(8L, 20L);
        planted.clear();
        world.network.carrier(link, true);
        world.pass(Duration.ofSeconds(130));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** Callers of the old loop are told to ask again; requests of run control are answered by the new loop. */
    @Test
    void callersAreAnswered() {
        world.storing = new CompletableFuture<>();
        CompletableFuture<Integer> asked = new CompletableFuture<>();
        CompletableFuture<FabricStatus> controlled = new CompletableFuture<>();
        world.burst(() -> {
            planted.add(new StackOverflowError("planted"));
            world.manager.rebalance(spec.name(), OptionalInt.empty()).whenComplete((moved, failure) ->
                asked.complete(moved));
            world.manager.control(spec.name(), new RunDirective(false, 0, Optional.of(new Selection(
                new TreeSet<>(List.of("ros-1-1")), new TreeSet<>(List.of("dcm-1-01-1"))))))
                .thenAccept(controlled::complete);
            world.network.carrier(link, false);
        });
        assertThat(controlled).isNotDone();
        world.storing = CompletableFuture.completedFuture(null);
        world.pass(Duration.ofSeconds(20));
        assertThat(asked).isDone();
        assertThat(controlled).isDone();
        assertThat(health().rebuilds()).isEqualTo(1);
    }

    /** What is only measured must not lose an event. */
    @Test
    void eventThatCannotBeTimedIsNotLost() {
        recorderFails = true;
        world.network.carrier(link, false);
        world.settle();
        assertThat(world.isUsed(spec, link)).isFalse();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** What a lost event may have reported can need what nothing seems to need: only the next loop removes it. */
    @Test
    void nothingIsRemovedAfterAFailure() {
        List<Object> removed = new ArrayList<>();
        world.network.watch(new MemoryNetwork.Watcher() {
            @Override
            public void after(String switchName, Object change, Knowledge sentWith) {
                if (change instanceof Message.DeleteRule || change instanceof Message.DeleteGroup) {
                    removed.add(change);
                }
            }
        });
        recorderFails = true;
        world.network.carrier(link, false);
        world.settle();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
        assertThat(removed).isEmpty();
        recorderFails = false;
        world.pass(Duration.ofSeconds(5));
        assertThat(removed).isNotEmpty();
    }

    private Recorder failing(Recorder real) {
        return (Recorder) Proxy.newProxyInstance(Recorder.class.getClassLoader(), new Class<?>[] {Recorder.class},
            (self, method, given) -> {
                if (recorderFails) {
                    throw new IllegalStateException("planted");
                }
                return method.invoke(real, given);
            });
    }

    private LoopState health() {
        return world.manager.loopState(spec.name()).orElseThrow();
    }
}
