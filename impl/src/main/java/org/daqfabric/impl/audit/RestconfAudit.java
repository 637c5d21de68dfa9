package org.daqfabric.impl.audit;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Has a line written about every request on a connection of OpenDaylight's second RESTCONF server, which has no
 * filters. It stands before the login, and sees who is not let in as well.
 */
public final class RestconfAudit extends ChannelDuplexHandler {
    private static final int FAILED = 500;
    private static final int FORBIDDEN = 403;

    /** Requests that have not been answered, in the order in which they came. */
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /**
     * A request.
     *
     * @param stream that of HTTP/2, which answers in any order; null for HTTP/1
     */
    private record Waiting(@Nullable Integer stream, AskedRequest asked, Optional<String> body) {
        void answered(int status) {
            asked.answered(status, AskedRequest.isStranger(status) ? Optional.empty()
                : asked.claimed().map(user -> user.indexOf('@') < 0 ? user + "@sdn" : user), body,
                status == FORBIDDEN);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (message instanceof HttpRequest request) {
            AskedRequest asked = new AskedRequest(AskedRequest.Begin.now(),
                ctx.pipeline().get(SslHandler.class) != null,
                ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                    ? peer.getAddress().getHostAddress() + ":" + peer.getPort() : "unknown",
                request.method().name(), request.uri(),
                Optional.ofNullable(request.headers().get(HttpHeaderNames.AUTHORIZATION)),
                Optional.ofNullable(request.headers().get(AskedRequest.REASON)));
            waiting.add(new Waiting(stream(request), asked, asked.showsBody() && request instanceof FullHttpRequest full
                ? Optional.of(beginning(full)) : Optional.empty()));
        }
        super.channelRead(ctx, message);
    }

    private static String beginning(FullHttpRequest request) {
        int length = request.content().readableBytes();
        int kept = Math.min(length, AuditLog.LONGEST / 2);
        String text = request.content().toString(request.content().readerIndex(), kept, StandardCharsets.UTF_8);
        return kept == length ? text : text + "... " + length + " bytes";
    }

    private static @Nullable Integer stream(HttpMessage message) {
        return message.headers().getInt(ExtensionHeaderNames.STREAM_ID.text());
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof HttpResponse response && response.status().code() >= 200) {
            Integer stream = stream(response);
            for (Iterator<Waiting> all = waiting.iterator(); all.hasNext();) {
                Waiting each = all.next();
                if (Objects.equals(each.stream, stream)) {
                    all.remove();
                    each.answered(response.status().code());
                    break;
                }
            }
        }
        super.write(ctx, message, promise);
    }

    /** Nobody learns how the rest ended. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        waiting.forEach(each -> each.answered(FAILED));
        waiting.clear();
        super.channelInactive(ctx);
    }
}
