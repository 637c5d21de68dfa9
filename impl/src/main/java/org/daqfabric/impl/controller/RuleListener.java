package org.daqfabric.impl.controller;

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
}
