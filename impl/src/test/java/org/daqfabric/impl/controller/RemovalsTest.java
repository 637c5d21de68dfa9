package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Bridges that fabrics leave, and the controllers that remove them. */
class RemovalsTest {
    private static final String AWAY = "spine-1-1";

    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.regular("first", 1, 2, 1, 1, 2, 1);
    private final FabricSpec second = TestFabrics.regular("second", 1, 2, 1, 1, 2, 1);

    /** All switches move from one fabric to another in two writes, and the removal by the first is late. */
    @Test
    void lateRemovalLeavesWhatAnotherFabricHasPut() {
        world.configure(spec);
        world.settle();
        world.removals.storing = new CompletableFuture<>();
        world.manager.fabricRemoved("first");
        world.manager.fabricChanged(second);
        world.settle();
        assertThat(fabricOf(AWAY)).as("the other fabric need not wait").isEqualTo("second");
        world.removals.storing.complete(null);
        world.settle();
        second.switches().forEach(each -> assertThat(fabricOf(each.name())).as(each.name()).isEqualTo("second"));
        assertThat(world.pending).isEmpty();
        assertThat(world.removals.stored).isEmpty();
    }

    /** The same, told in one write of which the first fabric's part comes last. */
    @Test
    void eventsOfABridgeGoToTheFabricThatTookItOver() {
        world.configure(spec);
        world.settle();
        world.manager.fabricChanged(second);
        world.manager.fabricRemoved("first");
        world.settle();
        second.switches().forEach(each -> assertThat(fabricOf(each.name())).as(each.name()).isEqualTo("second"));
        assertThat(world.manager.fabricOf(AWAY, "br-daq")).contains("second");
        assertThat(world.states.get("second").switches()).allMatch(each -> each.ovsdbConnected());
    }

    /** A fabric is deleted while a node is away, the controller is restarted, and the node comes back. */
    @Test
    void restartedControllerRemovesWhatIsLeft() {
        world.configure(spec);
        world.settle();
        world.network.isolate(AWAY);
        world.settle();
        world.manager.fabricRemoved("first");
        world.settle();
        assertThat(world.network.programs()).containsOnlyKeys(AWAY);
        assertThat(world.pending).extracting(PendingRemoval::bridge).containsExactly(left(AWAY));
        assertThat(world.removals.stored).containsOnlyKeys(left(AWAY));

        world.start();
        world.network.reconnect();
        world.settle();
        assertThat(world.network.programs()).containsOnlyKeys(AWAY);
        assertThat(world.pending).hasSize(1);
        world.network.reconnect(AWAY);
        world.settle();
        assertThat(world.network.programs()).isEmpty();
        assertThat(world.pending).isEmpty();
        assertThat(world.removals.stored).isEmpty();
    }

    /** What is stored is not removed if its fabric has it again, nor if another fabric has it. */
    @Test
    void restartedControllerLeavesWhatAFabricHasByNow() {
        world.configure(spec);
        world.settle();
        MarkedBridge others = new MarkedBridge(AWAY, "br-daq", "second");
        for (MarkedBridge each : Set.of(left(AWAY), others)) {
            world.removals.stored.put(each, new PendingRemoval(each, Optional.empty(), Instant.EPOCH));
        }
        world.start(spec);
        world.network.reconnect();
        world.settle();
        assertThat(fabricOf(AWAY)).isEqualTo("first");
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.removals.stored).isEmpty();
    }

    /** A rack leaves the fabric; the controller is restarted before it has removed the rack's bridge. */
    @Test
    void restartedControllerRemovesASwitchOnceNothingNeedsIt() {
        world.configure(spec);
        world.settle();
        FabricSpec less = withoutRack("rack-1-01");
        world.storing = new CompletableFuture<>();
        world.manager.fabricChanged(less);
        world.settle();
        assertThat(world.removals.stored).containsOnlyKeys(left("rack-1-01"));
        assertThat(world.network.bridge("rack-1-01")).isPresent();

        world.storing = new CompletableFuture<>();
        world.start(less);
        world.network.reconnect();
        world.settle();
        assertThat(world.network.bridge("rack-1-01")).as("others still have rules for it").isPresent();
        world.storing.complete(null);
        world.pass(Following.FOLLOWS);
        assertThat(world.phase(less)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.bridge("rack-1-01")).isEmpty();
        assertThat(world.removals.stored).isEmpty();
    }

    /** A rack leaves the fabric while no controller runs. */
    @Test
    void startedControllerRemovesASwitchThatLeftBefore() {
        world.configure(spec);
        world.settle();
        FabricSpec less = withoutRack("rack-1-01");
        world.start(less);
        world.network.reconnect();
        world.pass(Following.FOLLOWS);
        assertThat(world.phase(less)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.bridge("rack-1-01")).isEmpty();
        assertThat(world.removals.stored).isEmpty();
    }

    /** A switch that returns to its fabric before its bridge was removed keeps it. */
    @Test
    void returningSwitchKeepsItsBridge() {
        world.configure(spec);
        world.settle();
        world.storing = new CompletableFuture<>();
        world.manager.fabricChanged(withoutRack("rack-1-01"));
        world.settle();
        world.manager.fabricChanged(spec);
        world.storing.complete(null);
        world.storing = CompletableFuture.completedFuture(null);
        world.settle();
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(fabricOf("rack-1-01")).isEqualTo("first");
        assertThat(world.removals.stored).isEmpty();
        assertThat(world.pending).isEmpty();
    }

    /** Who asks for a removal that cannot be stored is told so: a controller that is killed would forget it. */
    @Test
    void removalThatIsNotStoredIsNoSuccess() {
        world.configure(spec);
        world.settle();
        world.start();
        world.network.reconnect();
        world.settle();
        world.removals.failuresToCome = 1000;
        var removed = world.manager.orphans().remove(new OrphanBridges.Choice(List.of(Map.entry(AWAY, "br-daq")),
            List.of())).toCompletableFuture();
        world.pass(Duration.ofSeconds(11));
        assertThatThrownBy(removed::join).hasMessageContaining("could not be stored");
    }

    /** Nothing is removed before that is stored, and what could not be stored is tried again. */
    @Test
    void removalIsStoredFirst() {
        world.configure(spec);
        world.settle();
        world.removals.failuresToCome = 3;
        world.manager.fabricRemoved("first");
        world.settle();
        assertThat(world.network.programs()).hasSize(spec.switches().size());
        world.pass(Duration.ofSeconds(10));
        assertThat(world.network.programs()).isEmpty();
        world.removals.failuresToCome = 0;
        assertThat(world.removals.stored).isEmpty();
    }

    /** That an entry could not be deleted from the store does no harm. */
    @Test
    void failedDeletionIsTriedAgain() {
        world.configure(spec);
        world.settle();
        world.network.isolate(AWAY);
        world.manager.fabricRemoved("first");
        world.settle();
        world.removals.failuresToCome = 2;
        world.network.reconnect(AWAY);
        world.settle();
        assertThat(world.pending).isEmpty();
        assertThat(world.removals.stored).hasSize(1);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.removals.stored).isEmpty();
    }

    /**
     * A controller is restarted while a spine of the first fabric is about to move. Another one has left it, is still
     * part of what was in force, and belongs to the second fabric by now.
     */
    @Test
    void restartedControllerDoesNotTakeBackWhatAnotherFabricHas() {
        FabricSpec before = TestFabrics.regular("first", 1, 3, 1, 1, 2, 1);
        FabricSpec after = FabricEdits.change(FabricEdits.withoutSpine(before, AWAY), "spine-1-2",
            each -> new Switch(each.name(), each.systemId(), each.ovsdbAddress(), "br-new", each.datapathType(),
                each.adminState()));
        FabricSpec others = withSpineOfTheFirst();
        world.configure(before);
        world.pass(Duration.ofSeconds(30));
        world.network.build(new Topology(after));
        world.network.build(new Topology(others));
        world.manager.fabricChanged(after);
        world.settle();
        world.manager.fabricChanged(others);
        world.settle();
        assertThat(world.stored.get("first").configuration()).as("on the way").isNotEqualTo(Optional.of(after));

        // killed before that was stored
        world.removals.stored.clear();
        world.start(others, after);
        world.network.reconnect();
        AtomicBoolean taken = new AtomicBoolean();
        world.pass(Duration.ofSeconds(130), () -> {
            taken.compareAndSet(false, fabricOf(AWAY).equals("second"));
            assertThat(fabricOf(AWAY)).isEqualTo(taken.get() ? "second" : "first");
        });
        assertThat(taken).isTrue();
        assertThat(world.phase(after)).isEqualTo(Phase.CONVERGED);
        assertThat(world.stored.get("first").configuration()).contains(after);
        assertThat(world.removals.stored).isEmpty();
    }

    /** A spine goes to another fabric when no packet of the first one needs it any more. */
    @Test
    void aFabricWaitsForABridgeThatAnotherOneStillNeeds() {
        FabricSpec others = withSpineOfTheFirst();
        world.configure(spec);
        world.settle();
        world.network.build(new Topology(others));
        CompletableFuture<Void> storing = new CompletableFuture<>();
        world.storing = storing;
        world.manager.fabricChanged(FabricEdits.withoutSpine(spec, AWAY));
        world.settle();
        world.storing = CompletableFuture.completedFuture(null);
        world.manager.fabricChanged(others);
        world.settle();
        assertThat(fabricOf(AWAY)).as("packets of the first fabric still go there").isEqualTo("first");
        assertThat(world.network.bridges().get("second-leaf-1-1/br-daq").fabric()).isEqualTo("second");
        storing.complete(null);
        world.settle();
        assertThat(fabricOf(AWAY)).as("packets do not follow the changes yet").isEqualTo("first");
        world.pass(Following.FOLLOWS);
        assertThat(fabricOf(AWAY)).isEqualTo("second");
        assertThat(world.removals.stored).isEmpty();
    }

    /** But not for ever: here a switch of the first fabric does not answer. */
    @Test
    void aFabricWaitsForABridgeForAMinuteAtMost() {
        FabricSpec others = withSpineOfTheFirst();
        world.configure(spec);
        world.settle();
        world.network.build(new Topology(others));
        world.network.freeze("rack-1-01", true);
        world.manager.fabricChanged(FabricEdits.withoutSpine(spec, AWAY));
        world.manager.fabricChanged(others);
        world.pass(Duration.ofSeconds(20));
        assertThat(fabricOf(AWAY)).isEqualTo("first");
        world.pass(Duration.ofSeconds(41));
        assertThat(fabricOf(AWAY)).isEqualTo("second");
    }

    /** A second fabric with one spine, which is one of the first as well. */
    private static FabricSpec withSpineOfTheFirst() {
        FabricSpec other = TestFabrics.regular("second", 1, 1, 1, 1, 1, 1);
        return new FabricSpec(other.name(), other.planes(), other.pods(), other.switches().stream()
            .map(each -> each.name().equals(AWAY) ? each : new Switch(each.name(), "second-" + each.systemId(),
                each.ovsdbAddress(), each.bridge(), each.datapathType(), each.adminState())).toList(), other.links(),
            other.policy());
    }

    private FabricSpec withoutRack(String name) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods().stream().map(pod -> new Pod(pod.id(), pod.ros(),
            pod.racks().stream().filter(rack -> !rack.switchName().equals(name)).toList())).toList(),
            spec.switches().stream().filter(each -> !each.name().equals(name)).toList(),
            spec.links().stream().filter(link -> !link.end().switchName().equals(name)
                && !link.peer().switchName().equals(name)).toList(), spec.policy());
    }

    private String fabricOf(String node) {
        return world.network.bridge(node).map(Bridge::fabric).orElse("");
    }

    private static MarkedBridge left(String node) {
        return new MarkedBridge(node, "br-daq", "first");
    }
}
