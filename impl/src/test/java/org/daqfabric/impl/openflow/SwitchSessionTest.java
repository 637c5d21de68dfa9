package org.daqfabric.impl.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.impl.controller.RuleListener;
import org.junit.jupiter.api.Test;

class SwitchSessionTest {
    private final List<String> heard = new ArrayList<>();
    private final SwitchSession session = new SwitchSession(7, "peer", new CapturingListener());

    /** The listener must not hear of ports of a switch it does not know, and must hear of all once it does. */
    @Test
    void portsAreToldOnceTheSwitchAnswers() {
        session.port(1, true);
        session.port(2, true);
        session.port(2, false);
        assertEquals(List.of(), heard);
        session.open();
        session.port(2, false);
        session.port(1, false);
        session.portGone(1);
        assertEquals(List.of("connected 7", "7:1 up", "7:2 down", "7:1 down"), heard);
    }

    /** A connection that never answered was never told of, so its end is not told of either. */
    @Test
    void aConnectionThatNeverAnsweredEndsInSilence() {
        session.close("gone");
        session.open();
        session.port(1, true);
        assertEquals(List.of(), heard);
    }

    /** A send or read must not wait for a switch that is gone. */
    @Test
    void whatIsUnderWayFailsWithTheConnection() {
        session.open();
        final var send = new CompletableFuture<Void>();
        session.whenLost(send);
        session.close("gone");
        session.close("gone");
        assertTrue(send.isCompletedExceptionally());
        assertEquals(List.of("connected 7", "disconnected 7"), heard);
    }

    private final class CapturingListener implements RuleListener {
        @Override
        public void switchConnected(final long datapathId) {
            heard.add("connected " + datapathId);
        }

        @Override
        public void switchDisconnected(final long datapathId) {
            heard.add("disconnected " + datapathId);
        }

        @Override
        public void portChanged(final long datapathId, final int number, final boolean up) {
            heard.add(datapathId + ":" + number + (up ? " up" : " down"));
        }

        @Override
        public void peerSeen(final long datapathId, final int port, final long peerDatapathId, final int peerPort) {
            throw new AssertionError("a session knows of no cables");
        }
    }
}
