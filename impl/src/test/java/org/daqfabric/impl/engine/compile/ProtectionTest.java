package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.CompiledFabric;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What switches do about failures by themselves, with programs compiled before the controller knows of them. */
class ProtectionTest {
    private static final int CASES = 300;

    @Test
    void prototypeSurvivesSingleFailuresAndNoPairOfFailuresCausesALoop() {
        Scene scene = new Scene(new Topology(TestFabrics.prototype()), UnusableLinks.ALL_UP, Set.of(), "prototype");
        List<PortId> links = scene.topology.spec().links().stream().map(Link::end).toList();
        for (PortId first : links) {
            scene.checkSingle(first);
            for (PortId second : links) {
                scene.checkNoLoop(new HashSet<>(List.of(first, second)));
            }
        }
    }

    /** What a spine's daqrings hold when a link of the spine fails goes another way. */
    @Test
    void daqringsAreEmptiedRoundAFailedLink() {
        Topology topology = new Topology(TestFabrics.prototype());
        Scene scene = new Scene(topology, UnusableLinks.ALL_UP, topology.roles().keySet(), "prototype");
        int rounds = 0;
        for (Link link : topology.spec().links()) {
            Trace trace = scene.trace(Set.of(link.end()));
            for (String spine : topology.roles().keySet()) {
                if (topology.roles().get(spine) instanceof Role.OfSpine) {
                    for (Map.Entry<String, Integer> port : scene.numbers.of(spine).entrySet()) {
                        if (PortAllocator.isRing(port.getValue())) {
                            Address dcm = Address.parse(Daqrings.addressOf(port.getKey()).orElseThrow());
                            PacketPath path = trace.follow(spine, port.getValue(), dcm);
                            boolean last = topology.endpoints().get(dcm).edge().equals(link.end().switchName())
                                || topology.endpoints().get(dcm).edge().equals(link.peer().switchName());
                            assertThat(path.arrived() || last).as("%s without %s: %s %s", dcm, link.end(),
                                path.switches(), path.problem()).isTrue();
                            rounds += path.hops().size() > 3 ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertThat(rounds).isPositive();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void generatedFabricsSurviveSingleFailuresAndNoneCausesALoop(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            Topology topology = new Topology(TestFabrics.generatedWithBuilders(random));
            Set<String> capable = new TreeSet<>(topology.roles().keySet());
            capable.removeIf(name -> random.nextBoolean());
            Scene scene = new Scene(topology, TestFabrics.failures(random, topology.spec()), capable,
                "seed " + seed + " case " + number);
            List<PortId> links = topology.spec().links().stream().map(Link::end).toList();
            for (int i = 0; i < 10; i++) {
                Set<PortId> cut = new HashSet<>();
                for (int more = random.nextInt(4); more >= 0; more--) {
                    cut.add(links.get(random.nextInt(links.size())));
                }
                scene.checkNoLoop(cut);
                scene.checkSingle(cut.iterator().next());
            }
        }
    }

    /** Programs compiled before the failures under test. */
    private static final class Scene {
        private final Topology topology;
        private final UnusableLinks view;
        private final Routing routing;
        private final PortNumbers numbers;
        private final Map<String, Program> programs;
        private final Trace before;
        private final String name;

        Scene(Topology topology, UnusableLinks view, Set<String> ringCapable, String name) {
            this.topology = topology;
            this.view = view;
            this.name = name;
            CompiledFabric compiled = CompiledFabric.of(topology, view, ringCapable);
            routing = new Routing(topology, view, compiled.placement());
            numbers = compiled.numbers();
            programs = compiled.programs();
            before = trace(Set.of());
        }

        private Trace trace(Set<PortId> failed) {
            Set<PortId> cut = new HashSet<>(view.down());
            cut.addAll(failed);
            return new Trace(topology, numbers, programs, cut);
        }

        void checkNoLoop(Set<PortId> failed) {
            Trace trace = trace(failed);
            for (Endpoint from : topology.endpoints().values()) {
                for (Endpoint to : topology.endpoints().values()) {
                    if (from.kind() != to.kind() && !from.sharesHost(to)) {
                        PacketPath path = trace.follow(from.edge(), to.address());
                        assertThat(path.problem()).as("%s: %s -> %s without %s: %s", name, from.name(), to.name(),
                            failed, path.switches()).doesNotContain("loops");
                    }
                }
            }
        }

        /** Pairs with a detour still have a path; around a link to the destination's edge switch there is none. */
        void checkSingle(PortId failed) {
            Trace trace = trace(Set.of(failed));
            for (Endpoint from : topology.endpoints().values()) {
                for (Endpoint to : topology.endpoints().values()) {
                    if (from.kind() == to.kind() || !before.follow(from.edge(), to.address()).arrived()) {
                        continue;
                    }
                    PacketPath path = trace.follow(from.edge(), to.address());
                    if (hasDetour(from, to, failed)) {
                        assertThat(path.arrived()).as("%s: %s -> %s without %s: %s %s", name, from.name(), to.name(),
                            failed, path.switches(), path.problem()).isTrue();
                    }
                }
            }
        }

        private boolean hasDetour(Endpoint from, Endpoint to, PortId failed) {
            if (!topology.spec().policy().protection().fastFailover()) {
                return false;
            }
            int plane = routing.plane(from.edge(), to.address()).orElseThrow();
            Link link = topology.spec().links().stream().filter(each -> each.end().equals(failed)).findFirst()
                .orElseThrow();
            boolean spineLink = topology.roles().get(link.end().switchName()) instanceof Role.OfSpine
                || topology.roles().get(link.peer().switchName()) instanceof Role.OfSpine;
            if (spineLink) {
                return from.pod() == to.pod() || routing.spines(plane, from.pod(), to.address()).size() > 1;
            }
            boolean atDestination = link.end().switchName().equals(to.edge())
                || link.peer().switchName().equals(to.edge());
            return !atDestination && routing.planes(from.edge(), to.address()).size() > 1;
        }
    }
}
