package org.daqfabric.impl.engine.planning;

import java.util.List;
import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * A daqring that drops nothing: it holds whole events, and is emptied by at most {@code maxBurst} packets per polling
 * interval (thesis 5.4.1.3, 5.4.2.3, 6.3.2.1).
 *
 * @param event what one DCM collects
 * @param parallelEvents events one DCM collects at the same time
 * @param maxBurst packets
 * @param pollingInterval microseconds
 */
public record RingSizing(EventTransfer event, int parallelEvents, int maxBurst, int pollingInterval) {
    /** Microseconds; a switch that polls keeps to it (figure 6.8 has 33). */
    public static final int SHORTEST_INTERVAL = 30;

    /** A rate within this share of the wanted one is close enough. */
    private static final double CLOSE = 0.99;
    /** Bytes of a fragment in the prototype of section 6.3. */
    public static final int PROTOTYPE_FRAGMENT = 128 * 1024;
    private static final int PROBE = 1;
    private static final int LARGEST_RING = 1_048_576;
    private static final int LARGEST_BURST = 65_535;
    private static final int LONGEST_INTERVAL = 1_000_000;
    /** Ethernet header 14 B and checksum 4 B, as in the 1518 B of section 6.3.2.1. */
    private static final int FRAME_HEADER = 18;
    /** Bits per microsecond. */
    private static final double GBPS = 1000;

    public RingSizing {
        Range.check("parallel-events", parallelEvents, 1, 1000);
        Range.check("max-burst", maxBurst, 1, LARGEST_BURST);
        Range.check("polling-interval", pollingInterval, 1, LONGEST_INTERVAL);
        if (packets(event) * parallelEvents > LARGEST_RING) {
            throw new InvalidInputException(packets(event) > LARGEST_RING ? "fragment-size" : "parallel-events",
                parallelEvents + " events of " + packets(event) + " packets do not fit a daqring of at most "
                + LARGEST_RING + ": make them smaller or fewer");
        }
    }

    /**
     * Packets in a daqring of a fabric whose policy sets no ring-size: one whole event fits, with 128 KiB of each ROS
     * as in the prototype of section 6.3 and packets of the fabric's MTU; and one packet more of each ROS, because TCP
     * sends the last packet again when its acknowledgement is late (tail loss probe, RFC 8985).
     *
     * @param weights size of each ROS's fragments relative to that
     * @param packet of the fabric
     */
    public static int standard(List<Double> weights, TcpPacket packet) {
        long packets = 0;
        for (double weight : weights) {
            // limited to what fills any daqring, so that the sum cannot overflow
            long response = Math.round(Math.min(weight * PROTOTYPE_FRAGMENT,
                (double) LARGEST_RING * packet.mtu()));
            packets += EventTransfer.frames(response, packet) + PROBE;
        }
        return (int) Math.clamp(packets, 1, LARGEST_RING);
    }

    /**
     * The smallest burst that comes close to a rate with a polling interval of whole microseconds, not below the
     * shortest.
     */
    public static RingSizing forRate(EventTransfer event, int parallelEvents, double rate, int shortestInterval) {
        checkRate(rate, shortestInterval);
        long burst = Math.max(1, Rounding.up(rate * GBPS * shortestInterval / frameBits(event)));
        while (burst <= LARGEST_BURST) {
            int interval = interval(event, rate, burst);
            if (limit(event, burst, interval) >= CLOSE * rate) {
                return new RingSizing(event, parallelEvents, (int) burst, interval);
            }
            burst++;
        }
        throw new InvalidInputException("rate",
            rate + " Gbps is more than %d packets in %d microseconds: lower it or the "
            .formatted(LARGEST_BURST, shortestInterval) + "shortest-interval");
    }

    /** The shortest polling interval that keeps a burst within the rate. */
    public static RingSizing forRate(EventTransfer event, int parallelEvents, double rate, int shortestInterval,
            int maxBurst) {
        checkRate(rate, shortestInterval);
        Range.check("max-burst", maxBurst, 1, LARGEST_BURST);
        int interval = interval(event, rate, maxBurst);
        if (interval < shortestInterval) {
            throw new InvalidInputException("max-burst",
                "%s Gbps is reached with %d packets every %d microseconds only, "
                .formatted(rate, maxBurst, interval) + "and the shortest-interval is " + shortestInterval
                + ": raise it or leave it out");
        }
        return new RingSizing(event, parallelEvents, maxBurst, interval);
    }

    private static void checkRate(double rate, int shortestInterval) {
        Range.check("rate", rate, 0.001, 1_000_000);
        Range.check("shortest-interval", shortestInterval, 1, LONGEST_INTERVAL);
    }

    private static int interval(EventTransfer event, double rate, long burst) {
        long interval = Rounding.up(burst * frameBits(event) / (rate * GBPS));
        if (interval > LONGEST_INTERVAL) {
            throw new InvalidInputException("rate", rate + " Gbps is a burst of " + burst + " packets every " + interval
                + " microseconds: raise it, or lower max-burst, until it is at most " + LONGEST_INTERVAL);
        }
        return (int) interval;
    }

    /**
     * Packets: all frames of the events (5.4.2.3, from where on jitter vanishes), and one more of each ROS and event,
     * for TCP's tail loss probe, as in {@link #standard}.
     */
    public int ringSize() {
        return (int) (packets(event) * parallelEvents);
    }

    private static long packets(EventTransfer event) {
        return event.frames() + (long) PROBE * event.responses().size();
    }

    /** daqring_limit = daqring_burst 1518 B / daqring_polling, Gbps. */
    public double limit() {
        return limit(event, maxBurst, pollingInterval);
    }

    /** Upper bound of what leaves the daqrings of this many DCMs of a rack together, Gbps. */
    public double limit(int dcms) {
        Range.check("dcms-per-rack", dcms, 1, 65_535);
        return dcms * limit();
    }

    /** Data collection latency through this daqring, ms. */
    public double latency() {
        return Goodput.latency(event, limit(), parallelEvents);
    }

    /** Packets of the largest daqring that an event of this kind needs. */
    static long largest(EventTransfer event) {
        return Math.min(packets(event), LARGEST_RING);
    }

    /** Bytes of memory for a packet: 2048 for frames of 1518. */
    public int packetBuffer() {
        return packetBuffer(event.mtu());
    }

    static int packetBuffer(int mtu) {
        return 2 * Integer.highestOneBit(mtu + FRAME_HEADER - 1);
    }

    /** Bytes of memory of the daqrings of this many DCMs in a switch (5.4.2.2). */
    public long memory(int dcms) {
        Range.check("dcms", dcms, 1, 1_000_000);
        return (long) dcms * ringSize() * packetBuffer();
    }

    private static double limit(EventTransfer event, long maxBurst, int pollingInterval) {
        return maxBurst * frameBits(event) / pollingInterval / GBPS;
    }

    private static double frameBits(EventTransfer event) {
        return frameBits(event.mtu());
    }

    static double frameBits(int mtu) {
        return 8.0 * (mtu + FRAME_HEADER);
    }
}
