package org.daqfabric.impl.engine.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every pair of a ROS and a DCM is proven in turn, and what does not arrive is named. */
class PairTurnTest {
    private static final long MILLI = 1_000_000;
    private static final long MOST_AGE = 60_000;

    private final PairTurn turn = new PairTurn(MOST_AGE * MILLI);
    private final Deque<Prover.Order> travelling = new ArrayDeque<>();
    private final Set<Pair> sent = new HashSet<>();
    private Predicate<Prover.Order> lost = order -> false;
    private Topology topology;
    private Optional<PairTurn.Known> known = Optional.empty();
    private long now;
    private int count;

    private void follow(FabricSpec spec) {
        topology = new Topology(spec);
        turn.follow(topology, now);
    }

    private void run(long millis) {
        run(millis, 20);
    }

    /** Lets time pass; packets take as long as the controller from one tick to the next. */
    private void run(long millis, int tick) {
        for (long until = now + millis * MILLI; now < until; now += tick * MILLI) {
            travelling.forEach(order -> turn.arrived(order.id()));
            travelling.clear();
            for (Prover.Order order : turn.tick(now)) {
                count++;
                sent.add(pair(order));
                if (!lost.test(order)) {
                    travelling.add(order);
                }
            }
            known = turn.news(now).or(() -> known);
        }
    }

    private Pair pair(Prover.Order order) {
        return new Pair(order.switchName(), topology.addresses().get(order.destination()));
    }

    /** From every ROS to every DCM and back, but where both are behind one switch. */
    @Test
    void everyPairOfThePrototypeIsProvenBothWays() {
        follow(TestFabrics.prototype());
        run(40_000);
        Set<String> both = sent.stream().flatMap(pair -> pair.ros(topology).stream().flatMap(ros ->
            pair.dcms(topology).stream().map(dcm -> ros + (pair.to().isDcm() ? ">" : "<") + dcm)))
            .collect(Collectors.toSet());
        Set<String> expected = new TreeSet<>();
        for (Endpoint ros : topology.endpoints().values()) {
            for (Endpoint dcm : topology.endpoints().values()) {
                if (!ros.isDcm() && dcm.isDcm() && !ros.edge().equals(dcm.edge())) {
                    expected.add(ros.name() + ">" + dcm.name());
                    expected.add(ros.name() + "<" + dcm.name());
                }
            }
        }
        assertThat(both).containsExactlyInAnyOrderElementsOf(expected);
        run(60_000);
        PairReport report = PairReport.of(known.orElseThrow(), Set.of());
        assertThat(report.since()).hasSize((int) topology.endpoints().values().stream().filter(Endpoint::isDcm).count())
            .allSatisfy((dcm, since) -> assertThat(now - since).isLessThan(90_000 * MILLI));
        assertThat(report.missed()).isEmpty();
        assertThat(report.old()).isEmpty();
    }

    /** A trial found a ROS that was said not to be reached for seconds after its links had returned. */
    @Test
    void pairsThatAreMissedAreTriedAgainWhenTheFabricChanges() {
        follow(TestFabrics.prototype());
        run(80_000);
        Pair dead = Pair.of(topology).get(0);
        lost = order -> pair(order).equals(dead);
        run(80_000);
        assertThat(known.orElseThrow().missed()).containsExactly(dead);
        lost = order -> false;
        turn.again(now);
        run(1500);
        assertThat(known.orElseThrow().missed()).isEmpty();
    }

    /** What was missed while there was no path is not missed for seconds after it is back. */
    @Test
    void pairsThatHadNoPathAreNotMissedWhenTheyHaveOneAgain() {
        follow(TestFabrics.atlas());
        Random random = new Random(9);
        Map<Pair, Boolean> without = new HashMap<>();
        lost = order -> without.computeIfAbsent(pair(order), pair -> random.nextBoolean());
        run(30_000);
        Set<Pair> missed = Set.copyOf(known.orElseThrow().missed());
        assertThat(missed).hasSizeGreaterThan(500);
        Pair alsoLost = known.orElseThrow().missed().getFirst();
        lost = order -> pair(order).equals(alsoLost);
        turn.returned(missed, now);
        run(1100);
        assertThat(known.orElseThrow().missed()).doesNotContainAnyElementsOf(missed);
        run(60_000);
        assertThat(known.orElseThrow().missed()).containsExactly(alsoLost);
    }

    /** All within minutes, in fewer packets than chains take, also where the controller looks at odd times. */
    @Test
    void atlasIsProvenWithinMinutes() {
        follow(TestFabrics.atlas());
        int seconds = Pair.of(topology).size() / 200 + 20;
        run(seconds * 1000L, 23);
        assertThat(sent).hasSameSizeAs(Pair.of(topology));
        assertThat(seconds).isLessThan(20 * 60);
        assertThat(count / seconds).isLessThanOrEqualTo(200);
    }

    /** Exactly the pairs that lose packets are missed, small ones or large ones only, and are not when these arrive. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void pairsThatLosePacketsAreNamed(long seed) {
        Random random = new Random(seed);
        follow(TestFabrics.prototype());
        run(80_000);
        List<Pair> all = Pair.of(topology);
        Set<Pair> dead = new HashSet<>();
        Set<Pair> deadForLarge = new HashSet<>();
        for (int each = 0; each < 5; each++) {
            dead.add(all.get(random.nextInt(all.size())));
            deadForLarge.add(all.get(random.nextInt(all.size())));
        }
        lost = order -> dead.contains(pair(order)) || order.large() && deadForLarge.contains(pair(order));
        run(120_000);
        assertThat(known.orElseThrow().missed()).containsAll(dead);
        dead.addAll(deadForLarge);
        assertThat(dead).containsAll(known.orElseThrow().missed());
        lost = order -> false;
        run(10_000);
        assertThat(known.orElseThrow().missed()).isEmpty();
    }

    /** What was proven by another path is not known any more, and is proven before what stays where it was. */
    @Test
    void whatHasMovedIsProvenFirst() {
        follow(TestFabrics.prototype());
        run(120_000);
        Set<Endpoint> dcms = topology.endpoints().values().stream().filter(Endpoint::isDcm).limit(10)
            .collect(Collectors.toSet());
        Set<Pair> expected = Pair.of(topology).stream().filter(pair -> dcms.contains(pair.to()))
            .collect(Collectors.toSet());
        sent.clear();
        lost = order -> dcms.contains(pair(order).to());
        turn.moved(dcms.stream().map(Endpoint::address).collect(Collectors.toSet()), now);
        run(1000);
        assertThat(sent).containsAll(expected);
        run(2000);
        assertThat(known.orElseThrow().since()).doesNotContainKeys(dcms.stream().map(Endpoint::name)
            .toArray(String[]::new)).isNotEmpty();

        lost = order -> false;
        turn.moved(dcms.stream().map(Endpoint::address).collect(Collectors.toSet()), now);
        run(3000);
        dcms.forEach(dcm -> assertThat(known.orElseThrow().since().get(dcm.name())).as(dcm.name()).isNotNull());
    }

    /** Also where large packets never passed, and where a switch could not send for a moment. */
    @Test
    void whatHasMovedIsProvenBySmallPacketsAndWhenItCanBeSent() {
        follow(TestFabrics.prototype());
        lost = Prover.Order::large;
        run(120_000);
        Endpoint dcm = topology.endpoints().values().stream().filter(Endpoint::isDcm).findFirst().orElseThrow();
        for (int round = 0; round < 4; round++) {
            turn.moved(Set.of(dcm.address()), now);
            turn.tick(now + 1).stream().filter(order -> pair(order).to().equals(dcm)).forEach(order -> {
                assertThat(order.large()).isFalse();
                turn.withdrawn(order.id());
            });
            run(3000);
            assertThat(known.orElseThrow().since()).doesNotContainKey(dcm.name());
            run(6000);
            assertThat(known.orElseThrow().since()).containsKey(dcm.name());
            run(30_000);
        }
    }

    /** A pair is missed within seconds, though others wait for their first turn. */
    @Test
    void missesAreReportedInTheFirstRound() {
        follow(TestFabrics.atlas());
        Pair first = Pair.of(topology).getFirst();
        lost = order -> pair(order).equals(first);
        run(15_000);
        assertThat(known.orElseThrow().missed()).containsExactly(first);
        assertThat(known.orElseThrow().since()).isEmpty();
    }

    /** One packet of ten that is lost, as by a daqring that is full now and then, makes no pair missed. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void losingSomeIsNotMissing(long seed) {
        Random random = new Random(seed);
        follow(TestFabrics.prototype());
        lost = order -> random.nextInt(10) == 0;
        run(120_000);
        assertThat(known.orElseThrow().missed()).isEmpty();
    }

    /** Where nothing arrives at all, the controller does not know why: no pair is missed, but proofs grow old. */
    @Test
    void silenceOfAllIsNotMissing() {
        follow(TestFabrics.prototype());
        run(40_000);
        lost = order -> true;
        run(MOST_AGE + 45_000);
        assertThat(known.orElseThrow().missed()).isEmpty();
        assertThat(known.orElseThrow().old()).hasSameSizeAs(Pair.of(topology));
        lost = order -> false;
        run(45_000);
        assertThat(known.orElseThrow().old()).isEmpty();
    }

    /** Where other packets pass, pairs are missed whose packets do not arrive, though they are nearly all, or all. */
    @ParameterizedTest
    @ValueSource(ints = { 90, 99, 100 })
    void nearlyAllPairsAreMissedWhereOtherPacketsPass(int percent) {
        follow(TestFabrics.prototype());
        Random random = new Random(percent);
        Map<Pair, Boolean> dead = new HashMap<>();
        Pair.of(topology).forEach(pair -> dead.put(pair, random.nextInt(100) < percent));
        lost = order -> dead.get(pair(order));
        for (int second = 0; second < 700; second++) {
            run(500);
            turn.crossed(now);
            run(500);
            turn.crossed(now);
            known.ifPresent(each -> assertThat(each.silence()).isEmpty());
        }
        assertThat(known.orElseThrow().missed())
            .containsExactlyInAnyOrderElementsOf(dead.keySet().stream().filter(dead::get).toList());
    }

    /** It is reported within seconds, and until the first packet arrives again. */
    @Test
    void silenceOfAllIsReported() {
        follow(TestFabrics.prototype());
        run(10_000);
        lost = order -> true;
        run(4_000);
        assertThat(known.flatMap(each -> each.silence().stream().boxed().findFirst())).isEmpty();
        run(6_000);
        assertThat(now - known.orElseThrow().silence().orElseThrow()).isBetween(7_000 * MILLI, 10_000 * MILLI);
        run(120_000);
        assertThat(now - known.orElseThrow().silence().orElseThrow()).isBetween(127_000 * MILLI, 130_000 * MILLI);
        lost = order -> false;
        run(3_000);
        assertThat(known.orElseThrow().silence()).isEmpty();
    }

    /** Packets that cannot be sent are no silence, and end one: whatever comes then is not known. */
    @Test
    void whatCannotBeSentIsNoSilence() {
        follow(TestFabrics.prototype());
        Predicate<Prover.Order> cannotBeSent = order -> {
            turn.withdrawn(order.id());
            return true;
        };
        lost = cannotBeSent;
        run(20_000);
        assertThat(known).isEmpty();
        lost = order -> true;
        run(10_000);
        assertThat(known.orElseThrow().silence()).isPresent();
        lost = cannotBeSent;
        run(10_000);
        assertThat(known.orElseThrow().silence()).isEmpty();
    }

    /** A switch that the controller does not reach says nothing of the path. */
    @Test
    void packetsThatCannotBeSentAreNotMissed() {
        follow(TestFabrics.prototype());
        run(40_000);
        String away = topology.edges().firstKey();
        lost = order -> {
            boolean cannot = order.switchName().equals(away) || pair(order).to().edge().equals(away);
            if (cannot) {
                turn.withdrawn(order.id());
            }
            return cannot;
        };
        run(120_000);
        assertThat(known.orElseThrow().missed()).isEmpty();
        assertThat(PairReport.of(known.orElseThrow(), Set.of()).old().values()).isNotEmpty();
    }

    /** A pair that has no path is not missed: that is known. */
    @Test
    void pairsWithoutAPathAreNotReported() {
        follow(TestFabrics.prototype());
        run(40_000);
        Pair one = Pair.of(topology).get(7);
        lost = order -> pair(order).equals(one);
        run(60_000);
        assertThat(known.orElseThrow().missed()).containsExactly(one);
        assertThat(PairReport.of(known.orElseThrow(), Set.of(one)).missed()).isEmpty();
        assertThat(PairReport.of(known.orElseThrow(), Set.of()).missed().keySet())
            .containsExactlyInAnyOrderElementsOf(one.dcms(topology));
    }
}
