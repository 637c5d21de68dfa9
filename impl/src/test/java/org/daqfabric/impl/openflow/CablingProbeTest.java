package org.daqfabric.impl.openflow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CablingProbeTest {
    /** In every slot exactly one of {@code SLOTS} consecutive ports is due. */
    @Test
    void portsOfASwitchTakeTurns() {
        for (long slot = -3; slot < 2 * CablingProbe.SLOTS; slot++) {
            int due = 0;
            for (int port = 1; port <= CablingProbe.SLOTS; port++) {
                due += CablingProbe.isDue(-7, port, CablingProbe.SLOTS, slot - 1, slot) ? 1 : 0;
            }
            assertEquals(1, due);
        }
    }

    /** However late the timer is, it skips no port and sends no port more than one frame. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("org.daqfabric.impl.engine.Seeds#seeds")
    void lateTimerSkipsNoPort(final long seed) {
        final var random = new Random(seed);
        for (int each = 0; each < 1000; each++) {
            final long datapathId = random.nextLong();
            final int port = 1 + random.nextInt(0xfeff);
            final long begin = random.nextInt();
            final long end = begin + CablingProbe.SLOTS;
            int due = 0;
            for (long after = begin; after < end;) {
                final long until = Math.min(end, after + random.nextInt(30));
                due += CablingProbe.isDue(datapathId, port, CablingProbe.SLOTS, after, until) ? 1 : 0;
                after = until;
            }
            assertEquals(1, due);
            assertTrue(CablingProbe.isDue(datapathId, port, CablingProbe.SLOTS, begin, end + random.nextInt(1000)));
        }
    }

    /** Frames are sent only from watched ports that are up, of connected switches. */
    @Test
    void framesAreSentFromWatchedPortsThatAreUp() {
        final var queue = new SentMessages();
        final var session = new SwitchSession(7, queue, new RecordedSwitchEvents(), (limit, why) -> { }, 10);
        final var up = new PortReport(1, true, Set.of());
        session.open(Map.of(1, up, 2, up, 3, PortReport.GONE));
        try (var probe = new CablingProbe(id -> id == 7 ? session : null)) {
            probe.watch(7, Set.of(1, 3, 4));
            probe.watch(8, Set.of(1));
            await().atMost(Duration.ofSeconds(20)).until(() -> !queue.frames().isEmpty());
            probe.watch(7, Set.of(1, 2, 3, 4));
            await().atMost(Duration.ofSeconds(20)).until(() -> queue.frames().size() == 2);
        }
        assertEquals(Set.of(new LldpFrame(7, 1), new LldpFrame(7, 2)), queue.frames());
    }

    /** A link may wait for frames after its ports have come up: they are sent promptly, and some may be lost. */
    @Test
    void portThatComesUpSendsAtOnceAndAgain() {
        final var queue = new SentMessages();
        final var session = new SwitchSession(7, queue, new RecordedSwitchEvents(), (limit, why) -> { }, 10);
        session.open(Map.of(1, PortReport.GONE));
        try (var probe = new CablingProbe(id -> session)) {
            probe.watch(7, Set.of(1));
            session.port(1, new PortReport(1, true, Set.of()));
            final long begin = System.nanoTime();
            await().atMost(Duration.ofSeconds(20)).until(() -> queue.sent() >= 5);
            assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos(), "not one every 5 s");
        }
    }
}
