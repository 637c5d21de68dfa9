package org.daqfabric.impl.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Phases keep to the links, whatever the fabric. */
class SchedulerTest {
    private static final int FABRICS = 500;

    private record Case(String name, Topology topology, UnusableLinks unusable, Placement placement) {
        static Case of(String name, FabricSpec spec, UnusableLinks unusable) {
            Topology topology = new Topology(spec);
            return new Case(name, topology, unusable,
                Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE));
        }

        Schedule schedule() {
            return Scheduler.of(topology, unusable, placement, 1);
        }
    }

    /** Every pair once, every node once in a phase, and no link beyond its capacity, on the paths of packets. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void keepsToTheLinks(long seed) {
        for (long at = seed; at < seed + FABRICS; at++) {
            Random random = new Random(at);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            Case one = Case.of("daqfabric.seed=" + at, spec, TestFabrics.failures(random, spec));
            Schedule schedule = one.schedule();
            check(one, schedule);
            assertThat(schedule.phases()).as(one.name).isBetween(schedule.bound(), schedule.bound() * 3 / 2 + 1);
            assertThat(one.schedule()).as(one.name).isEqualTo(schedule);
        }
    }

    private static void check(Case one, Schedule schedule) {
        Routing routing = new Routing(one.topology, one.unusable, one.placement);
        Map<String, Endpoint> dcms = new HashMap<>();
        one.topology.dcms().forEach(dcm -> dcms.put(dcm.name(), dcm));
        Set<List<String>> pairs = new HashSet<>();
        List<Map<Object, Double>> loads = new ArrayList<>();
        for (Endpoint ros : one.topology.endpoints().values()) {
            if (ros.isDcm()) {
                continue;
            }
            List<String> row = schedule.dcms().get(ros.name());
            assertThat(row).as(one.name).hasSize(schedule.phases());
            for (int phase = 0; phase < row.size(); phase++) {
                if (loads.size() <= phase) {
                    loads.add(new HashMap<>());
                }
                Endpoint dcm = dcms.get(row.get(phase));
                if (dcm != null) {
                    assertThat(pairs.add(List.of(ros.name(), dcm.name()))).as(one.name).isTrue();
                    assertThat(loads.get(phase).put("from " + ros.edge(), 1.0)).as(one.name).isNull();
                    assertThat(loads.get(phase).put("to " + dcm.edge(), 1.0)).as(one.name).isNull();
                    addLinks(one, routing, ros, dcm, loads.get(phase), schedule.rate());
                } else {
                    assertThat(row.get(phase)).as(one.name).isEmpty();
                }
            }
        }
        loads.forEach(phase -> phase.forEach((where, load) -> {
            if (where instanceof Sent sent) {
                assertThat(load).as("%s: %s", one.name, sent).isLessThanOrEqualTo(sent.segment.capacity() + 1e-9);
            }
        }));
        int possible = 0;
        for (Endpoint ros : one.topology.endpoints().values()) {
            for (Endpoint dcm : one.topology.dcms()) {
                possible += !ros.isDcm() && !ros.edge().equals(dcm.edge())
                    && routing.plane(ros.edge(), dcm.address()).isPresent() ? 1 : 0;
            }
        }
        assertThat(pairs).as(one.name).hasSize(possible).hasSize(schedule.transfers());
    }

    private record Sent(Segment segment, boolean upwards) {
    }

    private static void addLinks(Case one, Routing routing, Endpoint ros, Endpoint dcm, Map<Object, Double> loads,
            double rate) {
        int plane = routing.plane(ros.edge(), dcm.address()).orElseThrow();
        String first = one.topology.leaf(plane, ros.pod());
        String last = one.topology.leaf(plane, dcm.pod());
        loads.merge(new Sent(routing.lane(ros.edge(), first, dcm.address()).orElseThrow(), true), rate, Double::sum);
        loads.merge(new Sent(routing.lane(dcm.edge(), last, dcm.address()).orElseThrow(), false), rate, Double::sum);
        if (ros.pod() != dcm.pod()) {
            String spine = one.topology.spines(plane).get(
                routing.spine(plane, ros.pod(), dcm.address()).orElseThrow());
            loads.merge(new Sent(routing.lane(first, spine, dcm.address()).orElseThrow(), true), rate, Double::sum);
            loads.merge(new Sent(routing.lane(last, spine, dcm.address()).orElseThrow(), false), rate, Double::sum);
        }
    }

    /** Where spines carry all that nodes send, the phases are those of a linear shift, each node's number of others. */
    @Test
    void needsNoMoreThanTheNodes() {
        for (int nodes : new int[] {2, 4, 8, 25}) {
            Case one = Case.of(nodes + " nodes per pod", TestFabrics.builders(2, Math.ceilDiv(nodes, 2), 4, nodes),
                UnusableLinks.ALL_UP);
            Schedule schedule = one.schedule();
            assertThat(schedule.bound()).isEqualTo(4 * nodes - 1);
            check(one, schedule);
        }
    }

    /** A cut makes other phases on the paths that are left. */
    @Test
    void followsTheFabricAsItIs() {
        FabricSpec spec = TestFabrics.builders(2, 2, 2, 4);
        Case whole = Case.of("whole", spec, UnusableLinks.ALL_UP);
        UnusableLinks cut = TestFabrics.down("leaf-1-1:s1");
        Case repaired = new Case("cut", whole.topology, cut,
            Placer.place(whole.topology, cut, whole.placement, Scope.REPAIR));
        assertThat(whole.schedule().phases()).isEqualTo(7);
        assertThat(repaired.schedule()).isNotEqualTo(whole.schedule());
        assertThat(repaired.schedule().bound()).isGreaterThan(7);
        check(repaired, repaired.schedule());
    }

    /** What would take too long to answer is refused. */
    @Test
    void refusesHugeFabrics() {
        Topology topology = new Topology(TestFabrics.regular("many", 1, 1, 1, 501, 50, 40));
        assertThatThrownBy(() -> Scheduler.of(topology, UnusableLinks.ALL_UP, Placement.EMPTY, 1))
            .isInstanceOf(InvalidInputException.class).hasMessageContaining("1002000 pairs");
    }
}
