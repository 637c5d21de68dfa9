package org.daqfabric.impl.openflow;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.daqfabric.impl.controller.spi.RuleListener;

/** What a listener heard, in words. */
public final class HeardEvents implements RuleListener {
    /** In order. */
    public final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public void switchConnected(long datapathId) {
        heard.add("connected " + datapathId);
    }

    @Override
    public void switchDisconnected(long datapathId) {
        heard.add("disconnected " + datapathId);
    }

    @Override
    public void portChanged(long datapathId, int number, boolean up) {
        heard.add(datapathId + ":" + number + (up ? " up" : " down"));
    }

    @Override
    public void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        heard.add(datapathId + ":" + port + " from " + peerDatapathId + ":" + peerPort);
    }
}
