package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Edits of labels: names of switches and hosts, ids of planes, pods and spines. They disturb no packet. */
class LabelEditsTest {
    private static final Duration MINUTES = Duration.ofMinutes(3);
    private static final FabricSpec SPEC = TestFabrics.prototype();
    private static final String SPINE = SPEC.planes().get(0).spines().get(0).switchName();
    private static final String OTHER_SPINE = SPEC.planes().get(0).spines().get(1).switchName();
    private static final String LEAF = SPEC.planes().get(1).leaves().get(0).switchName();
    private static final String RACK = SPEC.pods().get(0).racks().get(0).switchName();

    private final World world = new World(1);
    private final Topology cables = new Topology(SPEC);
    private final PairGuard guard = new PairGuard(world, SPEC, () -> "");

    static Stream<Arguments> edits() {
        Map<String, UnaryOperator<FabricSpec>> edits = new TreeMap<>();
        edits.put("a spine's name", spec -> FabricEdits.rename(spec, Map.of(SPINE, "first")));
        edits.put("a leaf's name", spec -> FabricEdits.rename(spec, Map.of(LEAF, "a-leaf")));
        edits.put("the name of a rack's switch", spec -> FabricEdits.rename(spec, Map.of(RACK, "zz")));
        edits.put("two spines' names swapped",
            spec -> FabricEdits.rename(spec, Map.of(SPINE, OTHER_SPINE, OTHER_SPINE, SPINE)));
        edits.put("names chained", spec -> FabricEdits.rename(spec, Map.of(SPINE, OTHER_SPINE, OTHER_SPINE, LEAF, LEAF,
            "new")));
        edits.put("ids of spines swapped", spec -> FabricEdits.renumberSpines(spec, id -> 3 - id));
        edits.put("ids of spines moved on", spec -> FabricEdits.renumberSpines(spec, id -> id + 1));
        edits.put("ids of planes swapped", spec -> FabricEdits.renumberPlanes(spec, id -> 3 - id));
        edits.put("ids of planes moved on", spec -> FabricEdits.renumberPlanes(spec, id -> id + 1));
        edits.put("ids of pods moved on", spec -> FabricEdits.renumberPods(spec, id -> id + 1));
        edits.put("names of hosts", spec -> FabricEdits.renameHosts(spec, name -> name + "-new"));
        edits.put("all at once", spec -> FabricEdits.renumberPods(FabricEdits.renumberPlanes(
            FabricEdits.renumberSpines(FabricEdits.renameHosts(
            FabricEdits.rename(spec, Map.of(SPINE, "first", LEAF, SPINE)), name -> "x" + name), id -> 7 - id),
            id -> 9 - id), id -> id + 3));
        return edits.entrySet().stream().map(edit -> Arguments.of(edit.getKey(), edit.getValue()));
    }

    @BeforeEach
    void bringUp() {
        world.bringUp(SPEC, guard);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("edits")
    void labelsDisturbNoPacket(String what, UnaryOperator<FabricSpec> edit) {
        FabricSpec edited = edit.apply(SPEC);
        SortedMap<String, Long> datapathIds = datapathIds();
        world.manager.fabricChanged(edited);
        world.pass(MINUTES);
        assertConverged();
        assertThat(datapathIds()).isEqualTo(datapathIds);

        // and back again
        world.manager.fabricChanged(SPEC);
        world.pass(MINUTES);
        assertConverged();
        assertThat(datapathIds()).isEqualTo(datapathIds);
    }

    /** The controller is restarted between an edit and the moment at which it would have been taken up. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("edits")
    void labelsChangedWhileTheControllerWasDownDisturbNoPacket(String what, UnaryOperator<FabricSpec> edit) {
        SortedMap<String, Long> datapathIds = datapathIds();
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(edit.apply(SPEC));
        world.pass(MINUTES);
        assertConverged();
        assertThat(datapathIds()).isEqualTo(datapathIds);
    }

    /** A link that fails after an edit is repaired as ever, and one that is down during an edit stays out of use. */
    @Test
    void linksThatAreDownStayOutOfUse() {
        world.network.carrier(cables.segments(SPINE).get(0), false);
        world.pass(MINUTES);
        world.manager.fabricChanged(FabricEdits.rename(SPEC, Map.of(SPINE, OTHER_SPINE, OTHER_SPINE, SPINE)));
        world.pass(MINUTES);
        world.network.carrier(cables.segments(OTHER_SPINE).get(1), false);
        world.pass(MINUTES);
        assertThat(world.served(cables)).isEqualTo(World.possible(SPEC, world.network.down()));
    }

    /** Ports of a link that has just been removed stay until no rule needs them, whatever the switches are called. */
    @Test
    void removalThatHasNotBegunGoesOnInStages() {
        FabricSpec less = new FabricSpec(SPEC.name(), SPEC.planes(), SPEC.pods(), SPEC.switches(),
            SPEC.links().stream().filter(link -> !link.end().equals(cables.segments(RACK).get(0).lower())).toList(),
            SPEC.policy());
        guard.configured(less);
        world.manager.fabricChanged(less);
        world.manager.fabricChanged(FabricEdits.rename(less, Map.of(SPINE, OTHER_SPINE, OTHER_SPINE, SPINE)));
        world.pass(MINUTES);
        assertThat(world.phase(SPEC)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(cables)).isEqualTo(World.possible(less, Set.of()));
    }

    private void assertConverged() {
        assertThat(world.phase(SPEC)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(cables)).isEqualTo(World.possible(SPEC, world.network.down()));
    }

    private SortedMap<String, Long> datapathIds() {
        SortedMap<String, Long> ids = new TreeMap<>();
        SPEC.switches().forEach(each -> ids.put(each.name(), world.network.bridge(each.name()).orElseThrow()
            .datapathId()));
        return ids;
    }
}
