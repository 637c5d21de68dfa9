package org.daqfabric.impl.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs compiled with the cache equal those compiled without it. */
class ProgramCacheTest {
    private static final int STEPS = 12;

    /** After any sequence of changes the cached programs equal those of a new cache. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void cachedProgramsEqualNewOnes(long seed) {
        IntStream.range(0, 60).parallel().forEach(number -> {
            Random random = new Random(seed * 1_000_003 + number);
            Topology topology = new Topology(TestFabrics.generated(random));
            ProgramCache programs = new ProgramCache();
            Decision decision = Decision.NONE;
            PortNumbers given = PortNumbers.EMPTY;
            UnusableLinks unusable = UnusableLinks.ALL_UP;
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(6) == 0) {
                    topology = random.nextBoolean() ? new Topology(TestFabrics.shuffled(topology.spec(), random))
                        : topology;
                }
                if (random.nextInt(3) > 0) {
                    unusable = TestFabrics.failures(random, topology.spec());
                }
                if (random.nextInt(3) > 0) {
                    Set<String> capable = some(topology.roles().keySet(), random);
                    decision = Planner.decide(topology, topology, unusable, decision, given,
                        random.nextBoolean() ? Scope.REPAIR : Scope.OPTIMISE, capable);
                    given = decision.portNumbers();
                }
                SortedMap<String, Set<String>> present = new TreeMap<>();
                for (String name : topology.roles().keySet()) {
                    Set<String> ports = given.of(name).keySet();
                    present.put(name, random.nextInt(4) == 0 ? some(ports, random) : Set.copyOf(ports));
                }
                programs = random.nextBoolean() ? programs.copy() : programs;
                assertThat(programs.compile(topology, unusable, decision, present))
                    .as("seed %d case %d step %d", seed, number, step)
                    .isEqualTo(new ProgramCache().compile(topology, unusable, decision, present));
            }
        });
    }

    private static Set<String> some(Set<String> names, Random random) {
        Set<String> some = new HashSet<>(names);
        some.removeIf(name -> random.nextInt(8) == 0);
        return some;
    }

    /**
     * When a link fails, only the leaves of its plane get new programs; the spine keeps its own. All others are the
     * same objects and need not be compared.
     */
    @Test
    void unaffectedProgramsStayTheSameObjects() {
        FabricSpec spec = TestFabrics.prototype();
        Topology topology = new Topology(spec);
        Decision decision = Planner.decide(topology, topology, UnusableLinks.ALL_UP, Decision.NONE, PortNumbers.EMPTY,
            Scope.OPTIMISE, topology.roles().keySet());
        SortedMap<String, Set<String>> present = new TreeMap<>();
        topology.roles().keySet().forEach(name -> present.put(name, decision.portNumbers().of(name).keySet()));
        ProgramCache programs = new ProgramCache();
        Map<String, Program> before = programs.compile(topology, UnusableLinks.ALL_UP, decision, present);
        Map<String, Program> after = programs.compile(topology, TestFabrics.down("leaf-1-1:s1"), decision, present);
        Set<String> others = new HashSet<>();
        after.forEach((name, program) -> {
            if (program != before.get(name)) {
                others.add(name);
            }
        });
        // the spine has the same rules and groups, and another unusable port
        assertThat(others).containsExactlyInAnyOrder("leaf-1-1", "leaf-1-2", "spine-1-1");
        assertThat(after.get("spine-1-1").rules()).isSameAs(before.get("spine-1-1").rules());
    }

    /** Edge switches that are alike hold the same rules and groups, not copies of them. */
    @Test
    void ofEdgeSwitchesThatAreAlikeShareTheirRules() {
        Topology topology = new Topology(TestFabrics.prototype());
        Decision decision = Planner.decide(topology, topology, UnusableLinks.ALL_UP, Decision.NONE, PortNumbers.EMPTY,
            Scope.OPTIMISE, Set.of());
        SortedMap<String, Set<String>> present = new TreeMap<>();
        topology.roles().keySet().forEach(name -> present.put(name, decision.portNumbers().of(name).keySet()));
        Map<String, Program> programs = new ProgramCache().compile(topology, UnusableLinks.ALL_UP, decision, present);
        Program one = programs.get("ros-1-01");
        Program other = programs.get("ros-1-02");
        assertThat(one.groups()).isSameAs(other.groups());
        topology.dcms().forEach(dcm -> {
            Rule.Key key = new Rule.Key(2000, Match.to(dcm.address()));
            assertThat(one.rules().get(key)).isNotNull().isSameAs(other.rules().get(key));
        });
    }
}
