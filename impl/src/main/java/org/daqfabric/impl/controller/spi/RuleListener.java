package org.daqfabric.impl.controller.spi;

import java.util.Set;
import org.daqfabric.api.state.PortBit;

/** Receives what switches report over OpenFlow. Called on the threads of {@link RuleChannel}; returns at once. */
public interface RuleListener {
    void switchConnected(long datapathId);

    void switchDisconnected(long datapathId);

    /**
     * A port changed.
     *
     * @param number OpenFlow number; the bridge's own port has one, too
     * @param up whether it is enabled, has carrier and is live (BFD)
     * @param bits those of its configuration that are set and stop packets
     */
    void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits);

    /** Somebody else has changed rules of a switch that was read, or they have timed out or gone with a group. */
    void rulesChanged(long datapathId);

    /**
     * A frame of a cabling check arrived. Reported every few seconds while frames arrive.
     *
     * @param port OpenFlow number of the port at which it arrived
     * @param peerDatapathId the switch that sent it, perhaps of another fabric or of none
     * @param peerPort OpenFlow number of the port that sent it
     */
    void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort);
}
