package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Health;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.runcontrol.Request;
import org.junit.jupiter.api.BeforeEach;

/** Run control with a whole controller against a network in memory, and requests to it in one line each. */
abstract class AbstractRunControlTest {
    static final SortedSet<String> ALL = new TreeSet<>();

    final World world = new World(7);
    final FabricSpec spec = betweenRuns(TestFabrics.prototype());
    final Topology topology = new Topology(spec);
    int requests;

    @BeforeEach
    void bringUp() {
        world.configure(spec);
        world.settle();
        // longer than links wait for BFD
        world.pass(Duration.ofSeconds(10));
    }

    static FabricSpec betweenRuns(FabricSpec spec) {
        Policy policy = new Policy(new Policy.Placement(spec.policy().placement().algorithm(),
            Policy.Return.BETWEEN_RUNS), spec.policy().daqring(), spec.policy().protection(), spec.policy().rules(),
            spec.policy().mtu());
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(), policy);
    }

    Answer ask(Request request) {
        var answer = world.runs.ask(request).toCompletableFuture();
        world.settle();
        assertThat(answer).isCompleted();
        return answer.join();
    }

    String id() {
        return "r" + ++requests;
    }

    Answer prepare(String partition, SortedSet<String> ros, SortedSet<String> dcms, double required) {
        Answer answer = ask(new Request.Prepare(id(), partition, Optional.empty(), "physics", ros, dcms, required));
        world.settle();
        return answer;
    }

    Answer arm(String partition) {
        return ask(new Request.Arm(id(), partition, false));
    }

    Answer start(String partition, long number) {
        return ask(new Request.Start(id(), partition, number));
    }

    Answer stop(String partition) {
        return ask(new Request.Stop(id(), partition));
    }

    PartitionState shown(String partition) {
        return world.notifications.partitions.stream().filter(each -> each.partition().name().equals(partition))
            .findAny().orElseThrow();
    }

    Partition partition(String name) {
        return shown(name).partition();
    }

    Health health(String partition) {
        return shown(partition).condition().orElseThrow().health();
    }

    void runs(String partition, long number) {
        prepare(partition, ALL, ALL, 0);
        assertThat(arm(partition).refusal()).isEmpty();
        assertThat(start(partition, number).refusal()).isEmpty();
        assertThat(partition(partition).state()).isEqualTo(RunState.RUNNING);
    }

    Segment leafToSpine() {
        return topology.between(topology.leaf(1, 1), topology.spines(1).get(1)).get(0);
    }

    static SortedSet<String> names(String... names) {
        return new TreeSet<>(Arrays.asList(names));
    }

    static void refused(Answer answer, Answer.Refusal.Kind kind, String... parts) {
        assertThat(answer.refusal()).isPresent();
        assertThat(answer.refusal().get().kind()).isEqualTo(kind);
        assertThat(answer.refusal().get().reasons().stream()
            .map(reason -> reason.input().map(leaf -> leaf + ": ").orElse("") + reason.text())
            .collect(Collectors.joining("\n"))).contains(parts);
    }
}
