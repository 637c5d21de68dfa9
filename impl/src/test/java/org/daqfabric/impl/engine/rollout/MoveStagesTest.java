package org.daqfabric.impl.engine.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MoveStagesTest {
    private static final FabricSpec SPEC = TestFabrics.prototype();
    private static final int CASES = 200;

    @Test
    void nothingMoves() {
        FabricSpec target = FabricEdits.renameHosts(SPEC, name -> name + "x");
        assertThat(stages(SPEC, target)).containsExactly(target);
    }

    @Test
    void aLeafIsDrainedBeforeItMoves() {
        FabricSpec target = move(SPEC, "leaf-1-1");
        assertThat(stages(SPEC, target)).containsExactly(drain(SPEC, "leaf-1-1"), target);
    }

    /** An edge switch has no other path. */
    @Test
    void anEdgeSwitchMovesAtOnce() {
        FabricSpec target = move(SPEC, "rack-1-01");
        assertThat(stages(SPEC, target)).containsExactly(target);
    }

    @Test
    void leavesOfAPodMovePlaneByPlane() {
        FabricSpec first = move(SPEC, "leaf-1-1");
        FabricSpec target = move(first, "leaf-2-1");
        assertThat(stages(SPEC, target)).containsExactly(drain(SPEC, "leaf-1-1"), first, drain(first, "leaf-2-1"),
            target);
    }

    /** The second leaf waits until the first is in use again. */
    @Test
    void theSecondLeafWaitsForTheFirst() {
        FabricSpec first = move(SPEC, "leaf-1-1");
        UnusableLinks unusable = TestFabrics.without(first, "leaf-1-1");
        FabricSpec target = move(first, "leaf-2-1");
        assertThat(MoveStages.next(new Topology(first), target, unusable)).isEqualTo(first);
    }

    /** With one plane only there is nothing to wait for. */
    @Test
    void theOnlyLeafMovesAtOnce() {
        FabricSpec alone = TestFabrics.regular("alone", 1, 2, 2, 1, 1, 1);
        FabricSpec target = move(alone, "leaf-1-1");
        assertThat(stages(alone, target)).containsExactly(target);
    }

    @Test
    void aDrainedSwitchMovesAtOnce() {
        FabricSpec drained = drain(SPEC, "spine-1-1");
        FabricSpec target = move(drained, "spine-1-1");
        assertThat(stages(drained, target)).containsExactly(target);
    }

    /** Every sequence of stages ends with the target, and only the last one may take a path away. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void stagesEndAndKeepPaths(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < CASES; number++) {
            FabricSpec spec = TestFabrics.generated(random);
            FabricSpec target = spec;
            for (Switch each : spec.switches()) {
                target = random.nextInt(4) == 0 ? move(target, each.name()) : target;
            }
            List<FabricSpec> stages = stages(spec, target);
            assertThat(stages.get(stages.size() - 1)).as("seed %d case %d", seed, number).isEqualTo(target);
            stages.subList(0, stages.size() - 1).forEach(stage ->
                assertThat(pairs(stage)).as("seed %d", seed).isEqualTo(pairs(spec)));
        }
    }

    private static int pairs(FabricSpec spec) {
        return new UsableFabric(new Topology(spec), UnusableLinks.ALL_UP).connectedPairs();
    }

    private static List<FabricSpec> stages(FabricSpec from, FabricSpec target) {
        List<FabricSpec> stages = new ArrayList<>();
        FabricSpec inForce = from;
        do {
            inForce = MoveStages.next(new Topology(inForce), target, UnusableLinks.ALL_UP);
            assertThat(stages).doesNotContain(inForce);
            stages.add(inForce);
        } while (!inForce.equals(target));
        return stages;
    }

    private static FabricSpec move(FabricSpec spec, String name) {
        return FabricEdits.change(spec, name, each -> new Switch(each.name(), "new " + each.systemId(),
            each.ovsdbAddress(), each.bridge(), each.datapathType(), each.adminState()));
    }

    private static FabricSpec drain(FabricSpec spec, String name) {
        return FabricEdits.change(spec, name, each -> new Switch(each.name(), each.systemId(), each.ovsdbAddress(),
            each.bridge(), each.datapathType(), AdminState.DRAINED));
    }
}
