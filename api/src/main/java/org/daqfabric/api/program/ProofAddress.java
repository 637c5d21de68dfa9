package org.daqfabric.api.program;

import org.daqfabric.api.spec.Address;

/**
 * The source addresses of the packets by which paths are proven. No host can have them: both are dummy addresses, which
 * may be a source and never a destination.
 */
public final class ProofAddress {
    /** The IPv4 dummy address (RFC 7600). */
    public static final Address IPV4 = Address.parse("192.0.0.8");
    /** An address of the dummy IPv6 prefix (RFC 9780). */
    public static final Address IPV6 = Address.parse("100:0:0:1::8");

    private ProofAddress() {
    }

    /** The source of a packet to an address. */
    public static Address to(Address destination) {
        return destination.isIpv4() ? IPV4 : IPV6;
    }
}
