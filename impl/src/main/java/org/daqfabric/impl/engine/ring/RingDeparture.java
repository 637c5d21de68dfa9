package org.daqfabric.impl.engine.ring;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;

/** The end of daqrings that no rule leads to any more. */
public final class RingDeparture {
    /** A daqring whose rate is not limited is empty as soon as its switch has the time for it. */
    static final Duration MARGIN = Duration.ofSeconds(2);
    /** Bytes of IP. */
    private static final long LARGEST_PACKET = 65_535;

    private RingDeparture() {
    }

    /**
     * How long the slowest of some daqrings may take to become empty: twice the time that its capacity takes at its
     * rate, as polls may come late, and a margin.
     */
    public static Duration longest(Collection<List<Bridge.Port>> rings) {
        return rings.stream().flatMap(List::stream).map(RingDeparture::time).max(Duration::compareTo)
            .orElse(Duration.ZERO);
    }

    /**
     * Capacity in packets / packets for each burst x microseconds between two bursts, twice, and the margin; where
     * bytes are limited, the bits of as many of the largest packets / kbit/s, if that is longer.
     */
    static Duration time(Bridge.Port ring) {
        long packets = option(ring, "ring-size");
        long bursts = Math.ceilDiv(packets, Math.max(1, option(ring, "max-burst")));
        long rate = Long.parseLong(ring.options().getOrDefault("max-rate", "0"));
        long byBytes = rate == 0 ? 0 : packets * LARGEST_PACKET * Byte.SIZE * 1_000_000 / rate;
        return MARGIN.plusNanos(2 * Math.max(1000 * bursts * option(ring, "polling-interval"), byBytes));
    }

    private static long option(Bridge.Port ring, String name) {
        return Long.parseLong(ring.options().get(name));
    }

    /**
     * What daqrings still hold.
     *
     * @param counted packets in each port of their switch, by number; empty if the switch has not answered
     * @return packets by the number of the port, without those that are empty; -1 for those that are not known
     */
    public static SortedMap<Integer, Long> left(List<Bridge.Port> rings, Map<Integer, Long> counted) {
        SortedMap<Integer, Long> left = new TreeMap<>();
        for (Bridge.Port ring : rings) {
            // a port that the switch does not know is gone, or has never been made
            long packets = counted.isEmpty() ? -1 : counted.getOrDefault(ring.number(), 0L);
            if (packets != 0) {
                left.put(ring.number(), packets);
            }
        }
        return left;
    }
}
