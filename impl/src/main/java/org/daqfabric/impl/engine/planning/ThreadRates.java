package org.daqfabric.impl.engine.planning;

/**
 * Million packets per second that one PMD thread takes through a daqring, as measured by {@code make bench-dpdk}: the
 * lower median of a leaf's and a spine's rules, without cards. The test compares it with docs/benchmarks.md.
 */
enum ThreadRates {
    ETHERNET(1518, 10.7, 10.6, 8.0, 4.8),
    JUMBO(9000, 4.3, 4.1, 3.5, 2.4);

    private static final int FRAME_HEADER = 18;
    private static final int STEP = 10;

    private final int frame;
    private final double[] rates;

    /**
     * Rates of one size of packets.
     *
     * @param rates with 1, 10, 100 and 1000 daqrings in use
     */
    ThreadRates(int frame, double... rates) {
        this.frame = frame;
        this.rates = rates;
    }

    /**
     * The measured rate next above in size and number of daqrings; beyond the last one the last one.
     *
     * @param mtu bytes
     */
    static double of(int mtu, long rings) {
        ThreadRates size = mtu + FRAME_HEADER <= ETHERNET.frame ? ETHERNET : JUMBO;
        int column = 0;
        for (long measured = 1; measured < rings && column < size.rates.length - 1; measured *= STEP) {
            column++;
        }
        return size.rates[column];
    }
}
