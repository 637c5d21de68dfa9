package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Matches as the bytes of their OXM fields in canonical form: ordered by field, without all-ones masks, and with masked
 * bits zero. Two matches are equal if their bytes are.
 */
final class Oxm {
    static final byte[] ALL = new byte[0];
    static final int IN_PORT = 0;
    static final int ETH_DST = 3;
    static final int ETH_TYPE = 5;

    private static final int BASIC = 0x8000;
    private static final int BAD_TYPE = 0;
    private static final int BAD_LEN = 1;
    private static final int BAD_FIELD = 6;
    private static final int BAD_PREREQ = 9;
    private static final int DUP_FIELD = 10;
    /** Bytes of the values of fields 0 to 39. */
    private static final int[] LENGTHS = {4, 4, 8, 6, 6, 2, 2, 1, 1, 1, 1, 4, 4, 2, 2, 2, 2, 2, 2, 1, 1, 2, 4, 4, 6, 6,
        16, 16, 4, 1, 1, 16, 6, 6, 4, 1, 1, 3, 8, 2};
    private static final int IP = 0x0800;
    private static final int IP6 = 0x86dd;
    private static final int ARP = 0x0806;

    private Oxm() {
    }

    /** The offset after a match, including its padding. */
    static int end(final ByteBuffer message, final int at) {
        if (message.limit() < at + 8) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_LEN);
        }
        final int length = message.getShort(at + 2) & 0xffff;
        if (length < 4 || at + OpenFlow.padded(length) > message.limit()) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_LEN);
        }
        return at + OpenFlow.padded(length);
    }

    /** Reads the match at an offset. */
    static byte[] read(final ByteBuffer message, final int at) {
        end(message, at);
        if (message.getShort(at) != 1) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_TYPE);
        }
        return canonical(MessageBuilder.copy(message, at + 4, (message.getShort(at + 2) & 0xffff) - 4));
    }

    static byte[] canonical(final byte[] fields) {
        boolean canonicalAlready = true;
        int before = -1;
        for (int at = 0; at < fields.length; at = nextField(fields, at)) {
            final int field = field(fields, at);
            canonicalAlready &= field > before && !masked(fields, at);
            before = field;
        }
        final var result = canonicalAlready ? fields : sorted(fields);
        prerequisites(result);
        return result;
    }

    private static byte[] sorted(final byte[] fields) {
        final List<byte[]> each = new ArrayList<>();
        for (int at = 0; at < fields.length; at = nextField(fields, at)) {
            final var one = unmasked(Arrays.copyOfRange(fields, at, nextField(fields, at)));
            if (one.length > 0) {
                each.add(one);
            }
        }
        each.sort(Comparator.comparingInt(one -> field(one, 0)));
        final var result = ByteBuffer.allocate(each.stream().mapToInt(one -> one.length).sum());
        int before = -1;
        for (var one : each) {
            if (field(one, 0) == before) {
                throw new OpenFlowError(OpenFlow.BAD_MATCH, DUP_FIELD);
            }
            before = field(one, 0);
            result.put(one);
        }
        return result.array();
    }

    /** A field in canonical form: without the mask if it is all ones, empty if the mask is zero. */
    private static byte[] unmasked(final byte[] one) {
        if (!masked(one, 0)) {
            return one;
        }
        final int length = LENGTHS[field(one, 0)];
        boolean whole = true;
        boolean none = true;
        for (int at = 0; at < length; at++) {
            final byte mask = one[4 + length + at];
            one[4 + at] &= mask;
            whole &= mask == -1;
            none &= mask == 0;
        }
        if (none) {
            return ALL;
        }
        if (whole) {
            final var canonicalAlready = Arrays.copyOf(one, 4 + length);
            canonicalAlready[2] &= (byte) 0xfe;
            canonicalAlready[3] = (byte) length;
            return canonicalAlready;
        }
        return one;
    }

    private static void prerequisites(final byte[] fields) {
        final int type = value(fields, ETH_TYPE);
        final int protocol = value(fields, 10);
        for (int at = 0; at < fields.length; at = nextField(fields, at)) {
            final int field = field(fields, at);
            final boolean met = switch (field) {
                case 8, 9, 10 -> type == IP || type == IP6;
                case 11, 12 -> type == IP;
                case 13, 14 -> protocol == 6;
                case 15, 16 -> protocol == 17;
                case 17, 18 -> protocol == 132;
                case 19, 20 -> protocol == 1;
                case 21, 22, 23, 24, 25 -> type == ARP;
                case 26, 27, 28 -> type == IP6;
                default -> true;
            };
            if (!met) {
                throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_PREREQ);
            }
        }
    }

    /** Whether every packet that meets the narrow match meets the wide one too. */
    static boolean isWithin(final byte[] narrow, final byte[] wide) {
        for (int at = 0; at < wide.length; at = nextField(wide, at)) {
            final int field = field(wide, at);
            final int same = find(narrow, field);
            if (same < 0) {
                return false;
            }
            final int length = LENGTHS[field];
            for (int index = 0; index < length; index++) {
                final int mask = masked(wide, at) ? wide[at + 4 + length + index] : -1;
                final int narrower = masked(narrow, same) ? narrow[same + 4 + length + index] : -1;
                if ((mask & ~narrower) != 0 || ((wide[at + 4 + index] ^ narrow[same + 4 + index]) & mask) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The value of a field of up to four bytes; -1 if the match lacks it or masks it. */
    static int value(final byte[] fields, final int field) {
        final int at = find(fields, field);
        if (at < 0 || masked(fields, at)) {
            return -1;
        }
        int result = 0;
        for (int index = 0; index < LENGTHS[field]; index++) {
            result = result << 8 | fields[at + 4 + index] & 0xff;
        }
        return result;
    }

    /** A received packet as a match: port, Ethernet addresses and type, and of IP the class, protocol and addresses. */
    static byte[] packet(final int inPort, final byte[] frame) {
        final int type = (frame[12] & 0xff) << 8 | frame[13] & 0xff;
        final var fields = ByteBuffer.allocate(8 + 10 + 10 + 6 + 5 + 5 + 20 + 20)
            .putInt(header(IN_PORT)).putInt(inPort)
            .putInt(header(ETH_DST)).put(frame, 0, 6)
            .putInt(header(4)).put(frame, 6, 6)
            .putInt(header(ETH_TYPE)).put(frame, 12, 2);
        if (type == IP && frame.length >= 34) {
            fields.putInt(header(8)).put((byte) ((frame[15] & 0xff) >>> 2)).putInt(header(10)).put(frame[23])
                .putInt(header(11)).put(frame, 26, 4).putInt(header(12)).put(frame, 30, 4);
        } else if (type == IP6 && frame.length >= 54) {
            fields.putInt(header(8)).put((byte) ((frame[14] & 0xf) << 2 | (frame[15] & 0xff) >>> 6))
                .putInt(header(10)).put(frame[20])
                .putInt(header(26)).put(frame, 22, 16).putInt(header(27)).put(frame, 38, 16);
        }
        return Arrays.copyOf(fields.array(), fields.position());
    }

    private static int header(final int field) {
        return BASIC << 16 | field << 9 | LENGTHS[field];
    }

    /** The fields and masks of a match, with zeros for values. */
    static byte[] shape(final byte[] match) {
        final var shape = match.clone();
        for (int at = 0; at < shape.length; at = nextField(shape, at)) {
            Arrays.fill(shape, at + 4, at + 4 + LENGTHS[field(shape, at)], (byte) 0);
        }
        return shape;
    }

    /** The match of that shape which a packet meets; empty if the packet lacks a field of it. */
    static Optional<byte[]> of(final byte[] packet, final byte[] shape) {
        final var match = shape.clone();
        for (int at = 0; at < match.length; at = nextField(match, at)) {
            final int field = field(match, at);
            final int same = find(packet, field);
            if (same < 0) {
                return Optional.empty();
            }
            for (int index = at + 4; index < at + 4 + LENGTHS[field]; index++) {
                match[index] = (byte) (packet[same + index - at]
                    & (masked(match, at) ? match[index + LENGTHS[field]] : -1));
            }
        }
        return Optional.of(match);
    }

    /** A match on the in-port alone. */
    static byte[] inPort(final int port) {
        return ByteBuffer.allocate(8).putInt(BASIC << 16 | IN_PORT << 9 | 4).putInt(port).array();
    }

    private static int find(final byte[] fields, final int field) {
        for (int at = 0; at < fields.length; at += 4 + (fields[at + 3] & 0xff)) {
            if (field(fields, at) == field) {
                return at;
            }
        }
        return -1;
    }

    private static int field(final byte[] fields, final int at) {
        return (fields[at + 2] & 0xff) >>> 1;
    }

    private static boolean masked(final byte[] fields, final int at) {
        return (fields[at + 2] & 1) != 0;
    }

    /** The offset of the next field; refuses an invalid one. */
    private static int nextField(final byte[] fields, final int at) {
        if (at + 4 > fields.length) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_LEN);
        }
        final int kind = (fields[at] & 0xff) << 8 | fields[at + 1] & 0xff;
        if (kind != BASIC || field(fields, at) >= LENGTHS.length) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_FIELD);
        }
        final int length = fields[at + 3] & 0xff;
        if (length != LENGTHS[field(fields, at)] * (masked(fields, at) ? 2 : 1) || at + 4 + length > fields.length) {
            throw new OpenFlowError(OpenFlow.BAD_MATCH, BAD_LEN);
        }
        return at + 4 + length;
    }
}
