package org.daqfabric.impl.openflow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.RuleListener;

/**
 * Tells of connected switches, but not of those whose bridges belong to another installation, however long they stay
 * connected: they are not ours to change, and for the controller they are not connected. Thread-safe; what it tells is
 * in order.
 */
final class ToldSwitches implements RuleListener {
    private final RuleListener listener;
    private final LongPredicate others;
    /** The ports of those that are connected, as they were reported last, by datapath-id and number. */
    @GuardedBy("this")
    private final Map<Long, Map<Integer, PortReport>> connected = new TreeMap<>();
    @GuardedBy("this")
    private final Set<Long> untold = new HashSet<>();

    private record PortReport(boolean up, Set<PortBit> bits) {
    }

    /**
     * Nothing is connected.
     *
     * @param others whether the bridge with a datapath-id belongs to another installation
     */
    ToldSwitches(RuleListener listener, LongPredicate others) {
        this.listener = listener;
        this.others = others;
    }

    /** To be called every second: bridges may have been taken over, by another installation or by this one. */
    synchronized void check() {
        connected.forEach((datapathId, ports) -> {
            boolean isOthers = others.test(datapathId);
            if (isOthers && untold.add(datapathId)) {
                listener.switchDisconnected(datapathId);
            } else if (!isOthers && untold.remove(datapathId)) {
                listener.switchConnected(datapathId);
                ports.forEach((number, port) -> listener.portChanged(datapathId, number, port.up, port.bits));
            }
        });
    }

    @Override
    public synchronized void switchConnected(long datapathId) {
        connected.put(datapathId, new TreeMap<>());
        if (others.test(datapathId)) {
            untold.add(datapathId);
        } else {
            listener.switchConnected(datapathId);
        }
    }

    @Override
    public synchronized void switchDisconnected(long datapathId) {
        connected.remove(datapathId);
        if (!untold.remove(datapathId)) {
            listener.switchDisconnected(datapathId);
        }
    }

    @Override
    public synchronized void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits) {
        connected.computeIfPresent(datapathId, (id, ports) -> {
            ports.put(number, new PortReport(up, bits));
            return ports;
        });
        if (!untold.contains(datapathId)) {
            listener.portChanged(datapathId, number, up, bits);
        }
    }

    @Override
    public synchronized void rulesChanged(long datapathId) {
        if (!untold.contains(datapathId)) {
            listener.rulesChanged(datapathId);
        }
    }

    @Override
    public synchronized void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        if (!untold.contains(datapathId)) {
            listener.peerSeen(datapathId, port, peerDatapathId, peerPort);
        }
    }
}
