package org.daqfabric.api.program;

import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;

/**
 * The packets that a rule matches.
 *
 * @param inPort OpenFlow number of the in-port; empty for any
 * @param etherType 0x0800 for IPv4, 0x88cc for LLDP, {@link #ANY_TYPE} for every packet
 * @param ethernetDestination Ethernet destination; empty for any
 * @param destination IPv4 destination, of a prefix its first address; empty for any
 * @param prefixLength how many bits of the destination count: 32 for one address, and where there is none
 * @param source IPv4 source; empty for any
 */
public record Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination,
        Optional<Ipv4> destination, int prefixLength, Optional<Ipv4> source) implements Comparable<Match> {
    public static final int IPV4 = 0x0800;
    public static final int LLDP = 0x88cc;
    public static final int ANY_TYPE = -1;
    private static final int HOST = 32;
    /** Every packet. */
    public static final Match ALL = new Match(OptionalInt.empty(), ANY_TYPE, Optional.empty(), Optional.empty());

    public Match {
        if (prefixLength < HOST) {
            int length = prefixLength;
            destination = destination.map(address -> address.prefix(length));
        }
    }

    /** A match on any source. */
    public Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination, Optional<Ipv4> destination,
            int prefixLength) {
        this(inPort, etherType, ethernetDestination, destination, prefixLength, Optional.empty());
    }

    /** A match on a whole address, or on none. */
    public Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination, Optional<Ipv4> destination) {
        this(inPort, etherType, ethernetDestination, destination, HOST);
    }

    /** Packets to the prefix of a length that contains an address. */
    public static Match to(Ipv4 destination, int prefixLength) {
        return new Match(OptionalInt.empty(), IPV4, Optional.empty(), Optional.of(destination), prefixLength);
    }

    /** Packets to one address. */
    public static Match to(Ipv4 destination) {
        return new Match(OptionalInt.empty(), IPV4, Optional.empty(), Optional.of(destination));
    }

    /** Packets from one address to another. */
    public static Match between(Ipv4 source, Ipv4 destination) {
        return new Match(OptionalInt.empty(), IPV4, Optional.empty(), Optional.of(destination), HOST,
            Optional.of(source));
    }

    /** Every packet with an in-port, IPv4 or not. */
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

    /** Whether it matches a prefix rather than a whole address. */
    public boolean isPrefix() {
        return prefixLength < HOST;
    }

    @Override
    public int compareTo(Match other) {
        // plain comparisons: programs are sorted by this, hundreds of thousands of times at each failure
        int order = Integer.compare(inPort.orElse(0), other.inPort.orElse(0));
        order = order != 0 ? order : Integer.compare(etherType, other.etherType);
        order = order != 0 ? order : Long.compare(ethernetBits(), other.ethernetBits());
        order = order != 0 ? order : Long.compare(bits(destination), bits(other.destination));
        order = order != 0 ? order : Integer.compare(prefixLength, other.prefixLength);
        return order != 0 ? order : Long.compare(bits(source), bits(other.source));
    }

    private long ethernetBits() {
        return ethernetDestination.isPresent() ? ethernetDestination.get().bits() : -1;
    }

    private static long bits(Optional<Ipv4> address) {
        return address.isPresent() ? Integer.toUnsignedLong(address.get().bits()) : -1;
    }
}
