package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Maps;
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
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for hosts that are neither ROS nor DCMs. */
class HostRulesTest {
    private static final int CASES = 400;

    /** Every pair of a flow that the links connect exchanges packets both ways, by a shortest path. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void everyFlowHasAPath(long seed) {
        int followed = 0;
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = HostFabrics.with(TestFabrics.generatedWithBuilders(random), random);
            if (random.nextInt(3) == 0) {
                spec = TestFabrics.compressed(spec);
            }
            Topology topology = new Topology(spec);
            UnusableLinks view = TestFabrics.failures(random, spec);
            Placement placement = Placer.place(topology, view, Placement.EMPTY, Scope.OPTIMISE);
            Set<String> capable = new TreeSet<>(topology.roles().keySet());
            capable.removeIf(name -> random.nextBoolean());
            PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY,
                Daqrings.needed(topology, placement, capable));
            Map<String, Program> programs = programs(new Compiler(topology, view, placement, numbers), topology,
                numbers);
            Trace trace = new Trace(topology, numbers, programs, view.down());
            Wiring wiring = new Wiring(spec, view);
            for (FlowPair pair : topology.others().pairs()) {
                for (List<Endpoint> ends : List.of(List.of(pair.from(), pair.to()), List.of(pair.to(), pair.from()))) {
                    Endpoint from = ends.get(0);
                    Endpoint to = ends.get(1);
                    if (from.sharesHost(to) || from.edge().equals(to.edge())) {
                        continue;
                    }
                    PacketPath path = trace.follow(from, to.address());
                    String what = "seed %d case %d: %s -> %s: %s".formatted(seed, number, from.name(), to.name(),
                        path.problem());
                    assertThat(path.arrived()).as(what)
                        .isEqualTo(wiring.hasPath(from.edge(), from.pod(), to.edge(), to.pod()));
                    if (path.arrived()) {
                        assertThat(path.switches()).as(what).doesNotHaveDuplicates()
                            .hasSize(from.pod() == to.pod() ? 3 : 5);
                        boolean declared = topology.others().declaredControl()
                            .getOrDefault(from.address(), List.of()).stream().anyMatch(each -> each.to().equals(to));
                        if (declared || topology.others().controlTo(from.address()).contains(to.address())) {
                            assertThat(rings(path)).as(what).isEqualTo(declared && capable.contains(from.edge())
                                ? List.of(from.edge()) : List.of());
                        }
                        followed++;
                    }
                }
            }
            noLoop(topology, new Trace(topology, numbers, programs, cut(random, spec, view)), "case " + number);
        }
        assertThat(followed).isGreaterThan(CASES);
    }

    /** With failures that the controller does not know of, no packet to a host loops. */
    private static void noLoop(Topology topology, Trace trace, String when) {
        for (FlowPair pair : topology.others().pairs()) {
            for (PacketPath path : List.of(trace.follow(pair.from(), pair.to().address()),
                    trace.follow(pair.to(), pair.from().address()))) {
                assertThat(path.problem()).as("%s: %s -> %s", when, pair.from().name(), pair.to().name())
                    .doesNotContain("loops");
            }
        }
    }

    private static Set<PortId> cut(Random random, FabricSpec spec, UnusableLinks view) {
        Set<PortId> cut = new TreeSet<>(view.down());
        List<Link> links = spec.links();
        for (int more = random.nextInt(4); more > 0; more--) {
            cut.add(links.get(random.nextInt(links.size())).end());
        }
        return cut;
    }

    /** Programs made after changes are those that a new compiler makes. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void changesReachEverySwitch(long seed) {
        for (int number = 0; number < CASES / 4; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = HostFabrics.with(TestFabrics.generatedWithBuilders(random), random);
            Topology topology = new Topology(spec);
            Placement placement = Placement.EMPTY;
            Compiler compiler = null;
            Map<String, Program> programs = new TreeMap<>();
            PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
            for (int step = 0; step < 4; step++) {
                UnusableLinks view = new UnusableLinks(cut(random, spec, UnusableLinks.ALL_UP));
                placement = Placer.place(topology, view, placement,
                    random.nextBoolean() ? Scope.REPAIR : Scope.OPTIMISE);
                Compiler next = compiler == null ? new Compiler(topology, view, placement, numbers)
                    : compiler.next(topology, view, placement, numbers);
                Set<String> changed = compiler == null ? topology.roles().keySet()
                    : next.changedSince(compiler, Maps.transformValues(numbers.numbers(), SortedMap::keySet));
                for (String name : changed) {
                    programs.put(name, next.compile(name, numbers.of(name).keySet(),
                        programs.getOrDefault(name, Program.EMPTY)));
                }
                assertThat(programs).as("seed %d case %d step %d", seed, number, step).isEqualTo(
                    programs(new Compiler(topology, view, placement, numbers), topology, numbers));
                compiler = next;
            }
        }
    }

    /**
     * Control passes the daqrings of DCMs by, both ways of a flow; events and flows of events go through them. What is
     * declared of it passes the daqring of its sender.
     */
    @Test
    void controlPassesDaqringsBy() {
        Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(), List.of(
            new Flow("assign", "host-1", Flow.ALL_DCMS, Flow.Kind.CONTROL, 0.1, 0),
            new Flow("ask", Flow.ALL_DCMS, "guest-2", Flow.Kind.CONTROL, 0.1, 0),
            new Flow("data", "host-2", Flow.ALL_DCMS, Flow.Kind.EVENTS, 0.1, 0))));
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY,
            Daqrings.needed(topology, placement, topology.roles().keySet()));
        Map<String, Program> programs = programs(new Compiler(topology, UnusableLinks.ALL_UP, placement, numbers),
            topology, numbers);
        Trace trace = new Trace(topology, numbers, programs, Set.of());
        for (Endpoint dcm : topology.dcms()) {
            for (Endpoint from : topology.addresses().values()) {
                boolean control = from.name().equals("host-1") || from.name().equals("guest-2");
                if (from.isDcm() || from.name().equals("guest-1") || from.edge().equals(dcm.edge())) {
                    continue;
                }
                PacketPath path = trace.follow(from, dcm.address());
                assertThat(path.arrived()).as("%s -> %s: %s", from.name(), dcm.name(), path.problem()).isTrue();
                // an event passes the daqring of the leaf, and from another pod that of the spine
                assertThat(rings(path)).as("%s -> %s", from.name(), dcm.name())
                    .hasSize(from.name().equals("guest-2") ? 0 : control || from.pod() == dcm.pod() ? 1 : 2);
                // and so does the answer
                assertThat(isMarked(path)).as("%s -> %s", from.name(), dcm.name()).isEqualTo(control);
                if (control) {
                    PacketPath back = trace.follow(dcm, from.address());
                    assertThat(isMarked(back)).isTrue();
                    boolean asks = from.name().equals("guest-2");
                    assertThat(rings(back)).isEqualTo(asks ? List.of(dcm.edge()) : List.of());
                    assertThat(rings(path)).isEqualTo(asks ? List.of() : List.of(from.edge()));
                }
            }
        }
    }

    /** With rules for prefixes, what ROS send by a flow of control is marked, and goes where their events go. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void controlOfRosIsMarkedWithRulesForPrefixes(boolean ipv6) {
        FabricSpec prototype = TestFabrics.prototype();
        Topology topology = new Topology(TestFabrics.compressed(HostFabrics.with(
            ipv6 ? TestFabrics.ipv6(prototype) : prototype,
            List.of(new Flow("busy", Flow.ALL_ROS, Flow.ALL_DCMS, Flow.Kind.CONTROL, 0.1, 0)))));
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
        Map<String, Program> programs = programs(new Compiler(topology, UnusableLinks.ALL_UP, placement, numbers),
            topology, numbers);
        Trace trace = new Trace(topology, numbers, programs, Set.of());
        for (Endpoint dcm : topology.dcms()) {
            for (Endpoint ros : topology.addresses().values()) {
                if (ros.isDcm() || ros.edge().equals(dcm.edge()) || ros.kind() == Endpoint.Kind.HOST) {
                    continue;
                }
                PacketPath marked = trace.follow(ros, dcm.address());
                assertThat(isMarked(marked)).isTrue();
                assertThat(marked.switches()).isEqualTo(trace.follow(ros.edge(), dcm.address()).switches());
            }
        }
    }

    /** The switches in whose daqrings a packet waits. */
    private static List<String> rings(PacketPath path) {
        return path.hops().stream().filter(hop -> PortAllocator.isRing(hop.outPort())).map(PacketPath.Hop::switchName)
            .toList();
    }

    /** Whether the first switch, and no other, marks what a path shows as control. */
    private static boolean isMarked(PacketPath path) {
        List<Boolean> marks = path.hops().stream().map(hop -> hop.rule().actions().stream()
            .anyMatch(Action.SetDscp.class::isInstance)).toList();
        assertThat(marks.subList(1, marks.size())).doesNotContain(true);
        return marks.get(0);
    }

    /** A host exchanges nothing without a flow: edge switches have no rule for it, nor does its own for others. */
    @Test
    void nothingWithoutAFlow() {
        Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(),
            List.of(new Flow("f", "host-1", "dcm-2-01-001", Flow.Kind.EVENTS, 1, 0))));
        assertThat(FabricChecks.check(topology.spec())).isEmpty();
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
        Map<String, Program> programs = programs(new Compiler(topology, UnusableLinks.ALL_UP, placement, numbers),
            topology, numbers);
        Trace trace = new Trace(topology, numbers, programs, Set.of());
        Address host = Address.parse("10.9.1.1");
        assertThat(trace.follow("host-1", topology.dcms().get(0).address()).arrived())
            .isEqualTo(topology.dcms().get(0).name().equals("dcm-2-01-001"));
        assertThat(trace.follow("rack-2-01", host).arrived()).isTrue();
        assertThat(trace.follow("rack-2-02", host).arrived()).isFalse();
        assertThat(trace.follow("ros-1-01", host).arrived()).isFalse();
        assertThat(trace.follow("host-2", host).arrived()).isFalse();
    }

    private static Map<String, Program> programs(Compiler compiler, Topology topology, PortNumbers numbers) {
        Map<String, Program> programs = new TreeMap<>();
        topology.roles().keySet().forEach(name -> programs.put(name, compiler.compile(name,
            numbers.of(name).keySet())));
        return programs;
    }
}
