package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.traffic.Counted;
import org.daqfabric.impl.text.ForeignText;

/**
 * Reads installed rules and groups, and ports, from the bodies of multipart replies. Whatever our rules and groups
 * never contain becomes {@link Action.Other}, so that it differs from everything in a program. Sections are those of
 * OpenFlow
 * 1.3.5.
 */
final class Decoder {
    private static final int PORT_LENGTH = 64;
    private static final int PORT_STATISTICS_LENGTH = 112;
    private static final int GROUP_STATISTICS_LENGTH = 40;
    /** Where the serial number begins in a switch's description, and the bytes it has. */
    private static final int SERIAL_AT = 3 * 256;
    private static final int SERIAL_LENGTH = 32;

    private Decoder() {
    }

    /**
     * A rule in a switch.
     *
     * @param table where it is; packets meet table 0 first
     * @param match what is known of its match; it may match less
     * @param rule empty if no {@link Rule.Key} can describe it: then it is not ours, whatever its cookie, and cannot be
     *             deleted strictly
     */
    record Flow(long cookie, Counted counted, int table, int priority, Match match, Optional<Rule> rule) {
    }

    /** The serial number in a switch's description (7.3.5.1); empty if there is none. */
    static String serial(final ByteBuf in) {
        if (in.readableBytes() < SERIAL_AT + SERIAL_LENGTH) {
            return "";
        }
        final int begin = in.readerIndex() + SERIAL_AT;
        final int end = in.indexOf(begin, begin + SERIAL_LENGTH, (byte) 0);
        return ForeignText.shown(
            in.toString(begin, (end < 0 ? begin + SERIAL_LENGTH : end) - begin, StandardCharsets.US_ASCII));
    }

    /** The rules in one part of a reply (7.3.5.2). */
    static List<Flow> flows(final ByteBuf in) {
        final var flows = new ArrayList<Flow>();
        while (in.isReadable()) {
            final int end = end(in, in.readerIndex(), in.readUnsignedShort());
            final int table = in.readUnsignedByte();
            in.skipBytes(1 + 4 + 4);
            final int priority = in.readUnsignedShort();
            final boolean timed = in.readUnsignedShort() + in.readUnsignedShort() != 0;
            in.skipBytes(2 + 4);
            final long cookie = in.readLong();
            final var counted = new Counted(in.readLong(), in.readLong());
            final var match = match(in);
            final var actions = instructions(in, end);
            if (timed) {
                actions.add(new Action.Other("times out"));
            }
            flows.add(new Flow(cookie, counted, table, priority, match.match(), match.whole() && table == 0
                ? Optional.of(new Rule(priority, match.match(), actions)) : Optional.empty()));
        }
        return flows;
    }

    /** The groups in one part of a reply (7.3.5.7). */
    static List<Group> groups(final ByteBuf in) {
        final var groups = new ArrayList<Group>();
        while (in.isReadable()) {
            final int end = end(in, in.readerIndex(), in.readUnsignedShort());
            final var type = switch (in.readUnsignedByte()) {
                case OpenFlow13.OFPGT_INDIRECT -> Group.Type.INDIRECT;
                case OpenFlow13.OFPGT_FF -> Group.Type.FAST_FAILOVER;
                default -> Group.Type.OTHER;
            };
            in.skipBytes(1);
            final int id = in.readInt();
            final var buckets = new ArrayList<Group.Bucket>();
            while (in.readerIndex() < end) {
                final int bucketEnd = end(in, in.readerIndex(), in.readUnsignedShort());
                in.skipBytes(2);
                final var port = watched(in.readInt());
                final var group = watched(in.readInt());
                in.skipBytes(4);
                buckets.add(new Group.Bucket(port, group, actions(in, bucketEnd)));
            }
            groups.add(new Group(id, type, buckets));
        }
        return groups;
    }

    /** The packets that each bucket has taken, by group, from one part of a reply (7.3.5.9). */
    static Map<Integer, List<Long>> buckets(final ByteBuf in) {
        final var groups = new HashMap<Integer, List<Long>>();
        while (in.isReadable()) {
            final int begin = in.readerIndex();
            final int end = end(in, begin, in.readUnsignedShort());
            final var buckets = groups.computeIfAbsent(in.getInt(begin + 4), id -> new ArrayList<>());
            in.readerIndex(begin + GROUP_STATISTICS_LENGTH);
            while (in.readerIndex() < end) {
                buckets.add(in.readLong());
                in.skipBytes(Long.BYTES);
            }
        }
        return groups;
    }

    /** The ports in a whole reply, by number. */
    static Map<Integer, PortReport> ports(final List<ByteBuf> parts) {
        final var ports = new TreeMap<Integer, PortReport>();
        parts.forEach(part -> ports(part, ports));
        return ports;
    }

    /** Adds the ports in one part of a reply (7.2.1), the bridge's own among them. */
    private static void ports(final ByteBuf in, final Map<Integer, PortReport> ports) {
        while (in.isReadable(PORT_LENGTH)) {
            final var port = in.readSlice(PORT_LENGTH);
            final int number = port.getInt(0);
            if (OpenFlow13.isPort(number)) {
                port.readerIndex(8);
                ports.put(number, PortReport.of(readMac(port), port.getInt(32), port.getInt(36)));
            }
        }
    }

    /** Adds the packets sent to each port in one part of a reply (7.3.5.6) that have not been received from it. */
    static void held(final ByteBuf in, final Map<Integer, Long> held) {
        while (in.isReadable(PORT_STATISTICS_LENGTH)) {
            final var port = in.readSlice(PORT_STATISTICS_LENGTH);
            held.put(port.getInt(0), port.getLong(16) - port.getLong(8));
        }
    }

    /** Adds what ports have counted, from one part of a reply (7.3.5.6). */
    static void counted(final ByteBuf in, final Map<Integer, PortCount> counted) {
        while (in.isReadable(PORT_STATISTICS_LENGTH)) {
            final var port = in.readSlice(PORT_STATISTICS_LENGTH);
            counted.put(port.getInt(0), new PortCount(port.getLong(8), port.getLong(16),
                port.getLong(48)));
        }
    }

    /** The end of a structure that begins with its own length; all of them are padded to at least eight bytes. */
    private static int end(final ByteBuf in, final int begin, final int length) {
        if (length < 8 || begin + length > in.writerIndex()) {
            throw new IllegalArgumentException("the answer is malformed: " + length + " bytes at " + begin + " of "
                + in.writerIndex());
        }
        return begin + length;
    }

    private static OptionalInt watched(final int number) {
        return number == OpenFlow13.NONE ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** What a {@link Match} can express of a match, and whether that is all. */
    private record Known(Match match, boolean whole) {
    }

    private static Known match(final ByteBuf in) {
        final int begin = in.readerIndex();
        final int type = in.readUnsignedShort();
        final int length = in.readUnsignedShort();
        boolean known = type == OpenFlow13.OFPMT_OXM;
        final int end = begin + length;
        OptionalInt inPort = OptionalInt.empty();
        int etherType = Match.ANY_TYPE;
        OptionalLong mac = OptionalLong.empty();
        Optional<Address> address = Optional.empty();
        Optional<Address> source = Optional.empty();
        int prefixLength = Match.WHOLE;
        while (type == OpenFlow13.OFPMT_OXM && in.readerIndex() + 4 <= end) {
            final int header = in.readInt();
            switch (header) {
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IN_PORT << 9 | 4 -> inPort =
                    OptionalInt.of(in.readInt());
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_ETH_DST << 9 | 6 -> mac = OptionalLong.of(readMac(in));
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_ETH_TYPE << 9 | 2 -> etherType =
                    in.readUnsignedShort();
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV4_SRC << 9 | 4,
                    OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV6_SRC << 9 | 16 -> source =
                    Optional.of(readAddress(in, header & 0xff));
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV4_DST << 9 | 4,
                    OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV6_DST << 9 | 16 -> address =
                    Optional.of(readAddress(in, header & 0xff));
                case OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV4_DST << 9 | OpenFlow13.OXM_HASMASK << 8 | 8,
                    OpenFlow13.OXM_BASIC << 16 | OpenFlow13.OXM_IPV6_DST << 9 | OpenFlow13.OXM_HASMASK << 8 | 32 -> {
                    final var first = readAddress(in, (header & 0xff) / 2);
                    final var mask = readAddress(in, (header & 0xff) / 2);
                    prefixLength = Long.bitCount(mask.high()) + Long.bitCount(mask.low()) - (first.isIpv4() ? 16 : 0);
                    if (mask.equals(OpenFlow13.mask(first, prefixLength))) {
                        address = Optional.of(first);
                    } else {
                        known = false;
                        prefixLength = Match.WHOLE;
                    }
                }
                default -> {
                    known = false;
                    in.readerIndex(Math.min(in.readerIndex() + (header & 0xff), end));
                }
            }
        }
        in.readerIndex(begin + OpenFlow13.padded(length));
        return new Known(new Match(inPort, etherType,
            mac.isPresent() ? Optional.of(new Mac(mac.getAsLong())) : Optional.empty(),
            address, prefixLength, source), known);
    }

    private static Address readAddress(final ByteBuf in, final int bytes) {
        return bytes == 4 ? Address.ofIpv4(in.readInt()) : new Address(in.readLong(), in.readLong());
    }

    private static long readMac(final ByteBuf in) {
        return (long) in.readUnsignedShort() << 32 | in.readUnsignedInt();
    }

    private static List<Action> instructions(final ByteBuf in, final int end) {
        final var actions = new ArrayList<Action>(2);
        while (in.readerIndex() < end) {
            final int begin = in.readerIndex();
            final int type = in.readUnsignedShort();
            final int instructionEnd = end(in, begin, in.readUnsignedShort());
            if (type == OpenFlow13.OFPIT_APPLY_ACTIONS) {
                in.skipBytes(4);
                actions.addAll(actions(in, instructionEnd));
            } else {
                actions.add(new Action.Other("instruction " + hex(in, begin, instructionEnd)));
            }
            in.readerIndex(instructionEnd);
        }
        return actions;
    }

    private static List<Action> actions(final ByteBuf in, final int end) {
        final var actions = new ArrayList<Action>(2);
        while (in.readerIndex() < end) {
            final int begin = in.readerIndex();
            final int type = in.getUnsignedShort(begin);
            final int actionEnd = end(in, begin, in.getUnsignedShort(begin + 2));
            actions.add(action(in, begin, type, actionEnd));
            in.readerIndex(actionEnd);
        }
        return actions;
    }

    private static Action action(final ByteBuf in, final int begin, final int type, final int end) {
        if (type == OpenFlow13.OFPAT_GROUP) {
            return new Action.ToGroup(in.getInt(begin + 4));
        }
        if (type == OpenFlow13.OFPAT_SET_FIELD) {
            final int field = in.getInt(begin + 4);
            if (field == oxm(OpenFlow13.OXM_ETH_DST, 6)) {
                return new Action.SetDestinationMac(
                    new Mac((long) in.getUnsignedShort(begin + 8) << 32 | in.getUnsignedInt(begin + 10)));
            }
            if (field == oxm(OpenFlow13.OXM_IP_DSCP, 1)) {
                return new Action.SetDscp(in.getUnsignedByte(begin + 8));
            }
        }
        if (type == OpenFlow13.OFPAT_OUTPUT) {
            final int port = in.getInt(begin + 4);
            if (port == OpenFlow13.OFPP_IN_PORT) {
                return new Action.OutputInPort();
            }
            if (port == OpenFlow13.OFPP_CONTROLLER && in.getUnsignedShort(begin + 8) == OpenFlow13.OFPCML_NO_BUFFER) {
                return new Action.ToController();
            }
            if (Integer.compareUnsigned(port, OpenFlow13.OFPP_MAX) < 0 || port == Action.LOCAL) {
                return new Action.Output(port);
            }
        }
        return new Action.Other("action " + hex(in, begin, end));
    }

    /** The header of a field without a mask. */
    private static int oxm(final int field, final int length) {
        return OpenFlow13.OXM_BASIC << 16 | field << 9 | length;
    }

    private static String hex(final ByteBuf in, final int begin, final int end) {
        return ByteBufUtil.hexDump(in, begin, end - begin);
    }
}
