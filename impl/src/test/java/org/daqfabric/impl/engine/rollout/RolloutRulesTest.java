package org.daqfabric.impl.engine.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** The rules that the event loop and the dry run share. */
class RolloutRulesTest {
    private static final Topology FABRIC = new Topology(TestFabrics.regular("small", 2, 2, 2, 1, 1, 2));

    /** DCMs that no failure affects move only for an improvement, after the first reports and outside runs. */
    @Test
    void onlyImprovementsOutsideRunsMayMoveOthers() {
        assertThat(new Replan(false, false, false, false, false).scope()).as("a failure").isEqualTo(Scope.REPAIR);
        assertThat(new Replan(false, true, false, false, false).scope()).isEqualTo(Scope.OPTIMISE);
        assertThat(new Replan(false, false, true, false, false).scope()).isEqualTo(Scope.OPTIMISE);
        assertThat(new Replan(false, false, false, true, false).scope()).isEqualTo(Scope.OPTIMISE);
        assertThat(new Replan(true, true, true, true, false).scope()).as("just started").isEqualTo(Scope.REPAIR);
        assertThat(new Replan(false, true, true, true, true).scope()).as("in a run").isEqualTo(Scope.REPAIR);
    }

    /** A link is back if it was unusable and is not any more, whatever failed at the same time. */
    @Test
    void linkIsBackIfItWasUnusable() {
        UnusableLinks one = unusable(0);
        UnusableLinks other = unusable(1);
        assertThat(Replan.linksBack(UnusableLinks.ALL_UP, one)).isFalse();
        assertThat(Replan.linksBack(one, UnusableLinks.ALL_UP)).isTrue();
        assertThat(Replan.linksBack(one, other)).isTrue();
        assertThat(Replan.linksBack(one, unusable(0, 1))).isFalse();
    }

    /** The edge waits for the inside unless one link at most was ever avoided, for then every leaf has had a path. */
    @Test
    void edgeSwitchesWaitUnlessOneLinkIsAvoided() {
        Set<String> edges = FABRIC.edges().keySet();
        assertThat(AvoidedLinks.UNKNOWN.changeLast(FABRIC, unusable(0))).as("unknown").isEqualTo(edges);
        AvoidedLinks none = AvoidedLinks.settled(FABRIC, UnusableLinks.ALL_UP);
        assertThat(none.changeLast(FABRIC, unusable(0))).isEmpty();
        assertThat(none.changeLast(FABRIC, unusable(0, 1))).isEqualTo(edges);
        AvoidedLinks first = none.during(FABRIC, unusable(0));
        assertThat(first.changeLast(FABRIC, UnusableLinks.ALL_UP)).as("the same link is back").isEmpty();
        assertThat(first.changeLast(FABRIC, unusable(1))).as("programs for both may be installed").isEqualTo(edges);
        assertThat(AvoidedLinks.settled(FABRIC, unusable(1)).changeLast(FABRIC, unusable(1))).isEmpty();
    }

    /** Leaves and spines change before edge switches, no step goes back, and the last one allows all stages. */
    @Test
    void stepsLetTheInsideChangeFirst() {
        assertThat(Step.ADD.upTo(false)).isEqualTo(Stage.ADD);
        assertThat(Step.CHANGE_INSIDE.upTo(false)).isEqualTo(Stage.CHANGE);
        assertThat(Step.CHANGE_INSIDE.upTo(true)).isEqualTo(Stage.ADD);
        assertThat(Step.CHANGE_EDGE.upTo(true)).isEqualTo(Stage.CHANGE);
        assertThat(Step.REMOVE.upTo(true)).isEqualTo(Stage.REMOVE);
        for (boolean last : new boolean[] {false, true}) {
            for (int step = 1; step < Step.values().length; step++) {
                assertThat(Step.values()[step].upTo(last)).isGreaterThanOrEqualTo(Step.values()[step - 1].upTo(last));
            }
        }
    }

    /** A simulated rollout ends with the desired programs, and a second one has nothing to send. */
    @Test
    void simulationInstallsWhatIsDesired() {
        SortedMap<String, Program> desired = programs(UnusableLinks.ALL_UP);
        RolloutSimulation rollout = new RolloutSimulation(Collections.emptySortedMap(), Set.of());
        rollout.finish(desired, Stage.REMOVE);
        assertThat(rollout.installed()).isEqualTo(desired);
        int sent = rollout.messages();
        assertThat(sent).isPositive();
        rollout.begin(desired, Set.of());
        rollout.finish(desired, Stage.REMOVE);
        assertThat(rollout.messages()).isEqualTo(sent);
    }

    /**
     * What goes out before any switch has confirmed anything is one step, and no edge switch is in it that must wait.
     */
    @Test
    void simulationBeginsWithTheFirstStepThatHasMessages() {
        SortedMap<String, Program> before = programs(UnusableLinks.ALL_UP);
        SortedMap<String, Program> after = programs(unusable(0));
        RolloutSimulation rollout = new RolloutSimulation(before, Set.of());
        rollout.begin(after, FABRIC.edges().keySet());
        assertThat(rollout.messages()).isPositive();
        assertThat(FABRIC.edges().keySet()).allMatch(name -> rollout.messages(name) == 0);
    }

    /** A switch that cannot be reached is sent nothing. */
    @Test
    void simulationSendsNothingToSilentSwitches() {
        String silent = FABRIC.roles().firstKey();
        RolloutSimulation rollout = new RolloutSimulation(Collections.emptySortedMap(), Set.of(silent));
        rollout.finish(programs(UnusableLinks.ALL_UP), Stage.REMOVE);
        assertThat(rollout.messages(silent)).isZero();
        assertThat(rollout.installed()).doesNotContainKey(silent);
    }

    private static SortedMap<String, Program> programs(UnusableLinks unusable) {
        Placement placement = Placer.place(FABRIC, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(FABRIC, PortNumbers.EMPTY,
            Daqrings.needed(FABRIC, placement, FABRIC.roles().keySet()));
        Compiler compiler = new Compiler(FABRIC, unusable, placement, numbers);
        SortedMap<String, Program> programs = new TreeMap<>();
        for (String name : FABRIC.roles().keySet()) {
            programs.put(name, compiler.compile(name, numbers.of(name).keySet(), Program.EMPTY));
        }
        return programs;
    }

    /** Links between leaves and spines, by number. */
    private static UnusableLinks unusable(int... links) {
        var inside = FABRIC.spec().links().stream().map(Link::end).filter(end ->
            !FABRIC.edges().containsKey(end.switchName())
                && !FABRIC.edges().containsKey(FABRIC.spec().links().stream().filter(link -> link.end().equals(end))
                    .findFirst().orElseThrow().peer().switchName())).toList();
        Set<PortId> down = new HashSet<>();
        for (int link : links) {
            down.add(inside.get(link));
        }
        return new UnusableLinks(down);
    }
}
