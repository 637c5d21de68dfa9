package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The switch's side of an OpenFlow connection to one controller. */
final class OpenFlowSession implements TcpConnection.Handler {
    /** After this silence the switch probes the controller, and after the same time again it disconnects. */
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);
    private static final int ERROR_DATA_BYTES = 64;
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

    private final EventLoop loop;
    private final SimSwitch bridge;
    private final String target;
    private final Runnable disconnect;
    private final List<ByteBuffer> heldReplies = new ArrayList<>();
    /**
     * Masks of asynchronous messages: packet-in, port-status and flow-removed, each for master or equal and for slave.
     */
    private final int[] asyncMasks = {3, 0, 7, 7, 15, 0};
    private TcpConnection connection;
    private int role = EQUAL;
    private boolean helloReceived;
    private boolean probed;
    private long lastReceived;

    /**
     * A session that is not connected yet.
     *
     * @param target the controller, as named in the switch's database
     * @param disconnect closes the connection, as the controller does not answer
     */
    OpenFlowSession(final EventLoop loop, final SimSwitch bridge, final String target, final Runnable disconnect) {
        this.loop = loop;
        this.bridge = bridge;
        this.target = target;
        this.disconnect = disconnect;
    }

    String target() {
        return target;
    }

    @Override
    public void opened(final TcpConnection opened) {
        connection = opened;
        lastReceived = System.nanoTime();
        // with a bitmap of the supported versions
        connection.send(new MessageBuilder(OpenFlow.HELLO, 0).u16(1).u16(8).u32(1 << OpenFlow.VERSION).done());
        bridge.opened(this);
        loop.later(PROBE_INTERVAL, this::probe);
    }

    @Override
    public void lost() {
        if (connection != null) {
            bridge.lost(this);
        }
    }

    private void probe() {
        if (connection.isClosed()) {
            return;
        }
        if (System.nanoTime() - lastReceived >= PROBE_INTERVAL.toNanos()) {
            if (probed) {
                disconnect.run();
                return;
            }
            probed = true;
            connection.send(new MessageBuilder(OpenFlow.ECHO_REQUEST, 0).done());
        }
        loop.later(PROBE_INTERVAL, this::probe);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        lastReceived = System.nanoTime();
        probed = false;
        while (bytes.remaining() >= OpenFlow.HEADER && !connection.isClosed()) {
            final int length = bytes.getShort(bytes.position() + 2) & 0xffff;
            if (length < OpenFlow.HEADER) {
                disconnect.run();
                return;
            }
            if (bytes.remaining() < length) {
                return;
            }
            final var message = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            try {
                message(message);
            } catch (OpenFlowError e) {
                bridge.counts().refused();
                refuse(message, e);
            } catch (IndexOutOfBoundsException e) {
                bridge.counts().refused();
                refuse(message, new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_LEN));
            }
        }
    }

    private void refuse(final ByteBuffer message, final OpenFlowError why) {
        connection.send(new MessageBuilder(OpenFlow.ERROR, message.getInt(4)).u16(why.type()).u16(why.code())
            .put(message.slice(0, Math.min(message.limit(), ERROR_DATA_BYTES))).done());
    }

    private void message(final ByteBuffer message) {
        final int type = message.get(1) & 0xff;
        final int xid = message.getInt(4);
        bridge.counts().received(type);
        if (type == OpenFlow.HELLO) {
            acceptHello(message);
            return;
        }
        if (!helloReceived || message.get(0) != OpenFlow.VERSION) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, 0);
        }
        switch (type) {
            case OpenFlow.ECHO_REQUEST -> connection.send(new MessageBuilder(OpenFlow.ECHO_REPLY, xid)
                .put(message.slice(OpenFlow.HEADER, message.limit() - OpenFlow.HEADER)).done());
            case OpenFlow.ECHO_REPLY, OpenFlow.ERROR -> {
                // only the time of arrival counts
            }
            case OpenFlow.FEATURES_REQUEST ->
                connection.send(new MessageBuilder(OpenFlow.FEATURES_REPLY, xid).u64(bridge.datapathId())
                .u32(0).u8(OpenFlow.TABLE_MAX).u8(0).pad(2).u32(0x4f).u32(0).done());
            case OpenFlow.GET_CONFIG_REQUEST ->
                connection.send(new MessageBuilder(OpenFlow.GET_CONFIG_REPLY, xid).u16(0)
                .u16(bridge.missSendLength()).done());
            case OpenFlow.SET_CONFIG -> bridge.missSendLength(message.getShort(10) & 0xffff);
            case OpenFlow.ROLE_REQUEST -> role(message);
            case OpenFlow.GET_ASYNC_REQUEST -> asyncMasks(xid);
            case OpenFlow.SET_ASYNC -> {
                for (int at = 0; at < asyncMasks.length; at++) {
                    asyncMasks[at] = message.getInt(OpenFlow.HEADER + 4 * at);
                }
            }
            case OpenFlow.MULTIPART_REQUEST -> Multipart.answer(bridge, message, connection::send);
            case OpenFlow.BARRIER_REQUEST -> barrier(new MessageBuilder(OpenFlow.BARRIER_REPLY, xid).done());
            case OpenFlow.QUEUE_GET_CONFIG_REQUEST ->
                connection.send(new MessageBuilder(OpenFlow.QUEUE_GET_CONFIG_REPLY, xid)
                .u32(message.getInt(OpenFlow.HEADER)).pad(4).done());
            case OpenFlow.FLOW_MOD, OpenFlow.GROUP_MOD, OpenFlow.PACKET_OUT -> change(type, message);
            case OpenFlow.PORT_MOD, OpenFlow.TABLE_MOD, OpenFlow.METER_MOD ->
                throw new OpenFlowError(OpenFlow.BAD_REQUEST, EPERM);
            case OpenFlow.EXPERIMENTER -> throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_EXPERIMENTER);
            default -> throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_TYPE);
        }
    }

    private void acceptHello(final ByteBuffer message) {
        helloReceived = message.get(0) >= OpenFlow.VERSION;
        if (!helloReceived) {
            throw new OpenFlowError(0, 0);
        }
    }

    private void change(final int type, final ByteBuffer message) {
        if (role == SLAVE) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, IS_SLAVE);
        }
        switch (type) {
            case OpenFlow.FLOW_MOD -> bridge.change(FlowMod.read(message));
            case OpenFlow.GROUP_MOD -> bridge.groups().apply(message, bridge.rules());
            default -> bridge.send(PacketOut.read(message));
        }
    }

    private void barrier(final ByteBuffer reply) {
        if (bridge.holdsBarriers()) {
            heldReplies.add(reply);
        } else {
            connection.send(reply);
            bridge.counts().barrierAnswered();
        }
    }

    /** Sends the replies to barriers that were held back. */
    void releaseBarriers() {
        heldReplies.forEach(reply -> {
            connection.send(reply);
            bridge.counts().barrierAnswered();
        });
        heldReplies.clear();
    }

    private void role(final ByteBuffer message) {
        final int requested = message.getInt(OpenFlow.HEADER);
        if (requested < NOCHANGE || requested > SLAVE) {
            throw new OpenFlowError(OpenFlow.ROLE_REQUEST_FAILED, BAD_ROLE);
        }
        if ((requested == MASTER || requested == SLAVE) && !bridge.isCurrent(message.getLong(OpenFlow.HEADER + 8))) {
            throw new OpenFlowError(OpenFlow.ROLE_REQUEST_FAILED, STALE);
        }
        if (requested == MASTER) {
            bridge.sessions().stream().filter(other -> other.role == MASTER).forEach(other -> other.role = SLAVE);
        }
        if (requested != NOCHANGE) {
            role = requested;
        }
        connection.send(new MessageBuilder(OpenFlow.ROLE_REPLY, message.getInt(4)).u32(role)
            .pad(4).u64(bridge.generation()).done());
    }

    private void asyncMasks(final int xid) {
        final var reply = new MessageBuilder(OpenFlow.GET_ASYNC_REPLY, xid);
        for (int mask : asyncMasks) {
            reply.u32(mask);
        }
        connection.send(reply.done());
    }

    /** Sends an asynchronous message, unless the controller has masked it. */
    void sendAsync(final int kind, final int reason, final ByteBuffer message) {
        if (helloReceived && (asyncMasks[kind + (role == SLAVE ? 1 : 0)] & 1 << reason) != 0) {
            connection.send(message.duplicate());
        }
    }
}
