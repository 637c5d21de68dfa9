package org.daqfabric.api.spec;

import java.util.OptionalInt;

/**
 * How a daqring takes and releases packets (thesis 5.4.1.3).
 *
 * @param ringSize packets it holds, 1 to 1048576
 * @param maxBurst packets that leave it per polling interval, 1 to 65535
 * @param pollingInterval microseconds, 0 to 1000000; 0 for no limit
 * @param credit microseconds by which a late poll may catch up, 0 to 1000000; empty for what Open vSwitch itself takes
 * @param ecnThreshold packets in it from which on it marks new ones, 0 to 1048576; empty or 0 for never
 */
public record DaqringOptions(int ringSize, int maxBurst, int pollingInterval, OptionalInt credit,
        OptionalInt ecnThreshold) {
    /** With the credit that Open vSwitch takes, and without marks. */
    public DaqringOptions(int ringSize, int maxBurst, int pollingInterval) {
        this(ringSize, maxBurst, pollingInterval, OptionalInt.empty(), OptionalInt.empty());
    }
}
