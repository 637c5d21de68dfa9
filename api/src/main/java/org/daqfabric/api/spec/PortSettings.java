package org.daqfabric.api.spec;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How Open vSwitch reaches the card or device of a port, as the operator wrote it; the checks say what goes with which
 * kind.
 *
 * @param devargs the DPDK device, such as a PCI address
 * @param bond the DPDK devices of a bond
 * @param rxQueues receive queues, 1 to 1024
 * @param rxDescriptors descriptors of a receive queue, 1 to 4096
 * @param txDescriptors descriptors of a transmit queue, 1 to 4096
 */
public record PortSettings(Kind kind, Optional<String> devargs, Optional<Bond> bond, Optional<XdpMode> xdpMode,
        OptionalInt rxQueues, OptionalInt rxDescriptors, OptionalInt txDescriptors) {
    /** A network device of the kernel. */
    public static final PortSettings SYSTEM = of(Kind.SYSTEM);

    public enum Kind {
        /** A network device that the kernel drives. */
        SYSTEM,
        /** A device that DPDK drives. */
        DPDK,
        /** A network device of the kernel, through an AF_XDP socket. */
        AFXDP,
        /** Several devices that DPDK drives as one. */
        BOND
    }

    /** How an AF_XDP socket takes packets ({@code options:xdp-mode}). */
    public enum XdpMode { BEST_EFFORT, NATIVE_WITH_ZEROCOPY, NATIVE, GENERIC }

    /** How a bond uses its members; DPDK's modes 1, 2 and 4. */
    public enum BondMode { ACTIVE_BACKUP, BALANCE_XOR, LACP }

    /**
     * A bond of DPDK.
     *
     * @param members the DPDK devices, in the order of their names
     */
    public record Bond(BondMode mode, List<String> members) {
        public Bond {
            members = members.stream().sorted().toList();
        }
    }

    /** A port of a kind, without anything else. */
    public static PortSettings of(Kind kind) {
        return new PortSettings(kind, Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(),
            OptionalInt.empty(), OptionalInt.empty());
    }

    /** Whether DPDK drives it. */
    public boolean isDpdk() {
        return kind == Kind.DPDK || kind == Kind.BOND;
    }

    /** The DPDK devices that it takes. */
    public List<String> devices() {
        return switch (kind) {
            case DPDK -> devargs.stream().toList();
            case BOND -> bond.map(Bond::members).orElse(List.of());
            case SYSTEM, AFXDP -> List.of();
        };
    }
}
