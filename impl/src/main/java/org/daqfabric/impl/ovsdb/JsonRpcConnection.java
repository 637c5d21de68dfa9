package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.daqfabric.impl.peers.Limit;
import org.daqfabric.impl.text.ForeignText;
import org.daqfabric.impl.tls.CertificateNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON-RPC connection (RFC 7047, section 4) with threads of its own to read and to write. No method waits for the
 * peer. Whatever is wrong with the peer closes this connection and nothing else.
 */
final class JsonRpcConnection {
    private static final Logger LOG = LoggerFactory.getLogger(JsonRpcConnection.class);
    private static final int BUFFER = 16 << 10;
    /** Times {@link Timing#probe} after which a silent or stuck peer is dead. */
    private static final int PROBES = 4;
    private static final byte[] END = {};

    private final Map<Long, Call> calls = new ConcurrentHashMap<>();
    private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Closed instead of {@link #socket}: TLS would wait for its peer to close. */
    private final Socket tcp;
    private final Socket socket;
    private final InetSocketAddress remote;
    private final Limits limits;
    private final Timing timing;
    private final Executor executor;
    private final JsonFramer framer;
    private final HeldBytes held;
    private final ReadThrottle throttle;
    private final long began = System.nanoTime();
    private volatile Consumer<JsonObject> updates = update -> { };
    private volatile Consumer<String> ended = why -> { };
    private volatile boolean identified;
    private volatile Optional<Limit> exceeded = Optional.empty();
    private volatile String reason = "";
    private volatile long lastMessage = began;
    private volatile long lastProbe = began;
    /** When the write under way began; 0 if none is. */
    private volatile long writing;
    /** Parts of {@link #held}; only the reading thread uses them. */
    private long unfinishedBytes;
    private long rowBytes;

    private record Call(String method, CompletableFuture<JsonElement> answer, long since) {
    }

    /**
     * Takes over a socket.
     *
     * @param dialled whether the controller connected to the peer
     */
    JsonRpcConnection(Socket tcp, Transport transport, boolean dialled, OvsdbSettings settings, MemoryBudget memory,
            ReadThrottle throttle, Executor executor) throws IOException {
        this.tcp = tcp;
        held = new HeldBytes(memory);
        this.throttle = throttle;
        this.executor = executor;
        limits = settings.limits();
        timing = settings.timing();
        remote = (InetSocketAddress) tcp.getRemoteSocketAddress();
        framer = new JsonFramer(limits.unidentifiedMessage());
        tcp.setTcpNoDelay(true);
        socket = transport.over(tcp, dialled);
    }

    /**
     * Begins to read and write.
     *
     * @param onEnd called once, with the reason, after the connection was closed
     */
    void start(Consumer<String> onEnd) {
        ended = onEnd;
        try {
            executor.execute(this::read);
        } catch (RejectedExecutionException e) {
            close("the controller stops");
        }
    }

    InetSocketAddress remote() {
        return remote;
    }

    InetAddress localAddress() {
        return tcp.getLocalAddress();
    }

    /** Whether it is over TLS. */
    boolean isSecured() {
        return socket instanceof SSLSocket;
    }

    /** The names in the peer's certificate, once it has sent something; none without TLS. */
    SortedSet<String> certified() throws SSLPeerUnverifiedException {
        return socket instanceof SSLSocket tls && tls.getSession().getPeerCertificates()[0] instanceof X509Certificate x
            ? CertificateNames.of(x) : Collections.emptySortedSet();
    }

    /** Bytes that the peer makes the controller hold. */
    long heldBytes() {
        return held.now();
    }

    /** Takes what it holds off the budget, once it is closed. */
    void release() {
        held.release();
    }

    /** Sets how many bytes the peer's rows take; on the reading thread. */
    void rows(long bytes) {
        held.add(bytes - rowBytes);
        rowBytes = bytes;
        if (bytes > limits.message()) {
            exceed(Limit.MESSAGE, "its rows take over " + limits.message() + " bytes");
        }
    }

    /** The peer has named its system-id: it may send large messages, and is not closed for being silent about it. */
    void identified() {
        identified = true;
    }

    boolean isIdentified() {
        return identified;
    }

    boolean isClosed() {
        return closing.get();
    }

    /** Sets who receives {@code update} notifications, on the reading thread. */
    void onUpdate(Consumer<JsonObject> consumer) {
        updates = consumer;
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /**
     * Sends a request.
     *
     * @return completes with the result, on the reading thread; fails if the peer answers with an error or the
     *         connection ends
     */
    CompletableFuture<JsonElement> call(String method, JsonArray params) {
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonElement> answer = new CompletableFuture<>();
        calls.put(id, new Call(method, answer, System.nanoTime()));
        JsonObject request = new JsonObject();
        request.addProperty("method", method);
        request.add("params", params);
        request.addProperty("id", id);
        send(request);
        if (isClosed()) {
            failCalls();
        }
        return answer;
    }

    /** Sends probes, and closes the connection if the peer does not answer in time; called periodically. */
    void tick(long now) {
        long probe = timing.probe().toNanos();
        long silent = now - lastMessage;
        long write = writing;
        if (!identified && now - began > timing.identify().toNanos()) {
            exceed(Limit.TIME, "did not name its system-id");
        } else if (silent > PROBES * probe) {
            close("no whole message for " + silent / 1_000_000_000 + " s");
        } else if (write != 0 && now - write > PROBES * probe) {
            exceed(Limit.UNREAD, "takes nothing that is sent to it");
        } else {
            if (silent >= probe && now - lastProbe >= probe) {
                lastProbe = now;
                call("echo", new JsonArray());
            }
            for (Call call : calls.values()) {
                if (now - call.since > timing.answer().toNanos()) {
                    close("did not answer " + call.method);
                    return;
                }
            }
        }
    }

    /** Closes; only the first reason counts. */
    void close(String why) {
        close(Optional.empty(), why);
    }

    /** Closes because of a limit. */
    void exceed(Limit limit, String why) {
        close(Optional.of(limit), why);
    }

    /** The limit that it was closed for. */
    Optional<Limit> exceeded() {
        return exceeded;
    }

    private void close(Optional<Limit> limit, String why) {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        exceeded = limit;
        // words of the peer may be in it
        reason = ForeignText.shown(why);
        outgoing.clear();
        outgoing.add(END);
        try {
            tcp.close();
        } catch (IOException e) {
            LOG.debug("Closing {}", remote, e);
        }
        failCalls();
        closed.countDown();
        ended.accept(reason);
    }

    private void failCalls() {
        for (Long id : calls.keySet()) {
            Call call = calls.remove(id);
            if (call != null) {
                call.answer.completeExceptionally(new IOException("connection ended: " + reason));
            }
        }
    }

    private void send(JsonObject message) {
        byte[] bytes = message.toString().getBytes(StandardCharsets.UTF_8);
        long waiting = queued.getAndAdd(bytes.length);
        // one message may be larger than the limit: what counts is whether the peer reads anything
        if (waiting > 0 && waiting + bytes.length > limits.queued()) {
            exceed(Limit.UNREAD, "does not take what is sent to it: over " + limits.queued() + " bytes wait");
        } else if (!isClosed()) {
            held.add(bytes.length);
            outgoing.add(bytes);
        }
    }

    private void write() {
        try {
            OutputStream out = socket.getOutputStream();
            for (byte[] bytes = outgoing.take(); bytes != END; bytes = outgoing.take()) {
                writing = System.nanoTime() | 1;
                out.write(bytes);
                out.flush();
                writing = 0;
                queued.addAndGet(-bytes.length);
                held.add(-bytes.length);
            }
        } catch (IOException e) {
            close(words(e));
        } catch (InterruptedException e) {
            close("the controller stops");
        }
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a message of any form must not end the controller
    private void read() {
        byte[] buffer = new byte[BUFFER];
        try {
            if (!throttle.awaitTurn(closed) || socket instanceof SSLSocket secured && !handshake(secured)) {
                return;
            }
            executor.execute(this::write);
            InputStream in = socket.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (identified) {
                    framer.limit(limits.message());
                    throttle.identified();
                }
                if (!throttle.awaitTurn(closed)) {
                    return;
                }
                final long start = System.nanoTime();
                final long bytes = unfinishedBytes + count;
                framer.feed(buffer, count, this::receive);
                held.add(framer.heldBytes() - unfinishedBytes);
                unfinishedBytes = framer.heldBytes();
                throttle.worked(System.nanoTime() - start, bytes);
            }
            close("closed by the node");
        } catch (ProtocolException e) {
            exceed(Limit.MESSAGE, words(e));
        } catch (IOException e) {
            close(words(e));
        } catch (RejectedExecutionException | InterruptedException e) {
            close("the controller stops");
        } catch (RuntimeException e) {
            LOG.debug("Message from {}", remote, e);
            close("message of an unexpected form: " + e.getMessage());
        }
    }

    /** Whether both sides trust each other; closes the connection if not. */
    private boolean handshake(SSLSocket secured) {
        throttle.handshake();
        try {
            secured.startHandshake();
            return true;
        } catch (IOException e) {
            close("no TLS: " + words(e) + ". Both sides need a certificate of the CA that the other trusts (ovs-vsctl"
                + " set-ssl on the node, tls-ca-certificate here), and the node a target that begins with ssl:");
            return false;
        }
    }

    private void receive(JsonObject message) {
        if (isClosed()) {
            return;
        }
        lastMessage = System.nanoTime();
        JsonElement id = message.get("id");
        if (message.has("method")) {
            String method = message.get("method").getAsString();
            JsonElement params = message.get("params");
            if ("update".equals(method)) {
                updates.accept(params.getAsJsonArray().get(1).getAsJsonObject());
            } else if (id != null && !id.isJsonNull()) {
                boolean echo = "echo".equals(method);
                respond(id, echo ? params : JsonNull.INSTANCE, echo ? JsonNull.INSTANCE : unknownMethod());
            }
        } else if (id != null && id.isJsonPrimitive() && id.getAsJsonPrimitive().isNumber()) {
            Call call = calls.remove(Long.parseLong(id.getAsString()));
            if (call != null) {
                JsonElement error = message.get("error");
                if (error != null && !error.isJsonNull()) {
                    call.answer.completeExceptionally(new IOException(call.method + ": " + error));
                } else {
                    call.answer.complete(message.get("result"));
                }
            }
        }
    }

    private void respond(JsonElement id, JsonElement result, JsonElement error) {
        JsonObject response = new JsonObject();
        response.add("id", id);
        response.add("result", result);
        response.add("error", error);
        send(response);
    }

    private static JsonObject unknownMethod() {
        JsonObject error = new JsonObject();
        error.addProperty("error", "unknown method");
        return error;
    }

    private static String words(IOException failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
