package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.daqfabric.api.program.Message;
import org.daqfabric.impl.controller.spi.RuleChannel.Refusal;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.BarrierInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.Error;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;

/**
 * One connection of one switch, from the moment its datapath-id is known until it goes away or another takes its place.
 * The listener hears of it once it is open, and of its events in order. Thread-safe.
 */
final class SwitchSession {
    /** Changes that are written at once: some tens of kilobytes, so that many switches get on side by side. */
    private static final int CHUNK = 256;
    /** Changes have numbers of their own above those of the connection's queue, so that errors tell what they are of. */
    private static final int FIRST_CHANGE = 0x80000000;
    /** A barrier is answered in milliseconds; rules take an unhurried switch some tenths of a millisecond each. */
    private static final long BARRIER_MILLIS = 10_000;

    private final long datapathId;
    private final OutboundQueue queue;
    private final RuleListener listener;
    private final Map<Integer, Boolean> ports = new TreeMap<>();
    /** What is not answered yet. Not hung to a future of the session's: that would keep each answer as long as the session. */
    private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
    private volatile SwitchLostException lost;
    private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
    private int nextChange = FIRST_CHANGE;
    private boolean open;
    private boolean closed;

    SwitchSession(final long datapathId, final OutboundQueue queue, final RuleListener listener) {
        this.datapathId = datapathId;
        this.queue = queue;
        this.listener = listener;
    }

    /** Changes under way, with the number of the first. */
    private record Batch(int first, List<Message> messages, Queue<Refusal> refusals) {
    }

    long datapathId() {
        return datapathId;
    }

    /** The switch and its ports are known: the listener hears of them. */
    synchronized void open(final Map<Integer, Boolean> found) {
        if (open || closed) {
            return;
        }
        open = true;
        // what changed since it was asked is newer than the answer
        found.forEach(ports::putIfAbsent);
        listener.switchConnected(datapathId);
        ports.forEach((number, up) -> listener.portChanged(datapathId, number, up));
    }

    synchronized boolean isOpen() {
        return open && !closed;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean isUp(final int number) {
        return ports.getOrDefault(number, false);
    }

    /** A port is there, or changed; told on if it says anything new. */
    synchronized void port(final int number, final boolean up) {
        final Boolean before = ports.put(number, up);
        if (open && !closed && (before == null || before != up)) {
            listener.portChanged(datapathId, number, up);
        }
    }

    /** A port is no more. */
    synchronized void portGone(final int number) {
        final Boolean before = open ? ports.remove(number) : ports.put(number, false);
        if (open && !closed && Boolean.TRUE.equals(before)) {
            listener.portChanged(datapathId, number, false);
        }
    }

    /** The connection is no more; what still waits for it fails. */
    void close(final String why) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (open) {
                listener.switchDisconnected(datapathId);
            }
        }
        lost = new SwitchLostException(datapathId, why);
        waiting.forEach(future -> future.completeExceptionally(lost));
    }

    /** Makes the future fail when this connection goes away. */
    private <T> CompletableFuture<T> unlessLost(final CompletableFuture<T> future) {
        waiting.add(future);
        future.whenComplete((unused, cause) -> waiting.remove(future));
        if (lost != null) {
            future.completeExceptionally(lost);
        }
        return future;
    }

    /** Number of questions and barriers that are not answered yet. */
    int waiting() {
        return waiting.size();
    }

    /**
     * Sends changes and a barrier.
     *
     * @return completes with what the switch refused when it has answered the barrier; fails if it never does
     */
    CompletableFuture<List<Refusal>> send(final List<Message> messages) {
        final var result = unlessLost(new CompletableFuture<List<Refusal>>());
        final Batch batch;
        synchronized (this) {
            if (nextChange + messages.size() >= 0) {
                nextChange = FIRST_CHANGE;
            }
            batch = new Batch(nextChange, messages, new ConcurrentLinkedQueue<>());
            nextChange += messages.size();
            batches.add(batch);
            for (int each = 0; each < messages.size(); each += CHUNK) {
                final int begin = each;
                final int end = Math.min(each + CHUNK, messages.size());
                enqueue(out -> write(out, batch, begin, end, result));
            }
            barrier(result, batch);
        }
        result.whenComplete((unused, cause) -> batches.remove(batch));
        return within(BARRIER_MILLIS + messages.size(), "the barrier after " + messages.size() + " changes", result);
    }

    /** Fails where there is no answer in time, saying to what. */
    <T> CompletableFuture<T> within(final long millis, final String what, final CompletableFuture<T> answer) {
        return answer.orTimeout(millis, TimeUnit.MILLISECONDS).exceptionallyCompose(cause ->
            CompletableFuture.failedFuture(cause instanceof TimeoutException
                ? new SwitchLostException(datapathId, "no answer to " + what + " within " + millis / 1000 + " s") : cause));
    }

    /** The library would only log what cannot be written, and the barrier be answered all the same. */
    @SuppressWarnings("checkstyle:illegalCatch")
    private static void write(final ByteBuf out, final Batch batch, final int begin, final int end,
            final CompletableFuture<?> result) {
        final int start = out.writerIndex();
        try {
            for (int each = begin; each < end; each++) {
                Encoder.change(out, batch.first + each, batch.messages.get(each));
            }
        } catch (RuntimeException e) {
            out.writerIndex(start);
            result.completeExceptionally(e);
        }
    }

    private void barrier(final CompletableFuture<List<Refusal>> result, final Batch batch) {
        final var xid = queue.reserveEntry();
        if (xid == null) {
            result.completeExceptionally(goingDown());
            return;
        }
        queue.commitEntry(xid, new BarrierInputBuilder().setVersion(OpenFlow13.VERSION).setXid(xid).build(),
            new FutureCallback<>() {
                @Override
                public void onSuccess(final OfHeader answer) {
                    result.complete(List.copyOf(batch.refusals));
                }

                @Override
                public void onFailure(final Throwable cause) {
                    result.completeExceptionally(noAnswer(cause));
                }
            });
    }

    /** The switch refused something. */
    void error(final Error error) {
        final int number = error.getXid().intValue();
        for (var batch : batches) {
            final int each = number - batch.first;
            if (each >= 0 && each < batch.messages.size()) {
                batch.refusals.add(new Refusal(batch.messages.get(each), ErrorText.words(error)));
            }
        }
    }

    /** Sends a frame out of a port; nothing tells whether it left. */
    void transmit(final int port, final byte[] frame) {
        enqueue(out -> Encoder.packetOut(out, 0, port, frame));
    }

    /** Asks a question that is answered in parts, as {@link Encoder#multipart} writes it. */
    CompletableFuture<List<ByteBuf>> ask(final int type) {
        final var result = unlessLost(new CompletableFuture<List<ByteBuf>>());
        final var xid = queue.reserveEntry();
        if (xid == null) {
            result.completeExceptionally(goingDown());
            return result;
        }
        final var parts = new ArrayList<ByteBuf>();
        queue.commitEntry(xid, new OutgoingMessages(xid, out -> Encoder.multipart(out, xid.intValue(), type)),
            new FutureCallback<>() {
                @Override
                public void onSuccess(final OfHeader answer) {
                    if (answer instanceof MultipartReply part) {
                        parts.add(part.body());
                        if (!part.more()) {
                            result.complete(parts);
                        }
                    } else {
                        result.completeExceptionally(noAnswer(new IllegalStateException("it answered " + answer)));
                    }
                }

                @Override
                public void onFailure(final Throwable cause) {
                    result.completeExceptionally(noAnswer(cause));
                }
            }, answer -> !(answer instanceof MultipartReply part) || !part.more());
        return result;
    }

    private void enqueue(final OutgoingMessages.Body body) {
        final var xid = queue.reserveEntry();
        if (xid != null) {
            queue.commitEntry(xid, new OutgoingMessages(xid, body), null);
        }
    }

    private SwitchLostException goingDown() {
        return new SwitchLostException(datapathId, "the connection is going down");
    }

    private SwitchLostException noAnswer(final Throwable cause) {
        return new SwitchLostException(datapathId, "no answer: " + cause.getMessage(), cause);
    }
}
