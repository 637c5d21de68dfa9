package org.daqfabric.impl.engine.loss;

/**
 * Packets that a port has counted; negative if it does not count them.
 *
 * @param dropped those that it could not transmit, as its queue was full
 */
public record PortCount(long received, long transmitted, long dropped) {
}
