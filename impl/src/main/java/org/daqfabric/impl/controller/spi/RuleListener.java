package org.daqfabric.impl.controller.spi;

/** Receives what switches report over OpenFlow. Called on the threads of {@link RuleChannel}; returns at once. */
public interface RuleListener {
    void switchConnected(long datapathId);

    void switchDisconnected(long datapathId);

    /**
     * A port changed.
     *
     * @param number OpenFlow number
     * @param up whether it is enabled, has carrier and is live (BFD)
     */
    void portChanged(long datapathId, int number, boolean up);

    /**
     * A frame of a cabling check arrived. Reported every few seconds while frames arrive.
     *
     * @param port OpenFlow number of the port at which it arrived
     * @param peerDatapathId the switch that sent it, perhaps of another fabric or of none
     * @param peerPort OpenFlow number of the port that sent it
     */
    void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort);
}
