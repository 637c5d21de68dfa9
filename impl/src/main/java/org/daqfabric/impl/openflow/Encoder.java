package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.OptionalInt;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.impl.engine.proof.Prover;

/**
 * Writes messages of OpenFlow 1.3 from rules and groups, without intermediate objects: a fabric that starts needs
 * hundreds of thousands of them. Sections in the comments are those of the specification 1.3.5.
 */
final class Encoder {
    private static final int OFPFC_ADD = 0;
    private static final int OFPFC_DELETE_STRICT = 4;
    private static final int OFPGC_ADD = 0;
    private static final int OFPGC_MODIFY = 1;
    private static final int OFPGC_DELETE = 2;

    private Encoder() {
    }

    /** One change. */
    static void change(final ByteBuf out, final int xid, final Message message) {
        switch (message) {
            case Message.PutRule put -> flowMod(out, xid, OFPFC_ADD, put.rule().cookie(), put.rule().priority(),
                put.rule().match(), put.rule().actions());
            case Message.DeleteRule delete -> flowMod(out, xid, OFPFC_DELETE_STRICT, 0, delete.key().priority(),
                delete.key().match(), List.of());
            case Message.AddGroup add -> groupMod(out, xid, OFPGC_ADD, add.group());
            case Message.ModifyGroup modify -> groupMod(out, xid, OFPGC_MODIFY, modify.group());
            case Message.DeleteGroup delete ->
                groupMod(out, xid, OFPGC_DELETE, new Group(delete.id(), Group.Type.INDIRECT, List.of()));
        }
    }

    /**
     * Sends a frame out of ports (7.3.7), or through the switch's own rules.
     *
     * @param times how often out of each, in all at most 4000: each is an action of 16 bytes
     */
    static void packetOut(final ByteBuf out, final int xid, final List<Integer> ports, final byte[] frame,
            final int times) {
        final int begin = header(out, OpenFlow13.OFPT_PACKET_OUT, xid);
        out.writeInt(OpenFlow13.NONE).writeInt(OpenFlow13.OFPP_CONTROLLER);
        final int length = out.writerIndex();
        out.writeZero(8);
        for (int i = 0; i < times; i++) {
            ports.forEach(port -> output(out, port == Prover.TABLE ? OpenFlow13.OFPP_TABLE : port, 0));
        }
        out.setShort(length, out.writerIndex() - length - 8);
        out.writeBytes(frame);
        end(out, begin);
    }

    /**
     * Changes the configuration of a port (7.3.4.3).
     *
     * @param mac its Ethernet address, by which the switch knows that it is the port that is meant
     * @param mask the bits to change
     */
    static void portMod(final ByteBuf out, final int xid, final int port, final long mac, final int config,
            final int mask) {
        final int begin = header(out, OpenFlow13.OFPT_PORT_MOD, xid);
        out.writeInt(port).writeZero(4);
        mac(out, new Mac(mac));
        out.writeZero(2).writeInt(config).writeInt(mask).writeInt(0).writeZero(4);
        end(out, begin);
    }

    /**
     * A multipart request (7.3.5): {@code OFPMP_FLOW} asks for all rules, {@code OFPMP_PORT_STATS} for all ports,
     * {@code OFPMP_GROUP} for what all groups have counted,
     * {@code OFPMP_EXPERIMENTER} for changes of rules from then on; others have no body.
     */
    static void multipart(final ByteBuf out, final int xid, final int type) {
        final int begin = header(out, OpenFlow13.OFPT_MULTIPART_REQUEST, xid);
        out.writeShort(type).writeShort(0).writeZero(4);
        if (type == OpenFlow13.OFPMP_FLOW) {
            out.writeByte(OpenFlow13.OFPTT_ALL).writeZero(3).writeInt(OpenFlow13.NONE).writeInt(OpenFlow13.NONE)
                .writeZero(4 + 8 + 8);
            match(out, Match.ALL);
        } else if (type == OpenFlow13.OFPMP_PORT_STATS) {
            out.writeInt(OpenFlow13.NONE).writeZero(4);
        } else if (type == OpenFlow13.OFPMP_GROUP) {
            out.writeInt(OpenFlow13.OFPG_ALL).writeZero(4);
        } else if (type == OpenFlow13.OFPMP_EXPERIMENTER) {
            RuleUpdates.request(out);
        }
        end(out, begin);
    }

    /** 7.3.4.1. */
    private static void flowMod(final ByteBuf out, final int xid, final int command, final long cookie,
            final int priority, final Match match, final List<Action> actions) {
        final int begin = header(out, OpenFlow13.OFPT_FLOW_MOD, xid);
        out.writeLong(cookie).writeLong(0).writeByte(0).writeByte(command).writeInt(0).writeShort(priority)
            .writeInt(OpenFlow13.NONE).writeInt(OpenFlow13.NONE).writeInt(OpenFlow13.NONE).writeInt(0);
        match(out, match);
        if (!actions.isEmpty()) {
            final int instruction = out.writerIndex();
            out.writeShort(OpenFlow13.OFPIT_APPLY_ACTIONS).writeShort(0).writeZero(4);
            actions(out, actions);
            out.setShort(instruction + 2, out.writerIndex() - instruction);
        }
        end(out, begin);
    }

    /** 7.3.4.2. */
    private static void groupMod(final ByteBuf out, final int xid, final int command, final Group group) {
        final int begin = header(out, OpenFlow13.OFPT_GROUP_MOD, xid);
        out.writeShort(command).writeByte(type(group.type())).writeByte(0).writeInt(group.id());
        for (var bucket : group.buckets()) {
            final int start = out.writerIndex();
            out.writeInt(0).writeInt(watched(bucket.watchPort())).writeInt(watched(bucket.watchGroup())).writeZero(4);
            actions(out, bucket.actions());
            out.setShort(start, out.writerIndex() - start);
        }
        end(out, begin);
    }

    private static int type(final Group.Type type) {
        return switch (type) {
            case FAST_FAILOVER -> OpenFlow13.OFPGT_FF;
            case INDIRECT -> OpenFlow13.OFPGT_INDIRECT;
            case OTHER -> throw new IllegalArgumentException("a group of another type can be read, but not sent");
        };
    }

    private static int watched(final OptionalInt watched) {
        return watched.orElse(OpenFlow13.NONE);
    }

    /** 7.2.3; the Ethernet type comes before addresses, as a field must come after its prerequisites. */
    private static void match(final ByteBuf out, final Match match) {
        final int begin = out.writerIndex();
        out.writeShort(OpenFlow13.OFPMT_OXM).writeShort(0);
        match.inPort().ifPresent(port -> oxm(out, OpenFlow13.OXM_IN_PORT, 4).writeInt(port));
        match.ethernetDestination().ifPresent(mac -> mac(oxm(out, OpenFlow13.OXM_ETH_DST, 6), mac));
        if (match.etherType() != Match.ANY_TYPE) {
            oxm(out, OpenFlow13.OXM_ETH_TYPE, 2).writeShort(match.etherType());
        }
        match.source().ifPresent(address -> address(oxm(out,
            address.isIpv4() ? OpenFlow13.OXM_IPV4_SRC : OpenFlow13.OXM_IPV6_SRC, address.bits() / 8), address));
        match.destination().ifPresent(address -> {
            final int field = address.isIpv4() ? OpenFlow13.OXM_IPV4_DST : OpenFlow13.OXM_IPV6_DST;
            if (match.isPrefix()) {
                out.writeShort(OpenFlow13.OXM_BASIC).writeByte(field << 1 | OpenFlow13.OXM_HASMASK)
                    .writeByte(2 * address.bits() / 8);
                address(out, address);
                address(out, OpenFlow13.mask(address, match.prefixLength()));
            } else {
                address(oxm(out, field, address.bits() / 8), address);
            }
        });
        final int length = out.writerIndex() - begin;
        out.setShort(begin + 2, length);
        out.writeZero(OpenFlow13.padded(length) - length);
    }

    private static ByteBuf oxm(final ByteBuf out, final int field, final int length) {
        return out.writeShort(OpenFlow13.OXM_BASIC).writeByte(field << 1).writeByte(length);
    }

    private static void address(final ByteBuf out, final Address address) {
        if (address.isIpv4()) {
            out.writeInt((int) address.low());
        } else {
            out.writeLong(address.high()).writeLong(address.low());
        }
    }

    private static void mac(final ByteBuf out, final Mac mac) {
        out.writeShort((int) (mac.bits() >>> 32)).writeInt((int) mac.bits());
    }

    /** 7.2.5. */
    private static void actions(final ByteBuf out, final List<Action> actions) {
        for (int each = 0; each < actions.size(); each++) {
            switch (actions.get(each)) {
                case Action.Output output -> output(out, output.port(), 0);
                case Action.OutputInPort unused -> output(out, OpenFlow13.OFPP_IN_PORT, 0);
                case Action.ToController unused -> output(out, OpenFlow13.OFPP_CONTROLLER, OpenFlow13.OFPCML_NO_BUFFER);
                case Action.ToGroup group ->
                    out.writeShort(OpenFlow13.OFPAT_GROUP).writeShort(8).writeInt(group.id());
                case Action.SetDestinationMac set -> {
                    out.writeShort(OpenFlow13.OFPAT_SET_FIELD).writeShort(16);
                    mac(oxm(out, OpenFlow13.OXM_ETH_DST, 6), set.mac());
                    out.writeZero(2);
                }
                case Action.SetDscp set -> {
                    out.writeShort(OpenFlow13.OFPAT_SET_FIELD).writeShort(16);
                    oxm(out, OpenFlow13.OXM_IP_DSCP, 1).writeByte(set.dscp());
                    out.writeZero(7);
                }
                case Action.Other other -> throw new IllegalArgumentException(
                    "'" + other.text() + "' was read from a switch, it cannot be sent");
            }
        }
    }

    private static void output(final ByteBuf out, final int port, final int maxLength) {
        out.writeShort(OpenFlow13.OFPAT_OUTPUT).writeShort(16).writeInt(port).writeShort(maxLength).writeZero(6);
    }

    private static int header(final ByteBuf out, final int type, final int xid) {
        final int begin = out.writerIndex();
        out.writeByte(OpenFlow13.VERSION.intValue()).writeByte(type).writeShort(0).writeInt(xid);
        return begin;
    }

    private static void end(final ByteBuf out, final int begin) {
        out.setShort(begin + 2, out.writerIndex() - begin);
    }
}
