package org.daqfabric.impl.openflow;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.RuleListener;

/** Records the calls of a listener as text. */
public final class RecordedSwitchEvents implements RuleListener {
    /** In order. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void switchConnected(long datapathId) {
        calls.add("connected " + datapathId);
    }

    @Override
    public void switchDisconnected(long datapathId) {
        calls.add("disconnected " + datapathId);
    }

    @Override
    public void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits) {
        calls.add(datapathId + ":" + number + (up ? " up" : " down") + (bits.isEmpty() ? "" : " " + bits));
    }

    @Override
    public void rulesChanged(long datapathId) {
        calls.add("rules of " + datapathId);
    }

    @Override
    public void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        calls.add(datapathId + ":" + port + " from " + peerDatapathId + ":" + peerPort);
    }
}
