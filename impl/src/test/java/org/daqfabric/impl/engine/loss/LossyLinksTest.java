package org.daqfabric.impl.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links of a fabric of three planes with two spines each lose packets. */
class LossyLinksTest {
    private static final int CASES = 20;
    private static final List<Link> LINKS = TestFabrics.regular("small", 3, 2, 3, 2, 2, 1).links();
    private static final Predicate<Set<PortId>> ENOUGH = without -> true;

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * CASES, (seed + 1) * CASES));
    }

    private static PortId link(int number) {
        return LINKS.get(number).end();
    }

    private static long of(String name, Set<PortId> held) {
        return LINKS.stream().filter(each -> held.contains(each.end())).filter(each ->
            each.end().switchName().equals(name) || each.peer().switchName().equals(name)).count();
    }

    /** Whatever is lost where: only what loses packets is held back, the worst first, and each switch keeps half. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void linksAreHeldBack(long seed) {
        Random random = new Random(seed);
        int bandwidth = random.nextInt(8);
        Predicate<Set<PortId>> suffices = without -> without.size() <= bandwidth;
        SortedSet<PortId> held = LossyLinks.heldBack(LINKS, Map.of(), Set.of(), suffices);
        assertThat(held).isEmpty();
        for (int step = 0; step < 20; step++) {
            Map<PortId, Integer> rates = new HashMap<>();
            for (int i = random.nextInt(random.nextBoolean() ? 3 : LINKS.size()); i > 0; i--) {
                rates.put(link(random.nextInt(LINKS.size())), (int) Math.pow(10, 2 + random.nextInt(5)));
            }
            Set<PortId> before = held;
            held = LossyLinks.heldBack(LINKS, rates, before, suffices);
            assertThat(rates.keySet()).containsAll(held);
            assertThat(held.size()).isLessThanOrEqualTo(Math.min(bandwidth, Math.max(2, LINKS.size() / 10)));
            for (Link each : LINKS) {
                String name = each.end().switchName();
                assertThat(of(name, held)).isLessThanOrEqualTo(of(name, all()) / 2);
            }
            Set<PortId> stillLossy = new HashSet<>(before);
            stillLossy.retainAll(rates.keySet());
            stillLossy.removeAll(held);
            Set<PortId> instead = new HashSet<>(held);
            instead.removeAll(before);
            assertThat(stillLossy).as("what loses packets returns only for links that lose more").allSatisfy(link ->
                assertThat(instead).anyMatch(each -> rates.get(each) > 10 * rates.get(link)));
            assertThat(held).allMatch(link -> rates.get(link) >= 1000 || before.contains(link));
            assertThat(LossyLinks.heldBack(LINKS, rates, held, suffices)).isEqualTo(held);
        }
    }

    private static Set<PortId> all() {
        Set<PortId> all = new HashSet<>();
        LINKS.forEach(each -> all.add(each.end()));
        return all;
    }

    @Test
    void worstIsHeldBackWhereOnlyOneCanBe() {
        Map<PortId, Integer> rates = Map.of(link(0), 100, link(20), 10_000, link(30), 1000);
        assertThat(LossyLinks.heldBack(LINKS, rates, Set.of(), without -> without.size() <= 1))
            .containsExactly(link(20));
        assertThat(LossyLinks.heldBack(LINKS, rates, Set.of(link(30)), without -> without.size() <= 1))
            .as("without an exchange").containsExactly(link(30));
        assertThat(LossyLinks.heldBack(LINKS, Map.of(link(20), 100_000, link(30), 1000), Set.of(link(30)),
            without -> without.size() <= 1)).as("for one that is much worse").containsExactly(link(20));
        assertThat(LossyLinks.heldBack(LINKS, rates, Set.of(link(30)), without -> false)).isEmpty();
        assertThat(LossyLinks.heldBack(LINKS, Map.of(link(20), 1000), Set.of(), ENOUGH)).containsExactly(link(20));
        assertThat(LossyLinks.heldBack(LINKS, Map.of(link(20), 100), Set.of(), ENOUGH)).as("little").isEmpty();
        assertThat(LossyLinks.heldBack(LINKS, Map.of(link(20), 100), Set.of(link(20)), ENOUGH))
            .as("what is held back returns when it loses nothing").containsExactly(link(20));
    }
}
