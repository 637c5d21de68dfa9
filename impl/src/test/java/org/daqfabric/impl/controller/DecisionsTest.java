package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.Test;

/** When a fabric is placed, and how the decision is stored. */
class DecisionsTest {
    /** A decision is stored before any bridge or rule is sent. */
    @Test
    void decisionIsStoredFirst() {
        World world = new World(1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        DecisionStore store = new DecisionStore() {
            @Override
            public CompletionStage<Decision> load(String fabric) {
                return world.load(fabric);
            }

            @Override
            public CompletionStage<Doubts> loadDoubts(String fabric) {
                return world.loadDoubts(fabric);
            }

            @Override
            public CompletionStage<Void> saveDoubts(String fabric, Doubts doubts) {
                return world.saveDoubts(fabric, doubts);
            }

            @Override
            public CompletionStage<Void> save(String fabric, Decision decision) {
                order.add("save");
                return new CompletableFuture<>();
            }

            @Override
            public CompletionStage<Void> delete(String fabric) {
                return world.delete(fabric);
            }
        };
        FabricManager manager = new FabricManager(new FabricServices(store, world.removals, world,
            new Clocks(InstantSource.fixed(Instant.EPOCH), InstantSource.fixed(Instant.EPOCH)),
            (delay, task) -> { }, Runnable::run, task -> { }, task -> { }, Duration.ZERO, Recorder.NONE));
        manager.activate(new FabricDrivers(world.network, new BridgeDriver() {
            @Override
            public void endRemoval(MarkedBridge bridge) {
                // removals do not wait here
            }

            @Override
            public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
                return CompletableFuture.completedFuture(new TreeMap<>());
            }

            @Override
            public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
                return CompletableFuture.completedFuture(List.of());
            }

            @Override
            public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
                return CompletableFuture.completedFuture(new TreeMap<>());
            }

            @Override
            public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
                order.add("put");
            }

            @Override
            public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
                order.add("remove");
            }
        }, new NoRuns(), () -> true));
        manager.fabricChanged(TestFabrics.prototype());
        manager.configurationRead();
        assertThat(order).containsExactly("save");
    }

    /** While the second step of a repair is being stored its additions are installed. */
    @Test
    void repairIsPreparedWhileItIsStored() {
        World world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        long rings = rings(world);
        world.storing = new CompletableFuture<>();
        Segment link = World.link(spec, "rack-1-01", "leaf-1-1");
        world.network.carrier(link, false);
        world.settle();
        assertThat(rings(world)).isGreaterThan(rings);
        assertThat(world.isUsed(spec, link)).isFalse();
        assertThat(world.states.get("prototype").lastRepair().orElseThrow().confirmed()).isPresent();
        assertThat(world.states.get("prototype").lastRebalanced()).isEmpty();
        world.storing.complete(null);
        world.settle();
        assertThat(world.states.get("prototype").lastRebalanced().orElseThrow().confirmed()).isPresent();
        world.pass(Following.FOLLOWS);
        assertThat(rings(world)).as("those of the 8 DCMs of the rack go at the leaf it has lost").isEqualTo(rings - 8);
    }

    private static long rings(World world) {
        return world.network.numbers().numbers().values().stream().flatMap(ports -> ports.keySet().stream())
            .filter(port -> port.startsWith("ring-")).count();
    }

    /** An unchanged configuration neither places nor stores again. */
    @Test
    void unchangedConfigurationIsNotDecidedAgain() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        int messages = world.network.messages();
        world.storeFails = true;
        world.configure(spec);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.phase(spec)).as("no decision waits for the store").isEqualTo(Phase.CONVERGED);
        assertThat(world.network.messages()).isEqualTo(messages);
    }

    /** A decision that cannot be stored is not acted on; storing is tried again until it succeeds. */
    @Test
    void failedStoreIsTriedAgain() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        var before = world.stored.get(spec.name());
        world.storeFails = true;
        world.network.carrier(World.link(spec, "leaf-1-1", "spine-1-1"), false);
        world.pass(Duration.ofSeconds(3));
        assertThat(world.stored.get(spec.name())).isEqualTo(before);
        assertThat(world.served(new Topology(spec))).as("groups avoid the link meanwhile")
            .isEqualTo(World.possible(spec, world.network.down()));
        world.storeFails = false;
        world.pass(Duration.ofSeconds(2));
        assertThat(world.stored.get(spec.name())).isNotEqualTo(before);
        assertThat(world.states.get(spec.name()).lastRepair().orElseThrow().confirmed()).isPresent();
    }
}
