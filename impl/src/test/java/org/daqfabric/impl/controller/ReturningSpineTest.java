package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.RandomMoves;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spine that was just taken out comes back as another one: no packet that still passes it is lost. */
class ReturningSpineTest {
    private static final Duration MINUTES = Duration.ofMinutes(3);
    private static final FabricSpec SPEC = TestFabrics.prototype();
    private static final String SPINE = SPEC.planes().get(1).spines().get(1).switchName();

    private final World world = new World(1);
    private final PairGuard guard = new PairGuard(world, SPEC, () -> "");

    @BeforeEach
    void bringUp() {
        world.bringUp(SPEC, guard);
    }

    @ParameterizedTest(name = "the store answers late: {0}")
    @ValueSource(booleans = { false, true })
    void comesBackWithAnotherBridge(boolean late) {
        takeOutAndBack(late, FabricEdits.change(SPEC, SPINE, each -> new Switch(SPINE, each.systemId(),
            each.ovsdbAddress(), "br-new", each.datapathType(), each.adminState())));
    }

    @ParameterizedTest(name = "the store answers late: {0}")
    @ValueSource(booleans = { false, true })
    void comesBackInAnotherPlane(boolean late) {
        takeOutAndBack(late, RandomMoves.toPlane(SPEC, SPINE, new Random(1)).orElseThrow());
    }

    private void takeOutAndBack(boolean late, FabricSpec back) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        if (late) {
            world.storing = answer;
        }
        configure(FabricEdits.withoutSpine(SPEC, SPINE));
        world.network.build(new Topology(back));
        configure(back);
        world.storing = CompletableFuture.completedFuture(null);
        answer.complete(null);
        world.pass(MINUTES);
        guard.settled();
        assertThat(world.phase(back)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.bridges()).hasSize(back.switches().size());
    }

    private void configure(FabricSpec next) {
        guard.configured(next);
        world.manager.fabricChanged(next);
    }
}
