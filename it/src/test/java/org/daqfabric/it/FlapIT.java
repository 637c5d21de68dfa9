package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flapping links do not affect the rest of the fabric. */
@Tag("long") // links flap for a minute
@ExtendWith(SharedController.class)
class FlapIT {
    private static final Logger LOG = LoggerFactory.getLogger(FlapIT.class);
    /** None of them is the only path to a switch, so all can be held back. */
    private static final Map<String, String> LINKS = Map.of("p1l1", "to-p1s1", "p2l2", "to-p2s2", "h1-1", "to-p1l1",
        "r2-1", "to-p1l2");
    private static final Duration INTERVAL = Duration.ofMillis(200);
    /** A leak of one program of the fabric per flap would exceed it. */
    private static final long MAX_GROWTH = 8 << 20; // bytes
    /** A tenth of the moves if every flap moved the DCMs of its link away and back. */
    private static final int MAX_MOVES = 200;

    /**
     * During 200 failures in a minute the controller answers as usual and moves DCMs only a few times; afterwards
     * everything is as before, including its memory.
     */
    @Test
    void survivesTwoHundredFlapsInAMinute(final Lab lab, final Distribution controller) throws Exception {
        final var fabric = lab.converged(lab.generate("flap", "--prototype").withBfd(true));
        // what is loaded or cached at the first failure is no leak
        for (var each : flap(fabric, 3, "0.2")) {
            each.waitFor();
        }
        awaitAllInUse(fabric);
        final long before = controller.liveHeap();
        final long moves = fabric.state().moves();

        final var flapping = flap(fabric, 50, "0.6");
        final var slowest = slowestAnswer(controller.restconf(), fabric, flapping);
        final long moved = fabric.state().moves() - moves;
        LOG.info("Worst of {} answers: {} ms; DCMs moved {} times", slowest.answers(), slowest.time().toMillis(),
            moved);
        assertThat(flapping).allMatch(each -> each.exitValue() == 0);
        assertThat(slowest.answers()).isGreaterThan(200);
        assertThat(slowest.time()).isLessThan(Duration.ofSeconds(1));
        assertThat(moved).isLessThan(MAX_MOVES);

        awaitAllInUse(fabric);
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.assertAllReachable();
        final long after = controller.liveHeap();
        LOG.info("Heap {} kB before, {} kB after", before >> 10, after >> 10);
        assertThat(after - before).as("bytes more").isLessThan(MAX_GROWTH);
    }

    /** Repeats rebalance: a link whose BFD is not up yet stays held back when others are released. */
    private static void awaitAllInUse(final LabFabric fabric) {
        await("all in use again").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> {
                fabric.rebalance();
                assertThat(fabric.state().phase()).as(fabric.state().summary()).isEqualTo("converged");
            });
    }

    private static List<Process> flap(final LabFabric fabric, final int times, final String interval)
            throws IOException {
        final var flapping = new ArrayList<Process>();
        for (var link : LINKS.entrySet()) {
            flapping.add(new ProcessBuilder(Lab.command("flap", "--fabric", fabric.name(), link.getKey(),
                link.getValue(), "--times", Integer.toString(times), "--interval", interval)).inheritIO().start());
        }
        return flapping;
    }

    private record Slowest(int answers, Duration time) {
    }

    private static Slowest slowestAnswer(final Restconf restconf, final LabFabric fabric, final List<Process> during) {
        var slowest = Duration.ZERO;
        int answers = 0;
        while (during.stream().anyMatch(Process::isAlive)) {
            final long begin = System.nanoTime();
            restconf.get(fabric.path() + "/state?content=nonconfig").orFail();
            final var time = Duration.ofNanos(System.nanoTime() - begin);
            slowest = time.compareTo(slowest) > 0 ? time : slowest;
            answers++;
            LockSupport.parkNanos(INTERVAL.minus(time).toNanos());
        }
        return new Slowest(answers, slowest);
    }
}
