package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.Credit;
import org.daqfabric.impl.peers.Limit;

/**
 * Stands before the OpenFlow library's own handlers of a connection and sees to it that what the peer sends costs no
 * more than it may: bytes before it has described itself, processor time at any time, and answers that it does not
 * read. A peer that keeps the controller busy is not read for a while, and one of an address that no node of a fabric
 * has is read when it is its turn. Runs on the connection's thread, but for {@link #named} and
 * {@link #described}.
 */
final class ChannelGuard extends ChannelDuplexHandler {
    /** Bytes of a whole handshake, for each port that a switch may have: its description, twice. */
    static final int HANDSHAKE_BYTES_OF_PORT = 2 * 64;
    /** Bytes waiting to be sent: what the library has written before it waits, and answers to echoes. */
    static final long UNREAD_BYTES = 4 << 20;
    static final long UNREAD_BYTES_OF_STRANGER = 256 << 10;
    /** Nanoseconds of processor time; a handshake of TLS takes some milliseconds. */
    private static final long CREDIT = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CREDIT_OF_STRANGER = TimeUnit.MILLISECONDS.toNanos(20);
    /** Bytes that are read in a turn: a switch that shares the thread waits for no more. */
    private static final int TURN_BYTES = 4096;
    /** Not the time that passes, in which the machine may have done other things. */
    private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

    private final Credit credit = new Credit(CREDIT_OF_STRANGER, System.nanoTime());
    private final HandshakeBytes all;
    private final AddressCredits shared;
    private final InetAddress address;
    private final boolean expected;
    private final Refuser refuser;
    private volatile boolean described;
    private volatile int mostBytes = SwitchSession.MAX_PORTS_OF_STRANGER * HANDSHAKE_BYTES_OF_PORT;
    private long bytes;
    /** Whether it is read in turns; ends when its address becomes that of a node. */
    private boolean takesTurns;
    /** Whether it waits for a turn. */
    private boolean waits;
    /** Whether it waits for a turn, or has one and nothing was read yet. */
    private boolean asked;
    /** Nanoseconds for which it is not to be read, for what it cost itself. */
    private long pause;
    /** Processor time of the thread when the connection was made. */
    private long begun;

    /** Ends the connection of a peer that exceeds a limit. */
    interface Refuser {
        void refuse(Limit limit, String why);
    }

    /**
     * Stands before nothing yet.
     *
     * @param address the peer's
     */
    ChannelGuard(final HandshakeBytes all, final AddressCredits shared, final InetAddress address,
            final Refuser refuser) {
        this.all = all;
        this.shared = shared;
        this.address = address;
        this.refuser = refuser;
        expected = !shared.limits(address);
    }

    /** The peer has said who it is, and so how many ports it may have. */
    void named(final int mostPorts) {
        mostBytes = mostPorts * HANDSHAKE_BYTES_OF_PORT;
    }

    /** The peer has said who it is, and what ports it has. */
    void described() {
        described = true;
        all.remove(this);
    }

    /** Whether it came from where a node of a fabric was. */
    boolean isExpected() {
        return expected;
    }

    void refuse(final Limit limit, final String why) {
        refuser.refuse(limit, why);
    }

    @Override
    public void handlerAdded(final ChannelHandlerContext context) {
        takesTurns = !expected;
        if (takesTurns) {
            context.channel().config().setAutoRead(false)
                .setRecvByteBufAllocator(new FixedRecvByteBufAllocator(TURN_BYTES));
        }
        begun = TIMES.getCurrentThreadCpuTime();
    }

    @Override
    public void channelActive(final ChannelHandlerContext context) {
        context.fireChannelActive();
        if (takesTurns) {
            // over TLS the library has read the controller's key anew
            shared.worked(address, TIMES.getCurrentThreadCpuTime() - begun, System.nanoTime());
            ask(context);
        }
    }

    /** Somebody else wants to read, such as a handshake of TLS. */
    @Override
    public void read(final ChannelHandlerContext context) {
        if (takesTurns) {
            ask(context);
        } else {
            context.read();
        }
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        asked = false;
        if (takesTurns) {
            ask(context);
        }
    }

    private void ask(final ChannelHandlerContext context) {
        if (!asked && context.channel().isActive()) {
            asked = true;
            waits = true;
            await(context, Math.max(pause, shared.turn(address, System.nanoTime())));
            pause = 0;
        }
    }

    private void await(final ChannelHandlerContext context, final long left) {
        if (!waits) {
            return; // it has ended
        }
        if (!shared.limits(address)) {
            waits = false;
            takesTurns = false;
            context.channel().config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator()).setAutoRead(true);
        } else if (left <= 0) {
            waits = false;
            context.read();
        } else {
            final long step = Math.min(left, AddressCredits.STEP.toNanos());
            context.executor().schedule(() -> await(context, left - step), step, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        final boolean stranger = !described;
        if (stranger && message instanceof ByteBuf buffer && !mayReceive(buffer.readableBytes())) {
            ReferenceCountUtil.release(message);
            return;
        }
        final long begin = TIMES.getCurrentThreadCpuTime();
        context.fireChannelRead(message);
        if (!stranger) {
            credit.raise(CREDIT);
        }
        final long nanos = TIMES.getCurrentThreadCpuTime() - begin;
        final long now = System.nanoTime();
        pause = credit.worked(nanos, now);
        final var channel = context.channel();
        if (takesTurns) {
            shared.worked(address, nanos, now);
        } else if (pause > 0) {
            channel.config().setAutoRead(false);
            context.executor().schedule(() -> channel.config().setAutoRead(true), pause, TimeUnit.NANOSECONDS);
        }
        final long most = stranger ? UNREAD_BYTES_OF_STRANGER : UNREAD_BYTES;
        if (waiting(channel) > most) {
            refuse(Limit.UNREAD, "it does not read what is sent to it: over " + most + " bytes wait");
        }
    }

    private boolean mayReceive(final int count) {
        bytes += count;
        if (bytes > mostBytes) {
            refuse(Limit.MESSAGE, "it sent over " + mostBytes + " bytes and has not described itself and its"
                + " ports");
            return false;
        }
        all.add(this, count);
        return true;
    }

    /** Bytes; of a channel that is closed as many as there are numbers, says the library. */
    private static long waiting(final Channel channel) {
        return channel.isActive() ? channel.bytesBeforeWritable() : 0;
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context) {
        all.remove(this);
        if (waits) {
            waits = false;
            shared.left(address, System.nanoTime());
        }
        context.fireChannelInactive();
    }
}
