package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which port changes are told at once, and which later. */
class PortChangesTest {
    private static final long MILLI = 1_000_000;
    private static final int STEPS = 20_000;

    private final List<String> told = new ArrayList<>();
    private final Map<Integer, PortReport> ports = new TreeMap<>();
    private final Map<Integer, Boolean> believed = new HashMap<>();
    private final PortChanges changes = new PortChanges(0, (number, port) -> {
        boolean up = port.up();
        told.add(number + (up ? " up" : " down"));
        assertThat(believed.put(number, up)).as("news of port " + number).isNotEqualTo(up);
    });

    private static PortReport port(boolean up) {
        return new PortReport(1, up, Set.of());
    }

    private void change(int number, boolean up, long now) {
        ports.put(number, port(up));
        changes.changed(number, port(up), now);
    }

    /** All ports of a switch go down at once, and come back: every change is told at once. */
    @Test
    void honestChangesAreToldAtOnce() {
        for (int port = 1; port <= 1000; port++) {
            ports.put(port, port(true));
        }
        changes.begin(ports);
        for (int port = 1; port <= 1000; port++) {
            change(port, false, 0);
            assertThat(told).last().isEqualTo(port + " down");
        }
        for (int port = 1; port <= 1000; port++) {
            change(port, true, 5 * MILLI);
            assertThat(told).last().isEqualTo(port + " up");
        }
        assertThat(changes.isBehind()).isFalse();
    }

    /** A port that flaps uses up what it is allowed, and nothing of what others are. */
    @Test
    void othersDoNotWaitForAPortThatFlaps() {
        changes.begin(Map.of(1, port(true), 2, port(true)));
        for (int each = 0; each < 5000; each++) {
            change(1, each % 2 == 1, MILLI);
        }
        assertThat(told).hasSize(2 + PortChanges.PORT_BURST);
        change(2, false, MILLI);
        assertThat(told).last().isEqualTo("2 down");
    }

    /** Of what waits the newest is told, in the order in which the ports began to wait. */
    @Test
    void portsWaitInTurn() {
        changes.begin(Map.of(1, port(true), 2, port(true)));
        for (int each = 0; each <= PortChanges.PORT_BURST; each++) {
            change(2, each % 2 == 1, 0);
            change(1, each % 2 == 1, 0);
        }
        told.clear();
        assertThat(changes.isBehind()).isTrue();
        changes.retry(ports, 100 * MILLI);
        assertThat(told).containsExactly("2 down", "1 down");
        assertThat(changes.isBehind()).isFalse();
    }

    /** Whatever changes, and however often: what is told is bounded, and at last what there is has been told. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void whatIsToldIsBoundedAndTrueInTheEnd(long seed) {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(3000);
        changes.begin(ports);
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(4) * MILLI / 10;
            int port = random.nextBoolean() ? random.nextInt(count) : random.nextInt(1 + count / 100);
            if (random.nextInt(4) == 0) {
                ports.remove(port);
                changes.changed(port, null, now);
                // a port that is gone and comes back is news again, whatever it was
                believed.computeIfPresent(port, (number, up) -> up ? up : null);
            } else {
                change(port, random.nextBoolean(), now);
            }
            if (step % 500 == 0 && changes.isBehind()) {
                changes.retry(ports, now);
                believed.keySet().removeIf(number -> !ports.containsKey(number) && !believed.get(number));
            }
        }
        assertThat(told.size()).isLessThanOrEqualTo(
            (int) (PortChanges.SWITCH_BURST + now / 1e9 * PortChanges.SWITCH_PER_SECOND + 1));
        while (changes.isBehind()) {
            now += 100 * MILLI;
            changes.retry(ports, now);
        }
        ports.forEach((number, port) -> assertThat(believed).as("seed " + seed).containsEntry(number, port.up()));
        assertThat(believed).allSatisfy((number, up) ->
            assertThat(up).isEqualTo(ports.getOrDefault(number, PortReport.GONE).up()));
    }
}
