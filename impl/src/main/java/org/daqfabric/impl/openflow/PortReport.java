package org.daqfabric.impl.openflow;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.daqfabric.api.state.PortBit;

/**
 * A port as its switch has it.
 *
 * @param mac the Ethernet address, which a change of the port must name
 * @param up whether it carries traffic
 * @param bits those that are set in its configuration
 */
record PortReport(long mac, boolean up, Set<PortBit> bits) {
    /** A port that is gone. */
    static final PortReport GONE = new PortReport(0, false, Set.of());

    private static final int OFPPC_PORT_DOWN = 1;
    private static final int OFPPC_NO_RECV = 1 << 2;
    private static final int OFPPC_NO_FWD = 1 << 5;
    private static final int OFPPC_NO_PACKET_IN = 1 << 6;
    private static final int OFPPS_LINK_DOWN = 1;
    private static final int OFPPS_LIVE = 4;

    /** From the words of a port's description (7.2.1). */
    static PortReport of(final long mac, final int config, final int state) {
        final Set<PortBit> bits = EnumSet.noneOf(PortBit.class);
        for (var bit : PortBit.values()) {
            if ((config & mask(bit)) != 0) {
                bits.add(bit);
            }
        }
        return of(mac, bits, (state & OFPPS_LINK_DOWN) != 0, (state & OFPPS_LIVE) != 0);
    }

    /**
     * Whether it carries traffic follows from the others. Loss of BFD clears the live bit only; Open vSwitch sets that
     * bit on every port that has carrier and, where BFD runs, receives from its peer.
     */
    static PortReport of(final long mac, final Set<PortBit> bits, final boolean linkDown, final boolean live) {
        return new PortReport(mac, live && !linkDown && bits.stream().noneMatch(PortBit::stopsData),
            Collections.unmodifiableSet(bits));
    }

    /** The bits of its configuration that are to be cleared, as a mask; 0 if none are. */
    int toClear() {
        return bits.stream().filter(PortBit::isCleared).mapToInt(PortReport::mask).reduce(0, (one, other) ->
            one | other);
    }

    private static int mask(final PortBit bit) {
        return switch (bit) {
            case DOWN -> OFPPC_PORT_DOWN;
            case NO_RECEIVE -> OFPPC_NO_RECV;
            case NO_FORWARD -> OFPPC_NO_FWD;
            case NO_PACKET_IN -> OFPPC_NO_PACKET_IN;
        };
    }
}
