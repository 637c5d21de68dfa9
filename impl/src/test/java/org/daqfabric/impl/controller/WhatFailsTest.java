package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Failures;
import org.daqfabric.api.plan.Failures.Failure;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.SingleFailures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The report of single failures. */
class WhatFailsTest {
    private static final int CASES = 30;

    static LongStream seeds() {
        // in the last one parallel links are shared by addresses that use two spines at once
        return LongStream.concat(Seeds.seeds(), LongStream.of(50977145117524L));
    }

    /** The report of each failure equals the result of placing for that failure. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void reportEqualsTheRepairOfEachFailure(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            Topology topology = new Topology(spec);
            UnusableLinks unusable = TestFabrics.failures(random, spec);
            Placement placement = Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE);
            Failures report = report(topology, unusable, placement);
            assertThat(report.bandwidth()).isEqualTo(Loads.of(topology, unusable, placement).bandwidth());
            for (Failure failure : report.worstFirst()) {
                String when = "seed " + seed + " case " + number + " " + failure;
                UnusableLinks then = with(unusable, failure.link().isPresent() ? Set.of(failure.link().get().end())
                    : TestFabrics.without(spec, failure.switchName()).down());
                Placement repaired = Placer.place(topology, then, placement, Scope.REPAIR);
                Loads loads = Loads.of(topology, then, repaired);
                assertThat(failure.bandwidth()).as(when).isCloseTo(loads.bandwidth(), within(1e-6));
                assertThat(failure.movedDcms()).as(when)
                    .isEqualTo(MoveCounter.countMoves(topology, placement, repaired));
                assertCutOff(topology, new Wiring(spec, then), failure, when);
            }
        }
    }

    /** A flow is cut off by the failure of its host's switch, and by no link while there are two planes. */
    @Test
    void namesTheFlowsThatAreCutOff() {
        Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(),
            List.of(new Flow("log", Flow.ALL_DCMS, "host-1", Flow.Kind.EVENTS, 0, 0.01))));
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        assertThat(report(topology, UnusableLinks.ALL_UP, placement).worstFirst())
            .filteredOn(failure -> !failure.cutOffFlows().isEmpty())
            .allSatisfy(failure -> assertThat(failure.cutOffFlows()).containsExactly("log"))
            .extracting(Failure::switchName).contains("host-1").hasSize(7)
            .allMatch(name -> name.startsWith("rack-") || name.equals("host-1"));
    }

    private static void assertCutOff(Topology topology, Wiring wiring, Failure failure, String when) {
        List<Endpoint> sending = topology.endpoints().values().stream().filter(host -> !host.isDcm())
            .filter(ros -> topology.dcms().stream().anyMatch(dcm -> sends(wiring, ros, dcm))).toList();
        assertThat(failure.cutOffRos()).as(when).containsExactlyElementsOf(topology.endpoints().values().stream()
            .filter(host -> !host.isDcm() && !sending.contains(host)).map(Endpoint::name).sorted().toList());
        topology.dcms().forEach(dcm -> assertThat(failure.cutOffDcms().contains(dcm.name()))
            .as("%s %s", when, dcm.name()).isEqualTo(sending.isEmpty() || sending.stream()
                .anyMatch(ros -> !ros.edge().equals(dcm.edge()) && !sends(wiring, ros, dcm))));
    }

    /** Whether links lead from one node to another. */
    private static boolean sends(Wiring wiring, Endpoint ros, Endpoint dcm) {
        return !ros.edge().equals(dcm.edge()) && wiring.hasPath(ros.edge(), ros.pod(), dcm.edge(), dcm.pod());
    }

    private static UnusableLinks with(UnusableLinks unusable, Set<PortId> failing) {
        Set<PortId> down = new HashSet<>(unusable.down());
        down.addAll(failing);
        return new UnusableLinks(down);
    }

    private static Failures report(Topology topology, UnusableLinks unusable, Placement placement) {
        return new SingleFailures(topology, topology, unusable, placement,
            (before, after) -> MoveCounter.countMoves(topology, before, after)).report();
    }

    /**
     * A failed rack cuts off its DCMs and a failed ROS itself; with two planes, no failed spine or leaf cuts off
     * anything.
     */
    @Test
    void worstFailuresAreFirst() {
        Topology topology = new Topology(TestFabrics.prototype());
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        var failures = report(topology, UnusableLinks.ALL_UP, placement).worstFirst();
        assertThat(failures.get(0).switchName()).isEqualTo("rack-1-01");
        assertThat(failures.get(0).link()).isEqualTo(Optional.empty());
        assertThat(failures.get(0).cutOffDcms()).hasSize(8).startsWith("dcm-1-01-001");
        assertThat(failures).filteredOn(failure -> !failure.cutOffRos().isEmpty()).hasSize(6)
            .allSatisfy(failure -> assertThat(failure.switchName()).startsWith("ros-"));
        assertThat(failures).filteredOn(failure -> failure.link().isPresent()).hasSize(topology.spec().links().size())
            .allSatisfy(failure -> assertThat(failure.cutOffDcms()).isEmpty());
        assertThat(failures).filteredOn(failure -> failure.switchName().startsWith("leaf-") && failure.link().isEmpty())
            .hasSize(4).allSatisfy(failure -> assertThat(failure.utilisation()).isCloseTo(0.5, within(1e-9)));
    }
}
