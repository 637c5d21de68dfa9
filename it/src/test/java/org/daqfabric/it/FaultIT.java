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
 * One thing after another fails and comes back, some at once, and after each the fabric does what is left to be done.
 * {@code -Dfault.seed=N} repeats a run; how fast each part notices differs from run to run.
 */
@ExtendWith(SharedController.class)
class FaultIT {
    private static final Logger LOG = LoggerFactory.getLogger(FaultIT.class);
    private static final int FAULTS = 60;
    private static final Set<Integer> CONTROLLER_KILLS = Set.of(25); // after so many faults
    private static final int PAUSE = 20; // faults until everything is mended once
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static long[] seeds() {
        return new long[] { Long.getLong("fault.seed", 1) };
    }

    /** Every pair that the links allow is served and every switch holds its program, whatever has just happened. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void servesWhatIsLeft(final long seed, final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("fault", "--prototype").watched(true));
        final var faults = new Faults(fabric, controller.restconf(), seed);
        final var random = new Random(seed);
        final var kills = new HashSet<>(CONTROLLER_KILLS);
        int mended = 0;
        while (faults.count() < FAULTS) {
            final int from = faults.log().size();
            final int before = faults.count();
            final long begin = System.nanoTime();
            final boolean kill = kills.removeIf(after -> before >= after);
            if (kill) {
                controller.kill();
                faults.controller(false);
            }
            for (int each = 1 + random.nextInt(3); each > 0; each--) {
                faults.next();
            }
            if (kill) {
                controller.start();
                faults.controller(true);
            }
            final var step = "seed " + seed + ", fault " + faults.count() + ": "
                + List.copyOf(faults.log().subList(from, faults.log().size())) + (kill ? ", controller killed" : "");
            await(step).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertServed(fabric, faults));
            LOG.info("{} ms: {}", (System.nanoTime() - begin) / 1_000_000, step);
            if (faults.count() / PAUSE > mended || faults.count() >= FAULTS) {
                mended++;
                mendAll(fabric, faults, step);
            }
        }
    }

    private static void assertServed(final LabFabric fabric, final Faults faults) {
        final var state = fabric.state();
        assertThat(state.links("down")).as(state.summary()).containsAll(faults.noticeable());
        final var found = fabric.verify();
        assertThat(found.findings()).allMatch(each -> faults.away().contains(each.switchName()));
        assertThat(found.lost()).isEmpty();
        assertThat(found.hasPairs()).isEqualTo(faults.away().isEmpty());
        final var possible = faults.pairs();
        assertThat(fabric.missingPairs()).as("pairs without answer").noneMatch(possible::contains);
    }

    /** Links that failed again and again are released, so that all of the fabric is in use again. */
    private static void mendAll(final LabFabric fabric, final Faults faults, final String step) {
        faults.mendAll();
        await("all mended after " + step).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(500))
            .untilAsserted(() -> {
                fabric.rebalance();
                assertThat(fabric.state().phase()).as(fabric.state().summary()).isEqualTo("converged");
                assertServed(fabric, faults);
            });
        fabric.assertAllReachable();
    }
}
