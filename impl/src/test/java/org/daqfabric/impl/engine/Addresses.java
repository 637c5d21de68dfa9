package org.daqfabric.impl.engine;

import org.daqfabric.api.spec.Address;

/** Addresses for tests. */
public final class Addresses {
    private Addresses() {
    }

    /** The address that is so many above another, IPv4 or IPv6. */
    public static Address plus(Address address, long count) {
        return new Address(address.high(), address.low() + count);
    }

    /** An IPv6 address with the octets of an IPv4 address at its end; in the same order as these. */
    public static Address six(Address address) {
        return new Address(0xfd00L << 48, address.low() & 0xffffffffL);
    }
}
