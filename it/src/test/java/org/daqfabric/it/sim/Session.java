package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A switch's connection to one controller. */
final class Session implements Wire.Handler {
    /** After which silence a switch probes its controller, and after as much again leaves it. */
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final int ERROR_DATA = 64;
    private static final int NOCHANGE = 0;
    private static final int EQUAL = 1;
    private static final int MASTER = 2;
    private static final int SLAVE = 3;

    private static final int BAD_TYPE = 1;
    private static final int BAD_EXPERIMENTER = 3;
    private static final int EPERM = 5;
    private static final int BAD_LEN = 6;
    private static final int IS_SLAVE = 10;
    private static final int STALE = 0;
    private static final int BAD_ROLE = 2;

    private final Loop loop;
    private final SimSwitch of;
    private final String target;
    private final Runnable leave;
    private final List<ByteBuffer> held = new ArrayList<>();
    /** Which asynchronous messages are sent: packet-in, port-status and flow-removed, each as master or equal and as slave. */
    private final int[] async = {3, 0, 7, 7, 15, 0};
    private Wire wire;
    private int role = EQUAL;
    private boolean greeted;
    private boolean probed;
    private long heard;

    /**
     * Describes a connection.
     *
     * @param target the controller as the switch's database names it
     * @param leave ends it because the controller does not answer
     */
    Session(final Loop loop, final SimSwitch of, final String target, final Runnable leave) {
        this.loop = loop;
        this.of = of;
        this.target = target;
        this.leave = leave;
    }

    String target() {
        return target;
    }

    @Override
    public void opened(final Wire opened) {
        wire = opened;
        heard = System.nanoTime();
        // with the versions that are spoken, as a bitmap
        wire.send(new Frame(OpenFlow.HELLO, 0).u16(1).u16(8).u32(1 << OpenFlow.VERSION).done());
        of.opened(this);
        loop.later(PROBE, this::probe);
    }

    @Override
    public void lost() {
        if (wire != null) {
            of.lost(this);
        }
    }

    private void probe() {
        if (wire.isClosed()) {
            return;
        }
        if (System.nanoTime() - heard >= PROBE.toNanos()) {
            if (probed) {
                leave.run();
                return;
            }
            probed = true;
            wire.send(new Frame(OpenFlow.ECHO_REQUEST, 0).done());
        }
        loop.later(PROBE, this::probe);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        heard = System.nanoTime();
        probed = false;
        while (bytes.remaining() >= OpenFlow.HEADER && !wire.isClosed()) {
            final int length = bytes.getShort(bytes.position() + 2) & 0xffff;
            if (length < OpenFlow.HEADER) {
                leave.run();
                return;
            }
            if (bytes.remaining() < length) {
                return;
            }
            final var message = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            try {
                message(message);
            } catch (Refused e) {
                of.counts().refused();
                refuse(message, e);
            } catch (IndexOutOfBoundsException e) {
                of.counts().refused();
                refuse(message, new Refused(OpenFlow.BAD_REQUEST, BAD_LEN));
            }
        }
    }

    private void refuse(final ByteBuffer message, final Refused why) {
        wire.send(new Frame(OpenFlow.ERROR, message.getInt(4)).u16(why.type()).u16(why.code())
            .put(message.slice(0, Math.min(message.limit(), ERROR_DATA))).done());
    }

    private void message(final ByteBuffer message) {
        final int type = message.get(1) & 0xff;
        final int xid = message.getInt(4);
        of.counts().received(type);
        if (type == OpenFlow.HELLO) {
            greet(message);
            return;
        }
        if (!greeted || message.get(0) != OpenFlow.VERSION) {
            throw new Refused(OpenFlow.BAD_REQUEST, 0);
        }
        switch (type) {
            case OpenFlow.ECHO_REQUEST -> wire.send(new Frame(OpenFlow.ECHO_REPLY, xid)
                .put(message.slice(OpenFlow.HEADER, message.limit() - OpenFlow.HEADER)).done());
            case OpenFlow.ECHO_REPLY, OpenFlow.ERROR -> {
                // heard is all that counts
            }
            case OpenFlow.FEATURES_REQUEST -> wire.send(new Frame(OpenFlow.FEATURES_REPLY, xid).u64(of.datapathId())
                .u32(0).u8(OpenFlow.TABLE_MAX).u8(0).pad(2).u32(0x4f).u32(0).done());
            case OpenFlow.GET_CONFIG_REQUEST -> wire.send(new Frame(OpenFlow.GET_CONFIG_REPLY, xid).u16(0)
                .u16(of.missSendLength()).done());
            case OpenFlow.SET_CONFIG -> of.missSendLength(message.getShort(10) & 0xffff);
            case OpenFlow.ROLE_REQUEST -> role(message);
            case OpenFlow.GET_ASYNC_REQUEST -> async(xid);
            case OpenFlow.SET_ASYNC -> {
                for (int at = 0; at < async.length; at++) {
                    async[at] = message.getInt(OpenFlow.HEADER + 4 * at);
                }
            }
            case OpenFlow.MULTIPART_REQUEST -> Multipart.answer(of, message, wire::send);
            case OpenFlow.BARRIER_REQUEST -> barrier(new Frame(OpenFlow.BARRIER_REPLY, xid).done());
            case OpenFlow.QUEUE_GET_CONFIG_REQUEST -> wire.send(new Frame(OpenFlow.QUEUE_GET_CONFIG_REPLY, xid)
                .u32(message.getInt(OpenFlow.HEADER)).pad(4).done());
            case OpenFlow.FLOW_MOD, OpenFlow.GROUP_MOD, OpenFlow.PACKET_OUT -> change(type, message);
            case OpenFlow.PORT_MOD, OpenFlow.TABLE_MOD, OpenFlow.METER_MOD ->
                throw new Refused(OpenFlow.BAD_REQUEST, EPERM);
            case OpenFlow.EXPERIMENTER -> throw new Refused(OpenFlow.BAD_REQUEST, BAD_EXPERIMENTER);
            default -> throw new Refused(OpenFlow.BAD_REQUEST, BAD_TYPE);
        }
    }

    private void greet(final ByteBuffer message) {
        greeted = message.get(0) >= OpenFlow.VERSION;
        if (!greeted) {
            throw new Refused(0, 0);
        }
    }

    private void change(final int type, final ByteBuffer message) {
        if (role == SLAVE) {
            throw new Refused(OpenFlow.BAD_REQUEST, IS_SLAVE);
        }
        switch (type) {
            case OpenFlow.FLOW_MOD -> of.change(FlowMod.read(message));
            case OpenFlow.GROUP_MOD -> of.groups().apply(message, of.rules());
            default -> PacketOut.read(message).forEach(of::send);
        }
    }

    private void barrier(final ByteBuffer reply) {
        if (of.holdsBarriers()) {
            held.add(reply);
        } else {
            wire.send(reply);
            of.counts().barrierAnswered();
        }
    }

    /** Answers the barriers that it did not answer, late. */
    void releaseBarriers() {
        held.forEach(reply -> {
            wire.send(reply);
            of.counts().barrierAnswered();
        });
        held.clear();
    }

    private void role(final ByteBuffer message) {
        final int wanted = message.getInt(OpenFlow.HEADER);
        if (wanted < NOCHANGE || wanted > SLAVE) {
            throw new Refused(OpenFlow.ROLE_REQUEST_FAILED, BAD_ROLE);
        }
        if ((wanted == MASTER || wanted == SLAVE) && !of.isCurrent(message.getLong(OpenFlow.HEADER + 8))) {
            throw new Refused(OpenFlow.ROLE_REQUEST_FAILED, STALE);
        }
        if (wanted == MASTER) {
            of.sessions().stream().filter(other -> other.role == MASTER).forEach(other -> other.role = SLAVE);
        }
        if (wanted != NOCHANGE) {
            role = wanted;
        }
        wire.send(new Frame(OpenFlow.ROLE_REPLY, message.getInt(4)).u32(role).pad(4).u64(of.generation()).done());
    }

    private void async(final int xid) {
        final var reply = new Frame(OpenFlow.GET_ASYNC_REPLY, xid);
        for (int mask : async) {
            reply.u32(mask);
        }
        wire.send(reply.done());
    }

    /** Sends something that was not asked for, unless the controller does not want it. */
    void tell(final int kind, final int reason, final ByteBuffer message) {
        if (greeted && (async[kind + (role == SLAVE ? 1 : 0)] & 1 << reason) != 0) {
            wire.send(message.duplicate());
        }
    }
}
