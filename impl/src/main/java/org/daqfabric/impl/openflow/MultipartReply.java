package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerExtensionProvider;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.api.keys.MessageCodeKey;
import org.opendaylight.openflowjava.protocol.api.keys.TypeToClassKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * One part of a multipart reply, not yet decoded.
 *
 * @param getXid of the request
 * @param type of the question; {@link OpenFlow13#OFPMP_EXPERIMENTER} also for what nobody has asked for
 * @param more whether other parts follow
 */
record MultipartReply(Uint32 getXid, int type, boolean more, ByteBuf body) implements OfHeader, DataObject {
    /** An answer to a question. */
    MultipartReply(final Uint32 getXid, final boolean more, final ByteBuf body) {
        this(getXid, 0, more, body);
    }

    /** Makes the library pass on such parts undecoded. */
    static void register(final DeserializerExtensionProvider library) {
        library.registerDeserializerMapping(new TypeToClassKey(OpenFlow13.VERSION, OpenFlow13.OFPT_MULTIPART_REPLY),
            MultipartReply.class);
        library.registerDeserializer(new MessageCodeKey(OpenFlow13.VERSION, OpenFlow13.OFPT_MULTIPART_REPLY,
            MultipartReply.class), (OFDeserializer<MultipartReply>) MultipartReply::of);
    }

    /** Reads what follows the length field of the message's header. */
    private static MultipartReply of(final ByteBuf in) {
        final var xid = Uint32.valueOf(in.readUnsignedInt());
        final int type = in.readUnsignedShort();
        final boolean more = (in.readUnsignedShort() & OpenFlow13.OFPMPF_REPLY_MORE) != 0;
        in.skipBytes(4);
        return new MultipartReply(xid, type, more, Unpooled.copiedBuffer(in));
    }

    @Override
    public Uint8 getVersion() {
        return OpenFlow13.VERSION;
    }

    @Override
    public Class<MultipartReply> implementedInterface() {
        return MultipartReply.class;
    }
}
