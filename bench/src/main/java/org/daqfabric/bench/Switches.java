package org.daqfabric.bench;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.impl.controller.spi.RuleListener;

/** Which switches are connected. */
final class Switches implements RuleListener {
    private final Set<Long> connected = ConcurrentHashMap.newKeySet();

    /** Waits until so many are. */
    synchronized void await(int count) throws InterruptedException {
        while (connected.size() < count) {
            wait(1000);
        }
    }

    @Override
    public synchronized void switchConnected(long datapathId) {
        connected.add(datapathId);
        notifyAll();
    }

    @Override
    public void switchDisconnected(long datapathId) {
        connected.remove(datapathId);
    }

    @Override
    public void portChanged(long datapathId, int number, boolean up) {
        // bridges without ports
    }

    @Override
    public void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        // nor cables
    }
}
