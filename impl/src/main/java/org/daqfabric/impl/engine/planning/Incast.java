package org.daqfabric.impl.engine.planning;

import java.util.OptionalLong;

/**
 * The incast condition BDP <= sum of windows < BDP + B, (2) to (10) of the TCP paper.
 *
 * @param ros N_ROS
 * @param dcms N_DCM behind the bottleneck
 * @param bandwidth of the bottleneck, Gbps
 * @param rtt microseconds
 * @param buffer B, bytes
 * @param mtu size of a packet, bytes
 */
public record Incast(int ros, int dcms, double bandwidth, int rtt, long buffer, int mtu) {
    /** Bytes per microsecond. */
    private static final double GBPS = 125;

    public Incast {
        Range.check("ros", ros, 1, 65_535);
        Range.check("dcms", dcms, 1, 1_000_000);
        Range.check("bandwidth", bandwidth, 0.001, 1_000_000);
        Range.check("rtt", rtt, 1, 1_000_000);
        Range.check("buffer", buffer, 0, 1_000_000_000_000L);
        Range.check("mtu", mtu, 576, 65_535);
    }

    /** BDP, (1), bytes. */
    public long bdp() {
        return Rounding.up(bandwidth * GBPS * rtt);
    }

    /** BDP in packets. */
    public long bdpPackets() {
        return Math.ceilDiv(bdp(), (long) mtu);
    }

    /** BDP + B, bytes: the right side of (4), from which on packets are dropped. */
    public long onset() {
        return bdp() + buffer;
    }

    /** ROS that reach the onset together when each sends some packets to each DCM. */
    public long onsetRos(int packets) {
        Range.check("initial-cwnd", packets, 1, 65_535);
        return Math.ceilDiv(onset(), (long) packets * mtu * dcms);
    }

    /** N = N_ROS N_DCM, (5). */
    long flows() {
        return (long) ros * dcms;
    }

    /** The smallest window with BDP / N <= cwnd, (6), packets. */
    public long leastCwnd() {
        return least(flows() * mtu);
    }

    /** The largest window with cwnd < (BDP + B) / N, (6), packets; empty if even one is too much. */
    public OptionalLong mostCwnd() {
        return most(flows() * mtu);
    }

    /** N cwnd, (7), bytes; with a window of 1 where none is small enough. */
    public long inFlight() {
        return flows() * mostCwnd().orElse(1) * mtu;
    }

    /** What of this the bottleneck must buffer, bytes. */
    public long bufferNeeded() {
        return Math.max(0, inFlight() - bdp());
    }

    /** The fewest credits of a DCM with BDP <= N_DCM credits. */
    public long leastCredits(long fragmentSize) {
        return least(dcms * fragment(fragmentSize));
    }

    /** The most credits of a DCM with N_DCM credits < BDP + B; empty if even one is too much. */
    public OptionalLong mostCredits(long fragmentSize) {
        return most(dcms * fragment(fragmentSize));
    }

    /** The smallest window of a DCM with BDP <= N_DCM gwnd, (10), packets. */
    public long leastGwnd() {
        return least((long) dcms * mtu);
    }

    /** The largest window of a DCM with N_DCM gwnd < BDP + B, (10), packets; empty if even one is too much. */
    public OptionalLong mostGwnd() {
        return most((long) dcms * mtu);
    }

    private static long fragment(long size) {
        Range.check("fragment-size", size, 1, 1_000_000_000);
        return size;
    }

    private long least(long unit) {
        return Math.max(1, Math.ceilDiv(bdp(), unit));
    }

    private OptionalLong most(long unit) {
        long most = (onset() - 1) / unit;
        return most == 0 ? OptionalLong.empty() : OptionalLong.of(most);
    }
}
