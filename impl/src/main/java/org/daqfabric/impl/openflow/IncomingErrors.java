package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerExtensionProvider;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistry;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistryInjector;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.api.keys.MessageCodeKey;
import org.opendaylight.openflowjava.protocol.api.keys.TypeToClassKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessageBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;

/**
 * Reads the errors of switches that the library would drop: an experimenter's, which it reads only where somebody has
 * registered for that experimenter, and those that end before their code. A change that was refused by one of these
 * would count as made, as the barrier behind it is answered.
 */
final class IncomingErrors implements OFDeserializer<ErrorMessage>, DeserializerRegistryInjector {
    /** The type of an experimenter's error. */
    static final String EXPERIMENTER = "EXPERIMENTER";

    private static final MessageCodeKey LIBRARY = new MessageCodeKey(OpenFlow13.VERSION, OpenFlow13.OFPT_ERROR,
        ErrorMessage.class);
    private static final String SHORT = "it is too short to say more";
    /** Bytes of an error's data that are told. */
    private static final int SHOWN = 64;

    /** The library's, once it has this. */
    private final AtomicReference<DeserializerRegistry> registry = new AtomicReference<>();

    private IncomingErrors() {
    }

    /** Makes the library read errors by this. */
    static void register(final DeserializerExtensionProvider library) {
        library.registerDeserializerMapping(new TypeToClassKey(OpenFlow13.VERSION, OpenFlow13.OFPT_ERROR),
            IncomingErrors.class);
        library.registerDeserializer(new MessageCodeKey(OpenFlow13.VERSION, OpenFlow13.OFPT_ERROR,
            IncomingErrors.class), new IncomingErrors());
    }

    @Override
    public void injectDeserializerRegistry(final DeserializerRegistry from) {
        registry.set(from);
    }

    /** Reads what follows the length field of the message's header. */
    @Override
    public ErrorMessage deserialize(final ByteBuf in) {
        final boolean isWhole = in.readableBytes() >= Integer.BYTES + 2 * Short.BYTES;
        if (isWhole && in.getUnsignedShort(in.readerIndex() + Integer.BYTES) != OpenFlow13.OFPET_EXPERIMENTER) {
            return registry.get().<OFDeserializer<ErrorMessage>>getDeserializer(LIBRARY).deserialize(in);
        }
        final var error = new ErrorMessageBuilder().setVersion(OpenFlow13.VERSION)
            .setXid(Uint32.valueOf(in.readUnsignedInt()));
        if (!isWhole) {
            return error.setCodeString(SHORT).build();
        }
        final int type = in.skipBytes(Short.BYTES).readUnsignedShort();
        return error.setType(Uint16.valueOf(OpenFlow13.OFPET_EXPERIMENTER)).setTypeString(EXPERIMENTER)
            .setCode(Uint16.valueOf(type)).setCodeString(in.readableBytes() < Integer.BYTES ? SHORT
                : "type " + type + ", experimenter 0x" + HexFormat.of().toHexDigits(in.readInt()) + ", " + data(in))
            .build();
    }

    /** What only the experimenter could explain, of which a line has room for the beginning. */
    private static String data(final ByteBuf in) {
        final var shown = new byte[Math.min(in.readableBytes(), SHOWN)];
        in.readBytes(shown);
        return (shown.length == 0 ? "no data" : "data " + HexFormat.of().formatHex(shown))
            + (in.isReadable() ? " and " + in.readableBytes() + " bytes more" : "");
    }
}
