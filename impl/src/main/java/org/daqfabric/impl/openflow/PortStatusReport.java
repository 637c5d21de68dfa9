package org.daqfabric.impl.openflow;

import java.util.EnumSet;
import java.util.Set;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.state.PortBit;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.PortStatusMessage;

/** A port from a message that says that it has changed, which the library has decoded. */
final class PortStatusReport {
    private PortStatusReport() {
    }

    static PortReport of(final PortStatusMessage status) {
        final var config = status.getConfig();
        final Set<PortBit> bits = EnumSet.noneOf(PortBit.class);
        set(bits, PortBit.DOWN, config.getPortDown());
        set(bits, PortBit.NO_RECEIVE, config.getNoRecv());
        set(bits, PortBit.NO_FORWARD, config.getNoFwd());
        set(bits, PortBit.NO_PACKET_IN, config.getNoPacketIn());
        return PortReport.of(Mac.parse(status.getHwAddr().getValue()).bits(), bits, status.getState().getLinkDown(),
            status.getState().getLive());
    }

    private static void set(final Set<PortBit> bits, final PortBit bit, final boolean isSet) {
        if (isSet) {
            bits.add(bit);
        }
    }
}
