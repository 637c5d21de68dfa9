package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFSerializer;
import org.opendaylight.openflowjava.protocol.api.extensibility.SerializerExtensionProvider;
import org.opendaylight.openflowjava.protocol.api.keys.MessageTypeKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * Messages that are written by {@link Encoder} when the connection takes them: one or many at once.
 *
 * @param getXid of the place in the connection's queue
 */
record OutgoingMessages(Uint32 getXid, Body body) implements OfHeader {
    /** Writes whole messages. */
    interface Body {
        void write(ByteBuf out);
    }

    /** Has the library send such messages. */
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
