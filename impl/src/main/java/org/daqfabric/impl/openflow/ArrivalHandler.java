package org.daqfabric.impl.openflow;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.daqfabric.impl.peers.HeldConnections;

/**
 * Stands at a port and refuses connections before the library prepares anything for them, and before the threads that
 * read switches learn of them. Those that are refused are held for a while. Runs on the thread that accepts.
 */
final class ArrivalHandler extends ChannelInboundHandlerAdapter {
    private static final String NAME = "daqfabric-arrivals";
    private static final long CHECK_MILLIS = 1000;

    private final HeldConnections<Channel> held;
    private final Predicate<InetAddress> admits;
    private Future<?> check;

    private ArrivalHandler(final HeldConnections<Channel> held, final Predicate<InetAddress> admits) {
        this.held = held;
        this.admits = admits;
    }

    /**
     * Puts one at a port, unless one is there.
     *
     * @param server the channel that accepts connections
     * @param admits whether a peer may connect from an address now
     */
    static void putAt(final Channel server, final HeldConnections<Channel> held, final Predicate<InetAddress> admits) {
        server.eventLoop().execute(() -> {
            if (server.isOpen() && server.pipeline().get(NAME) == null) {
                server.pipeline().addFirst(NAME, new ArrivalHandler(held, admits));
            }
        });
    }

    @Override
    public void handlerAdded(final ChannelHandlerContext context) {
        check = context.executor().scheduleWithFixedDelay(this::endThoseThatAreOver, CHECK_MILLIS, CHECK_MILLIS,
            TimeUnit.MILLISECONDS);
    }

    private void endThoseThatAreOver() {
        held.over(System.nanoTime()).forEach(ArrivalHandler::end);
    }

    @Override
    public void handlerRemoved(final ChannelHandlerContext context) {
        check.cancel(false);
        held.release().forEach(ArrivalHandler::end);
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        if (message instanceof Channel peer && peer.remoteAddress() instanceof InetSocketAddress remote
                && !admits.test(remote.getAddress())) {
            peer.config().setOption(ChannelOption.SO_RCVBUF, HeldConnections.RECEIVE_BUFFER);
            if (!held.hold(peer, remote.getAddress(), System.nanoTime())) {
                end(peer);
            }
        } else {
            context.fireChannelRead(message);
        }
    }

    /** It has no thread yet. */
    private static void end(final Channel peer) {
        peer.unsafe().closeForcibly();
    }
}
