package org.daqfabric.impl.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.daqfabric.impl.controller.RuleListener;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceivedBuilder;

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

    /** As many ports of a switch as there are moments each have one for themselves. */
    @Test
    void portsOfASwitchTakeTurns() {
        final Set<Integer> moments = new HashSet<>();
        for (int port = 1; port <= CablingProbe.MOMENTS; port++) {
            moments.add(CablingProbe.moment(0x0200_1234_5678L, port));
        }
        assertEquals(CablingProbe.MOMENTS, moments.size());
    }

    private final class Listener implements RuleListener {
        @Override
        public void switchConnected(final long datapathId) {
            throw new AssertionError();
        }

        @Override
        public void switchDisconnected(final long datapathId) {
            throw new AssertionError();
        }

        @Override
        public void portChanged(final long datapathId, final int number, final boolean up) {
            throw new AssertionError();
        }

        @Override
        public void peerSeen(final long datapathId, final int port, final long peerDatapathId, final int peerPort) {
            seen.add(datapathId + ":" + port + " from " + peerDatapathId + ":" + peerPort);
        }
    }
}
