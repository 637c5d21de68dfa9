package org.daqfabric.impl.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.state.TrafficMatrix;
import org.daqfabric.api.state.TrafficMatrix.Pair;
import org.daqfabric.api.state.TrafficMatrix.Shared;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrafficTest {
    private static final int HOST = 2000;
    private static final int FRAGMENT = 1000;

    /** 2 planes of 2 spines, 2 pods of 2 ROS and 2 racks of 3 DCMs. */
    private final Topology topology = new Topology(TestFabrics.regular("f", 2, 2, 2, 2, 2, 3));
    private final Placement placement =
        Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    private final List<Endpoint> ros =
        topology.endpoints().values().stream().filter(host -> !host.isDcm()).toList();
    private final List<Endpoint> dcms = topology.endpoints().values().stream().filter(Endpoint::isDcm).toList();

    private TrafficMatrix matrix(Map<String, SortedMap<Rule.Key, Counted>> counted) {
        return Traffic.of(topology, UnusableLinks.ALL_UP, placement, Duration.ZERO, counted,
            Collections.emptySortedMap());
    }

    private static Map<String, SortedMap<Rule.Key, Counted>> counted(Endpoint ros, Rule.Key rule, Counted count) {
        return Map.of(ros.edge(), new TreeMap<>(Map.of(rule, count)));
    }

    /** Any weights: what was counted comes out pair by pair, and the weights that made it. */
    @ParameterizedTest
    @MethodSource("org.daqfabric.impl.engine.Seeds#seeds")
    void findsTheWeights(long seed) {
        Random random = new Random(seed);
        Map<String, Integer> fragments = new HashMap<>();
        ros.forEach(each -> fragments.put(each.name(), random.nextInt(9)));
        fragments.put(ros.get(0).name(), 1);
        Map<String, Integer> events = new HashMap<>();
        dcms.forEach(each -> events.put(each.name(), random.nextInt(9)));
        events.put(dcms.get(0).name(), 1);
        Map<String, SortedMap<Rule.Key, Counted>> counted = new HashMap<>();
        for (Endpoint from : ros) {
            SortedMap<Rule.Key, Counted> rules = new TreeMap<>();
            dcms.forEach(to -> {
                long packets = (long) fragments.get(from.name()) * events.get(to.name());
                rules.put(new Rule.Key(HOST, Match.to(to.address())), new Counted(packets, packets * FRAGMENT));
            });
            rules.put(new Rule.Key(HOST, Match.to(from.address())), new Counted(7, 7));
            rules.put(new Rule.Key(0, Match.ALL), new Counted(8, 8));
            counted.put(from.edge(), rules);
        }
        TrafficMatrix found = matrix(counted);
        assertThat(found.pairs()).allSatisfy(pair -> assertThat(pair.packets())
            .isEqualTo((long) fragments.get(pair.ros()) * events.get(pair.dcm())).isPositive());
        assertThat(found.pairs()).hasSize((int) (fragments.values().stream().filter(each -> each > 0).count()
            * events.values().stream().filter(each -> each > 0).count()));
        assertThat(found.pairs()).isSortedAccordingTo((one, other) -> Long.compare(other.bytes(), one.bytes()));
        double mean = events.values().stream().mapToInt(each -> each).average().orElseThrow();
        assertThat(found.measured()).hasValueSatisfying(weights -> {
            weights.dcms().forEach((dcm, weight) -> assertThat(weight)
                .isCloseTo(Math.max(0.001, events.get(dcm) / mean), within(0.0006)));
            assertThat(weights.configured()).isGreaterThanOrEqualTo(weights.bandwidth() * 0.999);
            assertThat(weights.bottleneck()).isNotEmpty();
        });
    }

    /** Traffic as it is configured: the bandwidth is the fabric's, and there is nothing to gain. */
    @Test
    void asConfigured() {
        Map<String, SortedMap<Rule.Key, Counted>> counted = new HashMap<>();
        ros.forEach(from -> counted.put(from.edge(), new TreeMap<>()));
        ros.forEach(from -> dcms.forEach(to -> counted.get(from.edge())
            .put(new Rule.Key(HOST, Match.to(to.address())), new Counted(5, 5 * FRAGMENT))));
        double bandwidth = Loads.of(topology, UnusableLinks.ALL_UP, placement).bandwidth();
        assertThat(matrix(counted).measured()).hasValueSatisfying(weights -> {
            assertThat(weights.ros().values()).containsOnly(1.0);
            assertThat(weights.dcms().values()).containsOnly(1.0);
            assertThat(weights.bandwidth()).isCloseTo(bandwidth, within(1e-9));
            assertThat(weights.configured()).isCloseTo(bandwidth, within(1e-9));
        });
    }

    /** A rule for a prefix counts for a DCM if it is the only one in it. */
    @Test
    void rulesForPrefixes() {
        Endpoint to = dcms.get(0);
        Address address = to.address();
        int together = IntStream.iterate(32, length -> length - 1).filter(length -> dcms.stream()
            .filter(dcm -> dcm.address().prefix(length).equals(address.prefix(length))).count() > 1).findFirst()
            .orElseThrow();
        Rule.Key ofOne = Rule.Key.to(HOST, address, together + 1);
        assertThat(matrix(counted(ros.get(0), ofOne, new Counted(3, 300))).pairs())
            .containsExactly(new Pair(ros.get(0).name(), to.name(), 3, 300));
        TrafficMatrix ofSeveral =
            matrix(counted(ros.get(0), Rule.Key.to(HOST, address, together), new Counted(3, 300)));
        assertThat(ofSeveral.pairs()).isEmpty();
        assertThat(ofSeveral.shared()).containsExactly(
            new Shared(ros.get(0).name(), address.prefix(together) + "/" + together, 3, 300));
        assertThat(ofSeveral.measured()).isEmpty();
    }

    /** What is not for a DCM is no event traffic. */
    @Test
    void otherRules() {
        assertThat(matrix(counted(ros.get(0), new Rule.Key(HOST, Match.to(Address.parse("192.0.2.1"))),
            new Counted(3, 300))).pairs()).isEmpty();
        assertThat(matrix(counted(ros.get(0), new Rule.Key(HOST, new Match(OptionalInt.of(1), Match.ANY_TYPE,
            Optional.empty(), Optional.empty())), new Counted(3, 300))).pairs()).isEmpty();
    }

    /** A rule that was written anew counts from then on. */
    @Test
    void since() {
        assertThat(new Counted(7, 700).since(new Counted(3, 300))).isEqualTo(new Counted(4, 400));
        assertThat(new Counted(2, 200).since(new Counted(3, 300))).isEqualTo(new Counted(2, 200));
    }
}
