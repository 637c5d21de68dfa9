package org.daqfabric.impl.engine.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
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
        assertThat(AvoidedLinks.UNKNOWN.order(FABRIC, unusable(0)).last()).as("unknown").isEqualTo(edges);
        assertThat(AvoidedLinks.UNKNOWN.during(FABRIC, UnusableLinks.ALL_UP).order(FABRIC, unusable(0)).last())
            .as("still unknown").isEqualTo(edges);
        AvoidedLinks none = AvoidedLinks.settled(FABRIC, UnusableLinks.ALL_UP);
        assertThat(none.order(FABRIC, unusable(0)).last()).isEmpty();
        assertThat(none.order(FABRIC, unusable(0, 1)).last()).isEqualTo(edges);
        AvoidedLinks first = none.during(FABRIC, unusable(0));
        assertThat(first.order(FABRIC, UnusableLinks.ALL_UP).last()).as("the same link is back").isEmpty();
        assertThat(first.order(FABRIC, unusable(1)).last()).as("programs for both may be installed").isEqualTo(edges);
        assertThat(AvoidedLinks.settled(FABRIC, unusable(1)).order(FABRIC, unusable(1)).last()).isEmpty();
    }

    /** A spine that no program leads to changes first; one that a program may still lead to does not. */
    @Test
    void unusedSwitchesChangeFirst() {
        String spine = FABRIC.roles().keySet().stream().filter(name -> FABRIC.roles().get(name) instanceof Role.OfSpine)
            .findFirst().orElseThrow();
        UnusableLinks without = new UnusableLinks(FABRIC.segments(spine).stream().map(Segment::id)
            .collect(Collectors.toSet()));
        AvoidedLinks settled = AvoidedLinks.settled(FABRIC, without);
        assertThat(settled.order(FABRIC, UnusableLinks.ALL_UP).first()).containsExactly(spine);
        AvoidedLinks back = settled.during(FABRIC, UnusableLinks.ALL_UP);
        assertThat(back.order(FABRIC, without).first()).as("nothing leads there yet").containsExactly(spine);
        assertThat(back.changing(FABRIC, UnusableLinks.ALL_UP).order(FABRIC, without).first()).isEmpty();
        AvoidedLinks before = AvoidedLinks.settled(FABRIC, UnusableLinks.ALL_UP);
        assertThat(before.order(FABRIC, without).first()).as("as it fails").isEmpty();
        AvoidedLinks failed = before.during(FABRIC, without).changing(FABRIC, without);
        assertThat(failed.order(FABRIC, UnusableLinks.ALL_UP).first()).as("packets may still follow").isEmpty();
        assertThat(failed.followed(FABRIC, without).order(FABRIC, without).first()).containsExactly(spine);
        assertThat(AvoidedLinks.UNKNOWN.order(FABRIC, without).first()).isEmpty();
        ChangeOrder started = AvoidedLinks.UNKNOWN.followed(FABRIC, without).order(FABRIC, UnusableLinks.ALL_UP);
        assertThat(started.first()).as("a switch out of reach may have avoided other links").containsExactly(spine);
        assertThat(started.last()).isEqualTo(FABRIC.edges().keySet());
    }

    /** Leaves and spines change before edge switches, no step goes back, and the last one allows all stages. */
    @Test
    void stepsLetTheInsideChangeFirst() {
        ChangeOrder order = new ChangeOrder(Set.of("spine"), Set.of("edge"));
        assertThat(order.upTo(Step.ADD, "leaf")).isEqualTo(Stage.ADD);
        assertThat(order.upTo(Step.ADD, "spine")).isEqualTo(Stage.CHANGE);
        assertThat(order.upTo(Step.CHANGE_INSIDE, "leaf")).isEqualTo(Stage.CHANGE);
        assertThat(order.upTo(Step.CHANGE_INSIDE, "edge")).isEqualTo(Stage.ADD);
        assertThat(order.upTo(Step.CHANGE_EDGE, "edge")).isEqualTo(Stage.CHANGE);
        for (String name : Set.of("leaf", "spine", "edge")) {
            assertThat(order.upTo(Step.REMOVE, name)).isEqualTo(Stage.REMOVE);
            for (int step = 1; step < Step.values().length; step++) {
                assertThat(order.upTo(Step.values()[step], name))
                    .isGreaterThanOrEqualTo(order.upTo(Step.values()[step - 1], name));
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
        rollout.begin(desired, ChangeOrder.NONE);
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
        rollout.begin(after, new ChangeOrder(Set.of(), FABRIC.edges().keySet()));
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
