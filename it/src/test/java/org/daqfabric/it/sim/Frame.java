package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** An OpenFlow message that is being written. */
final class Frame {
    private ByteBuffer bytes;

    Frame(final int type, final int xid) {
        bytes = ByteBuffer.allocate(64).put((byte) OpenFlow.VERSION).put((byte) type).putShort((short) 0).putInt(xid);
    }

    /** A copy of a part of a message, without a header. */
    static byte[] copy(final ByteBuffer from, final int at, final int length) {
        final var copy = new byte[length];
        from.get(at, copy);
        return copy;
    }

    Frame u8(final int value) {
        room(1).put((byte) value);
        return this;
    }

    Frame u16(final int value) {
        room(2).putShort((short) value);
        return this;
    }

    Frame u32(final int value) {
        room(4).putInt(value);
        return this;
    }

    Frame u64(final long value) {
        room(8).putLong(value);
        return this;
    }

    /** An Ethernet address, the lower 48 bits. */
    Frame mac(final long value) {
        return u16((int) (value >>> 32)).u32((int) value);
    }

    Frame pad(final int count) {
        room(count).put(new byte[count]);
        return this;
    }

    Frame put(final byte[] value) {
        room(value.length).put(value);
        return this;
    }

    Frame put(final ByteBuffer value) {
        room(value.remaining()).put(value);
        return this;
    }

    /** Text in a field of so many bytes, with a zero behind it. */
    Frame text(final String value, final int field) {
        final var text = value.getBytes(StandardCharsets.US_ASCII);
        final int length = Math.min(text.length, field - 1);
        room(length).put(text, 0, length);
        return pad(field - length);
    }

    /** An OXM match with these fields. */
    Frame match(final byte[] fields) {
        final int length = 4 + fields.length;
        return u16(1).u16(length).put(fields).pad(OpenFlow.padded(length) - length);
    }

    int length() {
        return bytes.position();
    }

    Frame u16At(final int at, final int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    /** The whole message, to be sent. */
    ByteBuffer done() {
        return bytes.putShort(2, (short) bytes.position()).flip();
    }

    private ByteBuffer room(final int count) {
        if (bytes.remaining() < count) {
            bytes = ByteBuffer.allocate(Math.max(bytes.capacity() * 2, bytes.position() + count)).put(bytes.flip());
        }
        return bytes;
    }
}
