package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random faults and edits, some at the same time; after each step the fabric serves all pairs that can still be served.
 * {@code -Dfault.seed=N} repeats the faults; timing differs from run to run. {@code -Dfault.count=N} is their number.
 */
@ExtendWith(SharedController.class)
class FaultIT {
    private static final Logger LOG = LoggerFactory.getLogger(FaultIT.class);
    private static final int COUNT = Integer.getInteger("fault.count", 8); // of faults, and of edits, at least
    private static final Set<Integer> CONTROLLER_KILLS = Set.of(12); // after so many faults
    private static final int FAULTS_BETWEEN_REPAIRS = 20; // after so many faults everything is repaired
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    static long[] seeds() {
        return new long[] { Long.getLong("fault.seed", 1) };
    }

    /** After any fault, every pair that the remaining links connect is served and every switch holds its program. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void servesWhatIsLeft(final long seed, final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("fault", "--prototype").withBfd(true));
        final var faults = new Faults(fabric, seed);
        final var random = new Random(seed);
        final var kills = new HashSet<>(CONTROLLER_KILLS);
        int repairs = 0;
        while (faults.count() < COUNT || faults.edits().count() < COUNT) {
            final int from = faults.log().size();
            final int before = faults.count();
            final long begin = System.nanoTime();
            final boolean kill = kills.removeIf(after -> before >= after);
            if (kill) {
                controller.kill();
                faults.controller(false);
            }
            for (int each = 1 + random.nextInt(3); each > 0; each--) {
                if (random.nextBoolean()) {
                    faults.edit();
                } else {
                    faults.next();
                }
            }
            if (kill) {
                controller.start();
                faults.controller(true);
            }
            final var step = "seed " + seed + ", fault " + faults.count() + ", edit " + faults.edits().count() + ": "
                + List.copyOf(faults.log().subList(from, faults.log().size())) + (kill ? ", controller killed" : "");
            await(step).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertServed(fabric, faults));
            LOG.info("{} ms: {}", (System.nanoTime() - begin) / 1_000_000, step);
            if (faults.count() / FAULTS_BETWEEN_REPAIRS > repairs) {
                repairs++;
                repairAll(fabric, faults, step);
            }
        }
        repairAll(fabric, faults, "seed " + seed + ", the last fault");
    }

    private static void assertServed(final LabFabric fabric, final Faults faults) {
        final var state = fabric.state();
        assertThat(state.links("down")).as(state.summary()).containsAll(faults.noticeableLinks());
        final var found = fabric.verify();
        assertThat(found.findings()).allMatch(each -> faults.unreachableNow().contains(each.switchName()));
        assertThat(found.lost()).isEmpty();
        assertThat(found.hasPairs()).isEqualTo(faults.unreachableNow().isEmpty());
        final var possible = faults.pairs();
        assertThat(fabric.missingPairs()).as("pairs without answer").noneMatch(possible::contains);
    }

    /** Repairs all faults and takes held-back links into use, so that the whole fabric is in use again. */
    private static void repairAll(final LabFabric fabric, final Faults faults, final String step) {
        faults.repairAll();
        await("all repaired after " + step).atMost(TIMEOUT).pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(500))
            .untilAsserted(() -> {
                fabric.rebalance();
                assertThat(fabric.state().phase()).as(fabric.state().summary()).isEqualTo("converged");
                assertServed(fabric, faults);
                assertThat(fabric.file().switches()).as("one bridge on every node").allMatch(node ->
                    fabric.bridges(node).equals(List.of(faults.edits().bridgeOf(node))));
            });
        fabric.assertAllReachable();
    }
}
