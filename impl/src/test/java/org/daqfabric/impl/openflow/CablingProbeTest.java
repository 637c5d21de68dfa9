package org.daqfabric.impl.openflow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.daqfabric.impl.controller.RuleListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceivedBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacket;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.concepts.Registration;

class CablingProbeTest {
    private final List<String> seen = new ArrayList<>();

    /** What leaves one port, as the plugin is told, is known again where it arrives. */
    @Test
    void frameTellsWhereItCameFrom() {
        final var sent = CablingProbe.packet(7, 3);
        assertEquals(Nodes.ref(7, 3), sent.getEgress());
        CablingProbe.received(new PacketReceivedBuilder().setIngress(Nodes.ref(-2, 5)).setPayload(sent.getPayload())
            .build(), new Listener());
        assertEquals(List.of("-2:5 from 7:3"), seen);
    }

    /** The plugin hands on whatever switches send, whole or not. */
    @Test
    void otherPacketsAreNoBusinessOfIt() {
        final byte[] payload = CablingProbe.packet(7, 3).getPayload();
        CablingProbe.received(new PacketReceivedBuilder().build(), new Listener());
        CablingProbe.received(new PacketReceivedBuilder().setPayload(payload).build(), new Listener());
        CablingProbe.received(new PacketReceivedBuilder().setIngress(Nodes.ref(-2, 5)).setPayload(new byte[64])
            .build(), new Listener());
        assertEquals(List.of(), seen);
    }

    /** As many ports of a switch as there are moments each have one for themselves, in every period anew. */
    @Test
    void portsOfASwitchTakeTurns() {
        for (long moment = -3; moment < 2 * CablingProbe.MOMENTS; moment++) {
            int due = 0;
            for (int port = 1; port <= CablingProbe.MOMENTS; port++) {
                due += CablingProbe.isDue(-7, port, moment - 1, moment) ? 1 : 0;
            }
            assertEquals(1, due);
        }
    }

    /** However late the timer is, no port is left out, and none gets more than one frame for a long wait. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("org.daqfabric.impl.engine.Seeds#seeds")
    void delaysLeaveNoPortOut(final long seed) {
        final var random = new Random(seed);
        for (int each = 0; each < 1000; each++) {
            final long datapathId = random.nextLong();
            final int port = 1 + random.nextInt(0xfeff);
            final long begin = random.nextInt();
            final long end = begin + CablingProbe.MOMENTS;
            int due = 0;
            for (long after = begin; after < end;) {
                final long until = Math.min(end, after + random.nextInt(30));
                due += CablingProbe.isDue(datapathId, port, after, until) ? 1 : 0;
                after = until;
            }
            assertEquals(1, due);
            assertTrue(CablingProbe.isDue(datapathId, port, begin, end + random.nextInt(1000)));
        }
    }

    /** Frames go out of the ports that are watched and up, of switches that are connected, and nowhere else. */
    @Test
    void framesLeaveWatchedPortsThatAreUp() {
        final Set<LldpFrame> sent = ConcurrentHashMap.newKeySet();
        final TransmitPacket transmit = input -> {
            final var frame = LldpFrame.parse(input.getPayload()).orElseThrow();
            assertEquals(Nodes.ref(frame.datapathId(), frame.port()), input.getEgress());
            sent.add(frame);
            return Futures.immediateFuture(null);
        };
        final var session = new SwitchSession(7, "peer", new Listener());
        session.port(1, true);
        session.port(2, true);
        session.port(3, false);
        session.open();
        try (var probe = new CablingProbe(transmit, new Silence(), id -> id == 7 ? session : null, new Listener())) {
            probe.watch(7, Set.of(1, 3, 4));
            probe.watch(8, Set.of(1));
            await().atMost(Duration.ofSeconds(20)).until(() -> !sent.isEmpty());
            probe.watch(7, Set.of(1, 2, 3, 4));
            await().atMost(Duration.ofSeconds(20)).until(() -> sent.size() == 2);
        }
        assertEquals(Set.of(new LldpFrame(7, 1), new LldpFrame(7, 2)), sent);
    }

    /** A plugin that tells of nothing. */
    private static final class Silence implements NotificationService {
        @Override
        public <N extends Notification<N> & DataObject> Registration registerListener(final Class<N> type,
                final Listener<N> listener, final Executor executor) {
            return () -> { };
        }

        @Override
        public Registration registerCompositeListener(final CompositeListener listener, final Executor executor) {
            return () -> { };
        }
    }

    private final class Listener implements RuleListener {
        @Override
        public void switchConnected(final long datapathId) {
            // the tests connect switches themselves
        }

        @Override
        public void switchDisconnected(final long datapathId) {
            throw new AssertionError("nothing disconnects");
        }

        @Override
        public void portChanged(final long datapathId, final int number, final boolean up) {
            // nor do ports change but by the tests
        }

        @Override
        public void peerSeen(final long datapathId, final int port, final long peerDatapathId, final int peerPort) {
            seen.add(datapathId + ":" + port + " from " + peerDatapathId + ":" + peerPort);
        }
    }
}
