package org.daqfabric.api.program;

import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;

/**
 * What packets a rule applies to.
 *
 * @param inPort OpenFlow number of the port the packet came in by; empty for any
 * @param etherType 0x0800 for IPv4, 0x88cc for LLDP, {@link #ANY_TYPE} for every packet
 * @param ethernetDestination Ethernet destination; empty for any
 * @param destination IPv4 destination; empty for any
 */
public record Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination,
        Optional<Ipv4> destination) implements Comparable<Match> {
    public static final int IPV4 = 0x0800;
    public static final int LLDP = 0x88cc;
    public static final int ANY_TYPE = -1;
    /** Every packet. */
    public static final Match ALL = new Match(OptionalInt.empty(), ANY_TYPE, Optional.empty(), Optional.empty());

    private static final Comparator<Match> ORDER = Comparator.<Match>comparingInt(match -> match.inPort.orElse(0))
        .thenComparingInt(Match::etherType)
        .thenComparingLong(match -> match.ethernetDestination.map(Mac::bits).orElse(-1L))
        .thenComparingLong(match -> match.destination.map(ip -> Integer.toUnsignedLong(ip.bits())).orElse(-1L));

    /** Packets to one address. */
    public static Match to(Ipv4 destination) {
        return new Match(OptionalInt.empty(), IPV4, Optional.empty(), Optional.of(destination));
    }

    /** Everything that comes in by a port, IPv4 or not. */
    public static Match from(int inPort) {
        return new Match(OptionalInt.of(inPort), ANY_TYPE, Optional.empty(), Optional.empty());
    }

    /** IPv4 packets to an Ethernet address. */
    public static Match to(Mac ethernetDestination) {
        return new Match(OptionalInt.empty(), IPV4, Optional.of(ethernetDestination), Optional.empty());
    }

    /** Every packet of an Ethernet type. */
    public static Match type(int etherType) {
        return new Match(OptionalInt.empty(), etherType, Optional.empty(), Optional.empty());
    }

    @Override
    public int compareTo(Match other) {
        return ORDER.compare(this, other);
    }
}
