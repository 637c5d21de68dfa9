package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs connect every pair that the links allow, by a shortest path, with and without daqrings. */
class CompilerTest {
    private static final int CASES = 1000;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void everyPairHasAPathOfTheRightLength(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            Topology topology = new Topology(spec);
            UnusableLinks view = TestFabrics.failures(random, spec);
            Placement placement = Placer.place(topology, view, Placement.EMPTY, Scope.OPTIMISE);
            Set<String> capable = new TreeSet<>(topology.roles().keySet());
            capable.removeIf(name -> random.nextBoolean());
            check(topology, view, placement, capable, "seed " + seed + " case " + number);
        }
    }

    private static void check(Topology topology, UnusableLinks view, Placement placement, Set<String> capable,
            String when) {
        SortedMap<String, Set<Address>> rings = Daqrings.needed(topology, placement, capable);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, rings);
        Trace trace = new Trace(topology, numbers, programs(topology, view, placement, numbers), view.down());
        Wiring wiring = new Wiring(topology.spec(), view);
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                if (from.kind() == to.kind() || from.sharesHost(to)) {
                    continue;
                }
                PacketPath path = trace.follow(from.edge(), to.address());
                String what = when + ": " + from.name() + " -> " + to.name();
                boolean possible = wiring.hasPath(from.edge(), from.pod(), to.edge(), to.pod());
                assertThat(path.arrived()).as("%s: %s", what, path.problem()).isEqualTo(possible);
                if (possible) {
                    assertThat(path.switches()).as(what).doesNotHaveDuplicates()
                        .hasSize(from.pod() == to.pod() ? 3 : 5);
                }
            }
        }
    }

    private static Map<String, Program> programs(Topology topology, UnusableLinks view, Placement placement,
            PortNumbers numbers) {
        Compiler compiler = new Compiler(topology, view, placement, numbers);
        Map<String, Program> programs = new TreeMap<>();
        for (String name : topology.roles().keySet()) {
            programs.put(name, compiler.compile(name,
                numbers.of(name).keySet()));
        }
        return programs;
    }

    /**
     * Rules for prefixes send every packet along the same path, through the same groups, as rules for addresses, also
     * around failures that the controller does not know of; packets to unused addresses are dropped.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void prefixesDoNotChangePaths(long seed) {
        int rules = 0;
        int compressedRules = 0;
        for (int number = 0; number < CASES / 4; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            spec = random.nextBoolean() ? TestFabrics.readdressed(spec, random) : spec;
            Topology topology = new Topology(spec);
            UnusableLinks view = TestFabrics.failures(random, spec);
            Placement placement = Placer.place(topology, view, Placement.EMPTY, Scope.OPTIMISE);
            PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
            Map<String, Program> hosts = programs(topology, view, placement, numbers);
            Map<String, Program> prefixes = programs(new Topology(TestFabrics.compressed(spec)), view, placement,
                numbers);
            Set<PortId> cut = new TreeSet<>(view.down());
            cut.addAll(TestFabrics.failures(random, spec).down());
            Trace trace = new Trace(topology, numbers, hosts, cut);
            Trace compressed = new Trace(topology, numbers, prefixes, cut);
            for (String edge : topology.edges().keySet()) {
                for (Endpoint to : topology.endpoints().values()) {
                    assertThat(steps(compressed.follow(edge, to.address())))
                        .as("seed %d case %d: %s -> %s", seed, number, edge, to.name())
                        .isEqualTo(steps(trace.follow(edge, to.address())));
                    Address next = Addresses.plus(to.address(), 1);
                    if (!topology.endpoints().containsKey(next)) {
                        PacketPath path = compressed.follow(edge, next);
                        assertThat(path.problem()).as("seed %d case %d: %s", seed, number, next)
                            .contains(" drops packets to ");
                        assertThat(path.hops()).hasSizeLessThan(2);
                    }
                }
            }
            rules += hosts.values().stream().mapToInt(program -> program.rules().size()).sum();
            compressedRules += prefixes.values().stream().mapToInt(program -> program.rules().size()).sum();
        }
        assertThat(compressedRules).isLessThan(rules);
    }

    private static List<Object> steps(PacketPath path) {
        List<Object> steps = new ArrayList<>(List.of(path.problem()));
        path.hops().forEach(hop -> steps.add(List.of(hop.switchName(), hop.inPort(), hop.outPort(), hop.group())));
        return steps;
    }

    /** A link failure changes no rule, so that the response does not grow with the number of DCMs. */
    @Test
    void failureChangesGroupsOnly() {
        Topology topology = new Topology(TestFabrics.prototype());
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
        Map<String, Program> before = programs(topology, UnusableLinks.ALL_UP, placement, numbers);
        Map<String, Program> after = programs(topology, TestFabrics.down("leaf-1-1:s1"), placement, numbers);
        before.forEach((name, program) -> assertThat(after.get(name).rules()).as(name).isEqualTo(program.rules()));
        assertThat(after).isNotEqualTo(before);
    }

    /** Nothing refers to a port the switch does not have. */
    @Test
    void absentPortsAreNotReferredTo() {
        Topology topology = new Topology(TestFabrics.prototype());
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
        Program leaf = new Compiler(topology, UnusableLinks.ALL_UP, placement, numbers).compile("leaf-1-1", Set.of());
        assertThat(leaf.groups().values()).allMatch(group -> group.buckets().isEmpty());
        assertThat(leaf.rules().values().stream().flatMap(rule -> rule.actions().stream()))
            .noneMatch(org.daqfabric.api.program.Action.Output.class::isInstance);
    }

    /** Ports keep their numbers when others come and go. */
    @Test
    void portNumbersAreKept() {
        Topology small = new Topology(TestFabrics.regular("f", 2, 2, 2, 1, 1, 1));
        Topology large = new Topology(TestFabrics.regular("f", 2, 3, 2, 2, 2, 1));
        PortNumbers before = PortAllocator.allocate(large, PortNumbers.EMPTY, new TreeMap<>());
        PortNumbers fewer = PortAllocator.allocate(small, before, new TreeMap<>());
        fewer.numbers().forEach((name, ports) ->
            assertThat(before.numbers().get(name)).as(name).containsAllEntriesOf(ports));
        assertThat(PortAllocator.allocate(large, fewer, new TreeMap<>())).isEqualTo(before);
    }
}
