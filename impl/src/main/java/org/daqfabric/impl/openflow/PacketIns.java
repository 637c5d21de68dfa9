package org.daqfabric.impl.openflow;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.oxm.rev150225.match.entry.value.grouping.match.entry.value.InPortCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.PacketInMessage;

/** Packets that switches send to the controller: of cabling checks, and by which paths are proven. */
final class PacketIns {
    private PacketIns() {
    }

    /**
     * Reads a packet.
     *
     * @param proofs receives a frame that is none of LLDP
     * @param peers receives the port at which a frame of a cabling check arrived, and the frame
     */
    static void read(final PacketInMessage packet, final Consumer<byte[]> proofs,
            final BiConsumer<Integer, LldpFrame> peers) {
        if (!LldpFrame.isLldp(packet.getData())) {
            proofs.accept(packet.getData());
            return;
        }
        packet.getMatch().nonnullMatchEntry().stream()
            .map(entry -> entry.getMatchEntryValue())
            .filter(InPortCase.class::isInstance)
            .findFirst()
            .ifPresent(port -> LldpFrame.parse(packet.getData()).ifPresent(frame ->
                peers.accept(((InPortCase) port).getInPort().getPortNumber().getValue().intValue(), frame)));
    }
}
