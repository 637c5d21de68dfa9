package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A controller starts after an edit that the one before has not carried out: what has another path loses nothing. */
class StartAfterEditTest {
    private static final Duration MINUTES = Duration.ofMinutes(4);
    private static final FabricSpec SPEC = TestFabrics.prototype();

    private final World world = new World(1);
    private final PairGuard guard = new PairGuard(world, SPEC, () -> "");

    static Stream<Arguments> edits() {
        return Stream.of(
            Arguments.of("a leaf's bridge", bridge("leaf-1-1"), Map.of()),
            Arguments.of("a spine's bridge", bridge("spine-1-1"), Map.of()),
            Arguments.of("a leaf's bridge and its name, which another leaf takes", bridge("leaf-1-1"),
                Map.of("leaf-1-1", "new-leaf", "leaf-2-1", "leaf-1-1")),
            Arguments.of("a spine's bridge and its name, which another spine takes", bridge("spine-1-1"),
                Map.of("spine-1-1", "new-spine", "spine-1-2", "spine-1-1")),
            Arguments.of("a spine's bridge and its name", bridge("spine-1-1"), Map.of("spine-1-1", "new-spine")),
            Arguments.of("a spine leaves", FabricEdits.withoutSpine(SPEC, "spine-1-2"), Map.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("edits")
    void losesNothing(String what, FabricSpec edited, Map<String, String> names) {
        world.bringUp(SPEC, guard);
        guard.configured(edited);
        world.network.build(new Topology(edited));
        world.manager.close();
        world.start(FabricEdits.rename(edited, names));
        world.network.reconnect();
        world.pass(MINUTES);
        guard.settled();
        assertThat(world.phase(edited)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.bridges()).hasSize(edited.switches().size());
    }

    private static FabricSpec bridge(String switchName) {
        return FabricEdits.change(SPEC, switchName, each -> new Switch(each.name(), each.systemId(),
            each.ovsdbAddress(), "br-new", each.datapathType(), each.adminState()));
    }
}
