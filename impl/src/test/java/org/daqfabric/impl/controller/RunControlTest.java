package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Health;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.impl.runcontrol.Request;
import org.junit.jupiter.api.Test;

/** Requests of run controllers, and what becomes of the fabric. */
class RunControlTest extends AbstractRunControlTest {
    /** A partition goes through all states of a run, with a notification of each. */
    @Test
    void partitionGoesThroughARun() {
        Answer prepared = prepare("det", ALL, ALL, 1);
        assertThat(prepared.state()).isEqualTo(RunState.PREPARED);
        assertThat(prepared.works()).isTrue();
        assertThat(partition("det").operation().orElseThrow().status()).isEqualTo(Operation.Status.DONE);
        assertThat(arm("det").state()).isEqualTo(RunState.READY);
        assertThat(start("det", 5).state()).isEqualTo(RunState.RUNNING);
        Answer stopped = stop("det");
        assertThat(stopped.state()).isEqualTo(RunState.READY);
        assertThat(stopped.run().orElseThrow().number()).isEqualTo(5);
        assertThat(ask(new Request.Release(id(), "det")).state()).isEqualTo(RunState.IDLE);
        assertThat(world.notifications.texts("run-state"))
            .containsExactly("prepared", "ready", "running, run 5", "ready", "idle");
        assertThat(world.notifications.texts("operation")).last().isEqualTo("prepare done, 100 %");
    }

    /** Starting a run changes nothing in the switches. */
    @Test
    void startingSendsNothing() {
        prepare("det", ALL, ALL, 1);
        arm("det");
        int messages = world.network.messages();
        start("det", 1);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.network.messages()).isEqualTo(messages);
    }

    /** A repeated request-id gets the first answer again, also a refusal. */
    @Test
    void repeatedRequestGetsTheSameAnswer() {
        Request.Prepare request = new Request.Prepare("once", "det", Optional.empty(), "", ALL, ALL, 0);
        Answer first = ask(request);
        assertThat(ask(request)).isEqualTo(first);
        Request.Start early = new Request.Start("early", "det", 1);
        Answer refused = ask(early);
        refused(refused, Answer.Refusal.Kind.STATE, "prepared", "arm it first", "another request-id");
        arm("det");
        assertThat(ask(early)).isEqualTo(refused);
        refused(ask(new Request.Arm("early", "det", false)), Answer.Refusal.Kind.INPUT, "request-id: ");
        assertThat(partition("det").state()).isEqualTo(RunState.READY);
    }

    /** A request for the present state succeeds; one that the state does not allow is refused. */
    @Test
    void requestForThePresentStateSucceeds() {
        runs("det", 3);
        assertThat(start("det", 3).refusal()).isEmpty();
        refused(start("det", 4), Answer.Refusal.Kind.STATE, "running", "stop run 3");
        refused(arm("det"), Answer.Refusal.Kind.STATE, "running");
        refused(prepare("det", ALL, ALL, 0), Answer.Refusal.Kind.STATE, "running");
        stop("det");
        assertThat(stop("det").refusal()).isEmpty();
        ask(new Request.Release(id(), "det"));
        assertThat(ask(new Request.Release(id(), "det")).refusal()).isEmpty();
        assertThat(ask(new Request.Abort(id(), "nobody")).refusal()).isEmpty();
        refused(start("nobody", 1), Answer.Refusal.Kind.STATE, "idle", "prepare it first");
    }

    /** The refusal of a prepare names every mistake in it. */
    @Test
    void refusalNamesEveryMistake() {
        refused(prepare("det", names("ros-9-9"), names("nobody"), 0), Answer.Refusal.Kind.INPUT,
            "ros: fabric " + spec.name() + " has no ROS ros-9-9",
            "dcm: fabric " + spec.name() + " has no DCM nobody");
        refused(ask(new Request.Prepare(id(), "det", Optional.of("other"), "", ALL, ALL, 0)),
            Answer.Refusal.Kind.INPUT, "fabric: ", spec.name());
    }

    /** Two partitions may share ROS but not DCMs; the fabric is frozen while either of them runs. */
    @Test
    void twoPartitionsShareRosAndNoDcm() {
        List<String> dcms = topology.endpoints().values().stream().filter(host -> host.isDcm())
            .map(host -> host.name()).toList();
        SortedSet<String> one = new TreeSet<>(dcms.subList(0, dcms.size() / 2));
        SortedSet<String> other = new TreeSet<>(dcms.subList(dcms.size() / 2, dcms.size()));
        prepare("one", ALL, one, 0);
        refused(prepare("other", ALL, ALL, 0), Answer.Refusal.Kind.MISSING, one.first(), "partition one");
        assertThat(prepare("other", ALL, other, 0).refusal()).isEmpty();
        refused(ask(new Request.Enable(id(), "other", new Selection(ALL, one))), Answer.Refusal.Kind.MISSING,
            one.first());
        arm("one");
        start("one", 1);
        arm("other");
        assertThat(start("other", 2).refusal()).isEmpty();
        stop("one");
        assertThat(world.runs.frozenBy(spec.name()))
            .hasValueSatisfying(why -> assertThat(why).contains("run 2", "other"));
        stop("other");
        assertThat(world.runs.frozenBy(spec.name())).isEmpty();
    }

    /** The DCMs of a partition are spread over spines, whatever the others do. */
    @Test
    void placesTheDcmsOfAPartitionEvenly() {
        List<DcmPlacement> before = world.states.get(spec.name()).placements();
        // all DCMs that use the first spine of the first plane now
        SortedSet<String> crowded = new TreeSet<>();
        before.stream().filter(dcm -> dcm.plane() == 1 && dcm.spine() == 1).map(DcmPlacement::dcm)
            .forEach(crowded::add);
        prepare("det", ALL, crowded, 0);
        assertThat(world.states.get(spec.name()).placements().stream().filter(dcm -> crowded.contains(dcm.dcm()))
            .map(dcm -> dcm.plane() + "/" + dcm.spine()).distinct()).hasSizeGreaterThan(1);
        double alone = shown("det").condition().orElseThrow().achievable();
        assertThat(alone).isEqualTo(shown("det").condition().orElseThrow().nominal(), within(1e-3));
    }

    private static org.assertj.core.data.Offset<Double> within(double value) {
        return org.assertj.core.data.Offset.offset(value);
    }

    /** A link that fails in a run is repaired and reported, and used again only after the run. */
    @Test
    void linkThatFailsInARunIsHeldBackUntilItsEnd() {
        runs("det", 8);
        world.network.carrier(leafToSpine(), false);
        world.settle();
        assertThat(health("det")).isEqualTo(Health.DEGRADED);
        assertThat(shown("det").condition().orElseThrow().concerns()).singleElement()
            .satisfies(concern -> assertThat(concern.kind()).isEqualTo(Concern.Kind.LINK));
        assertThat(world.notifications.texts("repair")).hasSize(1);
        assertThat(world.notifications.texts("link-state")).last().isEqualTo("down");
        world.network.carrier(leafToSpine(), true);
        world.pass(Duration.ofMinutes(10));
        assertThat(world.isUsed(spec, leafToSpine())).isFalse();
        RunRecord run = stop("det").run().orElseThrow();
        assertThat(run.repairs()).isEqualTo(1);
        assertThat(run.movedDcms()).isPositive();
        assertThat(run.worstHealth()).isEqualTo(Health.DEGRADED);
        assertThat(run.lowestBandwidth()).isPositive();
        world.settle();
        assertThat(world.isUsed(spec, leafToSpine())).isTrue();
        assertThat(health("det")).isEqualTo(Health.OK);
    }

    /** A partition without its required bandwidth is not armed; a run that loses it continues as insufficient. */
    @Test
    void tooLittleBandwidthIsInsufficient() {
        double nominal = nominal();
        refused(armAfter(nominal * 1.01), Answer.Refusal.Kind.MISSING, "bandwidth det", "required");
        assertThat(armAfter(nominal * 0.99).refusal()).isEmpty();
        start("det", 1);
        for (int spine : topology.spines(1).keySet()) {
            world.network.carrier(topology.between(topology.leaf(1, 1), topology.spines(1).get(spine)).get(0), false);
        }
        world.settle();
        assertThat(health("det")).isEqualTo(Health.INSUFFICIENT);
        assertThat(world.notifications.texts("run-health")).last().asString().startsWith("insufficient");
        assertThat(partition("det").state()).isEqualTo(RunState.RUNNING);
    }

    private double nominal() {
        prepare("det", ALL, ALL, 0);
        return shown("det").condition().orElseThrow().nominal();
    }

    private Answer armAfter(double required) {
        prepare("det", ALL, ALL, required);
        return arm("det");
    }

    /** A ROS that is cut off prevents arming until it is disabled. */
    @Test
    void cutOffRosMustBeDisabledBeforeARun() {
        String ros = topology.endpoints().values().stream().filter(host -> !host.isDcm()).findFirst().orElseThrow()
            .name();
        String edge = topology.endpoints().values().stream().filter(host -> host.name().equals(ros)).findFirst()
            .orElseThrow().edge();
        prepare("det", ALL, ALL, 0);
        topology.segments(edge).forEach(link -> world.network.carrier(link, false));
        world.pass(Following.FOLLOWS);
        Answer refused = ask(new Request.Arm(id(), "det", true));
        refused(refused, Answer.Refusal.Kind.MISSING, "ros " + ros + ": it reaches none of the DCMs");
        assertThat(ask(new Request.Disable(id(), "det", new Selection(names(ros), ALL))).refusal()).isEmpty();
        world.settle();
        assertThat(arm("det").refusal()).isEmpty();
        assertThat(start("det", 1).refusal()).isEmpty();
        assertThat(health("det")).isEqualTo(Health.OK);
    }

    /** Arming lists all concerns, and ignores them if the request says so. */
    @Test
    void armingListsAllConcernsUnlessTheyAreAccepted() {
        prepare("det", ALL, ALL, 0);
        world.network.carrier(leafToSpine(), false);
        world.network.isolate(topology.leaf(2, 2));
        world.settle();
        refused(arm("det"), Answer.Refusal.Kind.MISSING, "link " + leafToSpine().id(), "switch " + topology.leaf(2, 2),
            "misses 2 things");
        assertThat(ask(new Request.Arm(id(), "det", true)).refusal()).isEmpty();
        assertThat(start("det", 1).refusal()).isEmpty();
    }

    /** Removing a fabric puts its partitions into state error, from which they can be released. */
    @Test
    void removedFabricPutsItsPartitionsIntoError() {
        prepare("det", ALL, ALL, 0);
        world.manager.fabricRemoved(spec.name());
        world.settle();
        assertThat(partition("det").state()).isEqualTo(RunState.ERROR);
        assertThat(partition("det").reason()).contains("removed", "release");
        assertThat(ask(new Request.Release(id(), "det")).state()).isEqualTo(RunState.IDLE);
    }

    /** A subscriber can read the events it missed, and learns if some are lost. */
    @Test
    void missedEventsCanBeRead() {
        runs("det", 8);
        world.network.carrier(leafToSpine(), false);
        world.settle();
        var all = world.events.after("", 0);
        assertThat(all.complete()).isTrue();
        assertThat(all.events()).isEqualTo(world.notifications.events);
        assertThat(all.events()).extracting(event -> event.sequence()).isEqualTo(
            java.util.stream.LongStream.rangeClosed(1, all.newest()).boxed().toList());
        assertThat(world.events.after(all.epoch(), all.newest()).events()).isEmpty();
        assertThat(world.events.after("another start", 1).complete()).isFalse();
        assertThat(world.events.after("", all.newest() + 1).complete()).isFalse();
    }
}
