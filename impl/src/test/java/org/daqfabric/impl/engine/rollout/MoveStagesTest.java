package org.daqfabric.impl.engine.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Role;
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

    /** One rack has no other path: it does not keep the others from taking theirs. */
    @Test
    void aLeafIsDrainedForThoseWithAnotherPath() {
        FabricSpec uneven = withoutLink(SPEC, "rack-1-01", "leaf-2-1");
        FabricSpec target = move(uneven, "leaf-1-1");
        assertThat(stages(uneven, target)).containsExactly(drain(uneven, "leaf-1-1"), target);
    }

    /** One rack has lost its link to the other plane: that is waited for, and in vain the others take their path. */
    @Test
    void aLeafIsDrainedForThoseWithAnotherPathWhenALinkStaysDown() {
        UnusableLinks down = new UnusableLinks(Set.of(SPEC.links().stream()
            .filter(link -> Set.of(link.end().switchName(), link.peer().switchName())
                .equals(Set.of("rack-1-01", "leaf-2-1"))).findFirst().orElseThrow().end()));
        FabricSpec target = move(SPEC, "leaf-1-1");
        FabricSpec drained = drain(SPEC, "leaf-1-1");
        assertThat(MoveStages.next(new Topology(SPEC), target, down)).isEqualTo(SPEC);
        assertThat(MoveStages.nextWithoutWaiting(new Topology(SPEC), target, down)).isEqualTo(drained);
        assertThat(MoveStages.nextWithoutWaiting(new Topology(drained), target, down)).isEqualTo(target);
    }

    /** One rack of each plane has no other path. */
    @Test
    void leavesMovePlaneByPlaneThoughSomeHaveNoOtherPath() {
        FabricSpec uneven = withoutLink(withoutLink(SPEC, "rack-1-01", "leaf-2-1"), "rack-1-02", "leaf-1-1");
        FabricSpec first = move(uneven, "leaf-1-1");
        FabricSpec target = move(first, "leaf-2-1");
        assertThat(stages(uneven, target)).containsExactly(drain(uneven, "leaf-1-1"), first,
            drain(first, "leaf-2-1"), target);
        UnusableLinks unusable = TestFabrics.without(first, "leaf-1-1");
        assertThat(MoveStages.next(new Topology(first), target, unusable)).as("links not up yet").isEqualTo(first);
    }

    private static FabricSpec withoutLink(FabricSpec spec, String lower, String upper) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links().stream()
            .filter(link -> !Set.of(link.end().switchName(), link.peer().switchName()).equals(Set.of(lower, upper)))
            .toList(), spec.policy());
    }

    /**
     * Every sequence of stages ends with the target, and those on the way take only paths away that need the switches
     * which move in some plane.
     */
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
            assertThat(stagesWithoutWaiting(spec, target, TestFabrics.failures(random, spec)))
                .as("seed %d case %d, links down", seed, number).endsWith(target);
            Topology topology = new Topology(spec);
            Set<String> moving = MoveStages.moving(topology, target);
            int least = topology.planes().stream().mapToInt(plane -> pairs(withoutPlane(spec, moving, plane))).min()
                .orElse(0);
            stages.subList(0, stages.size() - 1).forEach(stage ->
                assertThat(pairs(stage)).as("seed %d", seed).isGreaterThanOrEqualTo(least));
        }
    }

    /** The moving switches of a plane are drained. */
    private static FabricSpec withoutPlane(FabricSpec spec, Set<String> moving, int plane) {
        FabricSpec without = spec;
        for (String name : moving) {
            int of = switch (new Topology(spec).roles().get(name)) {
                case Role.OfLeaf leaf -> leaf.plane();
                case Role.OfSpine spine -> spine.plane();
                default -> 0;
            };
            without = of == plane ? drain(without, name) : without;
        }
        return without;
    }

    private static int pairs(FabricSpec spec) {
        return new UsableFabric(new Topology(spec), UnusableLinks.ALL_UP).connectedPairs();
    }

    private static List<FabricSpec> stages(FabricSpec from, FabricSpec target) {
        return stages(from, target, inForce -> MoveStages.next(inForce, target, UnusableLinks.ALL_UP));
    }

    private static List<FabricSpec> stagesWithoutWaiting(FabricSpec from, FabricSpec target, UnusableLinks down) {
        return stages(from, target, inForce -> MoveStages.nextWithoutWaiting(inForce, target, down));
    }

    private static List<FabricSpec> stages(FabricSpec from, FabricSpec target, Function<Topology, FabricSpec> next) {
        List<FabricSpec> stages = new ArrayList<>();
        FabricSpec inForce = from;
        do {
            inForce = next.apply(new Topology(inForce));
            assertThat(stages).doesNotContain(inForce);
            stages.add(inForce);
        } while (!inForce.equals(target));
        return stages;
    }

    private static FabricSpec move(FabricSpec spec, String name) {
        return FabricEdits.change(spec, name, each ->
            FabricEdits.at(each, "new " + each.systemId(), each.bridge()));
    }

    private static FabricSpec drain(FabricSpec spec, String name) {
        return FabricEdits.change(spec, name, each -> each.withState(AdminState.DRAINED));
    }
}
