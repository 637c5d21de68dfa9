package org.daqfabric.impl.engine.loss;

/** Packets that a port has counted; negative if it does not count them. */
public record PortCount(long received, long transmitted) {
}
