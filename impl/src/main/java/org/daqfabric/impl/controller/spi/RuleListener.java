package org.daqfabric.impl.controller.spi;

/** Hears what the switches report over OpenFlow. Called on the channel's threads; returns at once. */
public interface RuleListener {
    void switchConnected(long datapathId);

    void switchDisconnected(long datapathId);

    /**
     * A port changed.
     *
     * @param number OpenFlow number
     * @param up neither administratively down nor without carrier, and live (BFD)
     */
    void portChanged(long datapathId, int number, boolean up);

    /**
     * What left one port arrived at another. Told every few seconds for as long as it is so.
     *
     * @param port OpenFlow number of the port at which it arrived
     * @param peerDatapathId the switch it left; may be any
     */
    void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort);
}
