package org.daqfabric.impl.engine.loss;

/**
 * What a link loses in its two directions.
 *
 * @param toPeer packets of a million that the end which names the link sends
 * @param fromPeer packets of a million that the other end sends
 */
public record LinkRates(int toPeer, int fromPeer) {
    /** In the worse direction. */
    public int most() {
        return Math.max(toPeer, fromPeer);
    }
}
