package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.CompiledFabric;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules for IPv6 addresses do what those for IPv4 addresses do. */
class Ipv6RulesTest {
    private static final int CASES = 300;

    /** A fabric with its programs, and packets followed through them. */
    private record Compiled(Topology topology, Map<String, Program> programs, Trace trace) {
        static Compiled of(FabricSpec spec, UnusableLinks view, Set<PortId> cut) {
            Topology topology = new Topology(spec);
            CompiledFabric compiled = CompiledFabric.of(topology, view, topology.roles().keySet());
            return new Compiled(topology, compiled.programs(),
                new Trace(topology, compiled.numbers(), compiled.programs(), cut));
        }
    }

    /** Whether all addresses are of IPv4 or of IPv6, packets take the same paths, by as many rules and groups. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void takesThePathsOfIpv4(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.readdressed(TestFabrics.generatedWithBuilders(random), random);
            spec = random.nextBoolean() ? TestFabrics.compressed(spec) : spec;
            UnusableLinks view = TestFabrics.failures(random, spec);
            // more failures, of which the programs do not know
            Set<PortId> cut = TestFabrics.failures(random, spec).down();
            Compiled ipv4 = Compiled.of(spec, view, cut);
            Compiled ipv6 = Compiled.of(TestFabrics.ipv6(spec), view, cut);
            String when = "seed " + seed + " case " + number;
            boolean hasHosts = !ipv6.topology().endpoints().isEmpty();
            ipv4.programs().forEach((name, program) -> {
                Program other = ipv6.programs().get(name);
                assertThat(other.rules()).as("%s: %s", when, name).hasSameSizeAs(program.rules());
                assertThat(other.groups()).as("%s: %s", when, name).hasSameSizeAs(program.groups());
                assertThat(other.rules().keySet()).as("%s: %s", when, name)
                    .noneMatch(key -> hasHosts && key.match().etherType() == Match.IPV4);
            });
            for (String edge : ipv4.topology().edges().keySet()) {
                for (Endpoint to : ipv4.topology().endpoints().values()) {
                    assertThat(steps(ipv6.trace().follow(edge, Addresses.six(to.address()))))
                        .as("%s: %s -> %s", when, edge, to.name())
                        .isEqualTo(steps(ipv4.trace().follow(edge, to.address())));
                }
            }
        }
    }

    private static List<Object> steps(PacketPath path) {
        List<Object> steps = new ArrayList<>(List.of(path.arrived()));
        path.hops().forEach(hop -> steps.add(List.of(hop.switchName(), hop.inPort(), hop.outPort())));
        return steps;
    }

    /** With addresses of both kinds in one fabric every pair has a path of the right length, by prefixes as well. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void bothKindsShareSwitches(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            UnaryOperator<Address> either = address -> random.nextBoolean() ? address : Addresses.six(address);
            FabricSpec spec = TestFabrics.readdressed(
                TestFabrics.readdressed(TestFabrics.generatedWithBuilders(random), random), either);
            spec = random.nextBoolean() ? TestFabrics.compressed(spec) : spec;
            UnusableLinks view = TestFabrics.failures(random, spec);
            Compiled both = Compiled.of(spec, view, view.down());
            Wiring wiring = new Wiring(spec, view);
            for (Endpoint from : both.topology().endpoints().values()) {
                for (Endpoint to : both.topology().endpoints().values()) {
                    if (from.kind() == to.kind() || from.sharesHost(to)) {
                        continue;
                    }
                    PacketPath path = both.trace().follow(from.edge(), to.address());
                    String what = "seed %d case %d: %s -> %s: %s".formatted(seed, number, from.name(), to.name(),
                        path.problem());
                    assertThat(path.arrived()).as(what)
                        .isEqualTo(wiring.hasPath(from.edge(), from.pod(), to.edge(), to.pod()));
                    assertThat(path.switches()).as(what).doesNotHaveDuplicates();
                }
            }
        }
    }

    /** A leaf takes packets that a spine turned back on, of the kinds that the fabric has. */
    @Test
    void turnsBackTheKindsThereAre() {
        FabricSpec ipv4 = TestFabrics.prototype();
        Random random = new Random(7);
        FabricSpec both = TestFabrics.readdressed(ipv4,
            address -> random.nextBoolean() ? address : Addresses.six(address));
        assertThat(turnedBack(ipv4)).containsExactly(Match.IPV4, Match.IPV4);
        assertThat(turnedBack(TestFabrics.ipv6(ipv4))).containsExactly(Match.IPV6, Match.IPV6);
        assertThat(turnedBack(both)).containsExactly(Match.IPV4, Match.IPV4, Match.IPV6, Match.IPV6);
        FabricSpec none = new FabricSpec(ipv4.name(), ipv4.planes(),
            ipv4.pods().stream().map(pod -> new Pod(pod.id(), List.of(), List.of())).toList(), ipv4.switches(),
            ipv4.links(), ipv4.policy());
        assertThat(turnedBack(none)).as("as before there was IPv6").containsExactly(Match.IPV4, Match.IPV4);
    }

    /** The Ethernet types of the rules for turned back packets of a leaf. */
    private static List<Integer> turnedBack(FabricSpec spec) {
        return Compiled.of(spec, UnusableLinks.ALL_UP, Set.of()).programs().get("leaf-1-1").rules().keySet().stream()
            .filter(key -> key.priority() == RulePriority.TURNED_BACK).map(key -> key.match().etherType()).toList();
    }
}
