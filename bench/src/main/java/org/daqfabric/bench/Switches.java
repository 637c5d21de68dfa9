package org.daqfabric.bench;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;

/** The switches that are connected. */
final class Switches implements RuleListener {
    /** All are in a fabric, and nothing is known over OVSDB. */
    record Known(WantedAddresses addresses, AddressCredits credits) implements OpenFlowRuleChannel.Peers {
        Known() {
            this(new WantedAddresses());
        }

        private Known(WantedAddresses addresses) {
            this(addresses, new AddressCredits(addresses));
        }

        @Override
        public Optional<String> serialOf(long datapathId) {
            return Optional.empty();
        }

        @Override
        public boolean isKnown(long datapathId) {
            return true;
        }

        @Override
        public boolean isOthers(long datapathId) {
            return false;
        }
    }

    private final Set<Long> connected = ConcurrentHashMap.newKeySet();

    /** Waits until a number of switches is connected. */
    synchronized void awaitConnected(int count) throws InterruptedException {
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
    public void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits) {
        // the bridges have no ports
    }

    @Override
    public void rulesChanged(long datapathId) {
        // nobody else changes any
    }

    @Override
    public void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        // the bridges have no links
    }
}
