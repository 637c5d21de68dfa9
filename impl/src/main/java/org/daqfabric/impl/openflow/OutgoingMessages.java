package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFSerializer;
import org.opendaylight.openflowjava.protocol.api.extensibility.SerializerExtensionProvider;
import org.opendaylight.openflowjava.protocol.api.keys.MessageTypeKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * One or many messages that {@link Encoder} writes when the connection is ready to send them.
 *
 * @param getXid of their entry in the connection's queue
 */
record OutgoingMessages(Uint32 getXid, Body body) implements OfHeader {
    /** Writes whole messages. */
    interface Body {
        void write(ByteBuf out);
    }

    /** Makes the library able to send such messages. */
    static void register(final SerializerExtensionProvider library) {
        library.registerSerializer(new MessageTypeKey<>(OpenFlow13.VERSION, OutgoingMessages.class),
            (OFSerializer<OutgoingMessages>) (message, out) -> message.body.write(out));
    }

    @Override
    public Uint8 getVersion() {
        return OpenFlow13.VERSION;
    }

    @Override
    public Class<OutgoingMessages> implementedInterface() {
        return OutgoingMessages.class;
    }
}
