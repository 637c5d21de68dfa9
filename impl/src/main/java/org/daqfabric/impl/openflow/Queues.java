package org.daqfabric.impl.openflow;

import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueueHandler;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.BarrierInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.BarrierInputBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The queue of a connection: the library passes it when it is made, and makes barriers as we do. */
final class Queues implements OutboundQueueHandler {
    private volatile @Nullable OutboundQueue queue;

    /** Null before it is made. */
    @Nullable OutboundQueue queue() {
        return queue;
    }

    @Override
    public BarrierInput createBarrierRequest(final Uint32 xid) {
        return new BarrierInputBuilder().setVersion(OpenFlow13.VERSION).setXid(xid).build();
    }

    @Override
    public void onConnectionQueueChanged(final @Nullable OutboundQueue changed) {
        if (changed != null) {
            queue = changed;
        }
    }
}
