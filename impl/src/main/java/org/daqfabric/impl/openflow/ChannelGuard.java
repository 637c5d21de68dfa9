package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.peers.Credit;
import org.daqfabric.impl.peers.Limit;

/**
 * Stands before the OpenFlow library's own handlers of a connection and sees to it that what the peer sends costs no
 * more than it may: bytes before it has described itself, processor time at any time, and answers that it does not
 * read. A peer that keeps the controller busy is not read for a while. Runs on the connection's thread, but for
 * {@link #described}.
 */
final class ChannelGuard extends ChannelInboundHandlerAdapter {
    /** Bytes of a whole handshake: the description, and every port that a switch may have, twice. */
    static final int HANDSHAKE_BYTES = 2 * SwitchSession.MAX_PORTS * 64;
    /** Bytes waiting to be sent: what the library has written before it waits, and answers to echoes. */
    static final long UNREAD_BYTES = 4 << 20;
    static final long UNREAD_BYTES_OF_STRANGER = 256 << 10;
    /** Nanoseconds of processor time; a handshake of TLS takes some milliseconds. */
    private static final long CREDIT = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CREDIT_OF_STRANGER = TimeUnit.MILLISECONDS.toNanos(20);
    /** Not the time that passes, in which the machine may have done other things. */
    private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

    private final Credit credit = new Credit(CREDIT_OF_STRANGER, System.nanoTime());
    private final HandshakeBytes all;
    private final boolean expected;
    private final Refuser refuser;
    private volatile boolean described;
    private long bytes;

    /** Ends the connection of a peer that exceeds a limit. */
    interface Refuser {
        void refuse(Limit limit, String why);
    }

    /**
     * Stands before nothing yet.
     *
     * @param expected whether it comes from where a node of a fabric is
     */
    ChannelGuard(final HandshakeBytes all, final boolean expected, final Refuser refuser) {
        this.all = all;
        this.expected = expected;
        this.refuser = refuser;
    }

    /** The peer has said who it is, and what ports it has. */
    void described() {
        described = true;
        all.remove(this);
    }

    boolean isExpected() {
        return expected;
    }

    void refuse(final Limit limit, final String why) {
        refuser.refuse(limit, why);
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
        final long pause = credit.worked(TIMES.getCurrentThreadCpuTime() - begin, System.nanoTime());
        final var channel = context.channel();
        if (pause > 0) {
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
        if (bytes > HANDSHAKE_BYTES) {
            refuse(Limit.MESSAGE, "it sent over " + HANDSHAKE_BYTES + " bytes and has not described itself and its"
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
        context.fireChannelInactive();
    }
}
