package org.daqfabric.impl.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Coverage;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;

/** Nodes that read out and build events. */
class BuildersTest {
    private static final FabricSpec SPEC = TestFabrics.builders(2, 2, 2, 4);

    private final Topology topology = new Topology(SPEC);
    private final Placement placement =
        Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);

    /** A node sends to the seven others; its DCM is in one plane, and with its own fragment 8 of 7 arrive by links. */
    @Test
    void carriesNothingOfANodeToItself() {
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placement);
        assertThat(loads.links()).filteredOn(link -> link.segment().lower().switchName().startsWith("ros-")
                && !link.upwards()).extracting(link -> link.load()).containsOnly(0.0, 7.0).hasSize(16);
        assertThat(loads.links().stream().filter(link -> link.upwards()
            && link.segment().lower().switchName().equals("ros-1-01")).mapToDouble(link -> link.load()).sum())
            .isEqualTo(7);
        Capacity capacity = Capacities.capacity(topology, UnusableLinks.ALL_UP, placement);
        assertThat(capacity.bandwidth()).isCloseTo(8 * 8 * 10 / 7.0, within(1e-6));
        assertThat(loads.reachableRos().values()).containsOnly(8);
    }

    /** Switches hold rules for all other nodes and no rule or group that leads back to their own. */
    @Test
    void compilesRulesForOthersOnly() {
        for (FabricSpec spec : List.of(SPEC, TestFabrics.compressed(SPEC))) {
            Topology indexed = new Topology(spec);
            assertThat(indexed.roles().get("ros-1-01")).isEqualTo(new Role.OfBuilder(1, "ros-1-01", "rack-1-01"));
            PortNumbers numbers = PortAllocator.allocate(indexed, PortNumbers.EMPTY, new TreeMap<>());
            Map<String, Program> programs = programs(indexed, numbers);
            programs.forEach((name, program) -> assertThat(program.groups().keySet()).as(name)
                .isEqualTo(used(program)));
            Coverage coverage = Coverage.of(indexed, new Trace(indexed, numbers, programs, Set.of()),
                new Routing(indexed, UnusableLinks.ALL_UP, placement));
            assertThat(coverage).isEqualTo(new Coverage(2 * 8 * 7, List.of()));
        }
    }

    /** A DCM behind a port of its node's switch exchanges packets with the ROS of the node by that switch alone. */
    @Test
    void switchesBetweenHostsOfANode() {
        List<Pod> pods = SPEC.pods().stream().map(pod -> new Pod(pod.id(), pod.ros(), pod.racks().stream()
            .map(rack -> new HltRack(rack.name(), rack.switchName(), rack.dcms().stream().map(dcm ->
                new Dcm(dcm.name(), dcm.address(), 1, "d1", Optional.of(mac(dcm.address())))).toList()))
            .toList())).toList();
        FabricSpec spec =
            new FabricSpec(SPEC.name(), SPEC.planes(), pods, SPEC.switches(), SPEC.links(), SPEC.policy());
        assertThat(FabricChecks.check(spec)).isEmpty();
        Topology indexed = new Topology(spec);
        PortNumbers numbers = PortAllocator.allocate(indexed, PortNumbers.EMPTY, new TreeMap<>());
        Trace trace = new Trace(indexed, numbers, programs(indexed, numbers), Set.of());
        assertThat(Coverage.of(indexed, trace, new Routing(indexed, UnusableLinks.ALL_UP, placement)))
            .isEqualTo(new Coverage(2 * 8 * 8, List.of()));
        indexed.edges().forEach((edge, hosts) -> assertThat(trace.follow(hosts.get(0), hosts.get(1).address())
            .switches()).containsExactly(edge));
    }

    private Map<String, Program> programs(Topology indexed, PortNumbers numbers) {
        Compiler compiler = new Compiler(indexed, UnusableLinks.ALL_UP, placement, numbers);
        Map<String, Program> programs = new TreeMap<>();
        indexed.roles().keySet().forEach(name -> programs.put(name, compiler.compile(name, numbers.of(name).keySet())));
        return programs;
    }

    private static Set<Integer> used(Program program) {
        List<Action> actions = new ArrayList<>();
        program.rules().values().forEach(rule -> actions.addAll(rule.actions()));
        Set<Integer> groups = new TreeSet<>();
        actions.stream().filter(Action.ToGroup.class::isInstance)
            .forEach(action -> addWatched(program, ((Action.ToGroup) action).id(), groups));
        return groups;
    }

    private static void addWatched(Program program, int id, Set<Integer> groups) {
        if (groups.add(id)) {
            Group group = program.groups().get(id);
            group.buckets().forEach(bucket -> {
                bucket.watchGroup().ifPresent(watched -> addWatched(program, watched, groups));
                bucket.actions().stream().filter(Action.ToGroup.class::isInstance)
                    .forEach(action -> addWatched(program, ((Action.ToGroup) action).id(), groups));
            });
        }
    }

    private static Mac mac(Address address) {
        return new Mac(0x02da00000000L | (int) address.low() & 0xffffffffL);
    }
}
