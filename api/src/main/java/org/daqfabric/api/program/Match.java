package org.daqfabric.api.program;

import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;

/**
 * The packets that a rule matches.
 *
 * @param inPort OpenFlow number of the in-port; empty for any
 * @param etherType 0x0800 for IPv4, 0x86dd for IPv6, 0x88cc for LLDP, {@link #ANY_TYPE} for every packet
 * @param ethernetDestination Ethernet destination; empty for any
 * @param destination IP destination, of a prefix its first address; empty for any
 * @param prefixLength how many bits of the destination count: all it has for one address, also if more are given; 0
 *     where there is none
 * @param source IP source; empty for any
 */
public record Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination,
        Optional<Address> destination, int prefixLength, Optional<Address> source) implements Comparable<Match> {
    public static final int IPV4 = 0x0800;
    public static final int IPV6 = 0x86dd;
    public static final int LLDP = 0x88cc;
    public static final int ANY_TYPE = -1;
    /** The prefix length that stands for all bits of any address. */
    public static final int WHOLE = 128;
    /** Every packet. */
    public static final Match ALL = new Match(OptionalInt.empty(), ANY_TYPE, Optional.empty(), Optional.empty());

    public Match {
        prefixLength = destination.isPresent() ? Math.min(prefixLength, destination.get().bits()) : 0;
        if (destination.isPresent() && prefixLength < destination.get().bits()) {
            destination = Optional.of(destination.get().prefix(prefixLength));
        }
    }

    /** A match on any source. */
    public Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination, Optional<Address> destination,
            int prefixLength) {
        this(inPort, etherType, ethernetDestination, destination, prefixLength, Optional.empty());
    }

    /** A match on a whole address, or on none. */
    public Match(OptionalInt inPort, int etherType, Optional<Mac> ethernetDestination, Optional<Address> destination) {
        this(inPort, etherType, ethernetDestination, destination, WHOLE);
    }

    /** Packets to the prefix of a length that contains an address. */
    public static Match to(Address destination, int prefixLength) {
        return new Match(OptionalInt.empty(), etherType(destination), Optional.empty(), Optional.of(destination),
            prefixLength);
    }

    /** Packets to one address. */
    public static Match to(Address destination) {
        return to(destination, WHOLE);
    }

    /** Packets from one address to another. */
    public static Match between(Address source, Address destination) {
        return new Match(OptionalInt.empty(), etherType(destination), Optional.empty(), Optional.of(destination),
            WHOLE, Optional.of(source));
    }

    /** Every packet with an in-port, IP or not. */
    public static Match from(int inPort) {
        return new Match(OptionalInt.of(inPort), ANY_TYPE, Optional.empty(), Optional.empty());
    }

    /** Packets with an in-port to one address. */
    public static Match from(int inPort, Address destination) {
        return new Match(OptionalInt.of(inPort), etherType(destination), Optional.empty(), Optional.of(destination));
    }

    /** Packets of an Ethernet type to an Ethernet address. */
    public static Match to(Mac ethernetDestination, int etherType) {
        return new Match(OptionalInt.empty(), etherType, Optional.of(ethernetDestination), Optional.empty());
    }

    /** Every packet of an Ethernet type. */
    public static Match type(int etherType) {
        return new Match(OptionalInt.empty(), etherType, Optional.empty(), Optional.empty());
    }

    /** The Ethernet type of packets to and from an address. */
    public static int etherType(Address address) {
        return address.isIpv4() ? IPV4 : IPV6;
    }

    /** Whether it matches a prefix rather than a whole address. */
    public boolean isPrefix() {
        return destination.isPresent() && prefixLength < destination.get().bits();
    }

    @Override
    public int compareTo(Match other) {
        // plain comparisons: programs are sorted by this, hundreds of thousands of times at each failure
        int order = Integer.compare(inPort.orElse(0), other.inPort.orElse(0));
        order = order != 0 ? order : Integer.compare(etherType, other.etherType);
        order = order != 0 ? order : Long.compare(ethernetBits(), other.ethernetBits());
        order = order != 0 ? order : compare(destination, other.destination);
        order = order != 0 ? order : Integer.compare(prefixLength, other.prefixLength);
        return order != 0 ? order : compare(source, other.source);
    }

    private long ethernetBits() {
        return ethernetDestination.isPresent() ? ethernetDestination.get().bits() : -1;
    }

    private static int compare(Optional<Address> one, Optional<Address> other) {
        return one.isPresent() && other.isPresent() ? one.get().compareTo(other.get())
            : Boolean.compare(one.isPresent(), other.isPresent());
    }
}
