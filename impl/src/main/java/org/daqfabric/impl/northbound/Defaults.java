package org.daqfabric.impl.northbound;

/** The defaults of {@code daqfabric.yang}, which the datastore does not fill in. */
final class Defaults {
    static final double LINK_CAPACITY = 10;
    static final double WEIGHT = 1;
    static final String BRIDGE = "br-daq";
    static final int OVSDB_PORT = 6640;
    static final int MAX_BURST = 32;
    static final int POLLING_INTERVAL = 0;
    static final boolean FAST_FAILOVER = true;
    static final boolean BFD = true;
    static final int BFD_INTERVAL = 50;

    private Defaults() {
    }

    static <T> T or(T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
