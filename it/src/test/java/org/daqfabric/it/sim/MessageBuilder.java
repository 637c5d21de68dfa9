package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds an OpenFlow message. */
final class MessageBuilder {
    private ByteBuffer bytes;

    MessageBuilder(final int type, final int xid) {
        bytes = ByteBuffer.allocate(64).put((byte) OpenFlow.VERSION).put((byte) type).putShort((short) 0).putInt(xid);
    }

    /** Copies a part of a received message. */
    static byte[] copy(final ByteBuffer from, final int at, final int length) {
        final var copy = new byte[length];
        from.get(at, copy);
        return copy;
    }

    MessageBuilder u8(final int value) {
        ensure(1).put((byte) value);
        return this;
    }

    MessageBuilder u16(final int value) {
        ensure(2).putShort((short) value);
        return this;
    }

    MessageBuilder u32(final int value) {
        ensure(4).putInt(value);
        return this;
    }

    MessageBuilder u64(final long value) {
        ensure(8).putLong(value);
        return this;
    }

    /** An Ethernet address, the lower 48 bits. */
    MessageBuilder mac(final long value) {
        return u16((int) (value >>> 32)).u32((int) value);
    }

    MessageBuilder pad(final int count) {
        ensure(count).put(new byte[count]);
        return this;
    }

    MessageBuilder put(final byte[] value) {
        ensure(value.length).put(value);
        return this;
    }

    MessageBuilder put(final ByteBuffer value) {
        ensure(value.remaining()).put(value);
        return this;
    }

    /** Zero-terminated text in a field of that many bytes. */
    MessageBuilder text(final String value, final int field) {
        final var text = value.getBytes(StandardCharsets.US_ASCII);
        final int length = Math.min(text.length, field - 1);
        ensure(length).put(text, 0, length);
        return pad(field - length);
    }

    /** An OXM match with these fields. */
    MessageBuilder match(final byte[] fields) {
        final int length = 4 + fields.length;
        return u16(1).u16(length).put(fields).pad(OpenFlow.padded(length) - length);
    }

    int length() {
        return bytes.position();
    }

    MessageBuilder u16At(final int at, final int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    /** Sets the length and returns the message, ready to be sent. */
    ByteBuffer done() {
        return bytes.putShort(2, (short) bytes.position()).flip();
    }

    private ByteBuffer ensure(final int count) {
        if (bytes.remaining() < count) {
            bytes = ByteBuffer.allocate(Math.max(bytes.capacity() * 2, bytes.position() + count)).put(bytes.flip());
        }
        return bytes;
    }
}
