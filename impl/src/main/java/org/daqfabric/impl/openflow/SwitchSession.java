package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.daqfabric.api.program.Message;
import org.daqfabric.impl.controller.spi.RuleChannel.Refusal;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.peers.Limit;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.BarrierInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.Error;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;

/**
 * One connection of one switch, from the moment its datapath-id is known until it ends. Sends changes and questions,
 * and reports the switch to the listener once it is used, its events in order. Thread-safe.
 */
final class SwitchSession {
    /** Changes written at once: some tens of kilobytes, so that many switches make progress side by side. */
    private static final int CHUNK = 256;
    /** First xid of a change, above those of the connection's queue: an error tells what it is about. */
    private static final int FIRST_CHANGE_XID = 0x80000000;
    /** Ports that a switch of a fabric may have, daqrings included, and one of none. */
    static final int MAX_PORTS = 0xfeff;
    static final int MAX_PORTS_OF_STRANGER = 2048;
    /** Bytes of an answer: of a few hundred thousand rules, or of all ports. */
    private static final int MAX_ANSWER = 64 << 20;
    private static final int MAX_DESCRIPTION = 4096;
    /** Bytes that a port takes at most in an answer, and what a part of one takes besides its body. */
    private static final int PORT_BYTES = 128;
    private static final int PART_BYTES = 64;
    /** How long port changes wait that are too many to be told at once. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);
    /** A barrier takes milliseconds; a slow switch takes some tenths of a millisecond for each rule before it. */
    private static final long BARRIER_MILLIS = 10_000;

    private final long datapathId;
    private final OutboundQueue queue;
    private final RuleListener listener;
    private final ChannelGuard.Refuser refuser;
    private final int maxPorts;
    @GuardedBy("this")
    private final PortChanges changes;
    /** By number. */
    @GuardedBy("this")
    private final Map<Integer, PortReport> ports = new TreeMap<>();
    /** When ports have come up lately. */
    @GuardedBy("this")
    private final Map<Integer, Long> risen = new TreeMap<>();
    /** Not yet answered; not chained to one future of the session, which would keep all answers. */
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();
    private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
    private final RuleReports rules = new RuleReports(this::rulesChanged);
    private final FrameCount frames = new FrameCount();
    private volatile @Nullable SwitchLostException lost;
    @GuardedBy("this")
    private int nextChangeXid = FIRST_CHANGE_XID;
    @GuardedBy("this")
    private boolean open;
    @GuardedBy("this")
    private boolean closed;

    /**
     * Is not used yet.
     *
     * @param refuser ends the connection if the switch exceeds a limit
     * @param maxPorts ports that it may have
     */
    SwitchSession(final long datapathId, final OutboundQueue queue, final RuleListener listener,
            final ChannelGuard.Refuser refuser, final int maxPorts) {
        this.datapathId = datapathId;
        this.queue = queue;
        this.listener = listener;
        this.refuser = refuser;
        this.maxPorts = maxPorts;
        changes = new PortChanges(System.nanoTime(), (number, port) ->
            listener.portChanged(datapathId, number, port.up(), port.bits()));
    }

    /** Changes in flight, with the xid of the first. */
    private record Batch(int firstXid, List<Message> messages, Queue<Refusal> refusals) {
    }

    long datapathId() {
        return datapathId;
    }

    /** The switch is used through this connection from now on: reports it and its ports to the listener. */
    synchronized void open(final Map<Integer, PortReport> found) {
        if (open || closed) {
            return;
        }
        open = true;
        // a port status that came since the question is newer than the answer
        found.forEach(ports::putIfAbsent);
        listener.switchConnected(datapathId);
        changes.begin(ports);
    }

    synchronized boolean isOpen() {
        return open && !closed;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean isUp(final int number) {
        return ports.getOrDefault(number, PortReport.GONE).up();
    }

    /** The ports that have come up not longer ago than that, while the switch was connected. */
    synchronized Set<Integer> risenWithin(final long nanos) {
        final long now = System.nanoTime();
        risen.values().removeIf(when -> now - when > nanos);
        return Set.copyOf(risen.keySet());
    }

    /** A port was added or has changed; reported if its state is another than before. */
    void port(final int number, final PortReport port) {
        final boolean full;
        synchronized (this) {
            full = ports.size() >= maxPorts && !ports.containsKey(number);
            if (!full) {
                if (port.up() && !ports.getOrDefault(number, PortReport.GONE).up()) {
                    risen.put(number, System.nanoTime());
                }
                ports.put(number, port);
                changed(number);
            }
        }
        if (full) {
            refuser.refuse(Limit.PORTS, "it has over " + maxPorts + " ports");
        }
    }

    /** A port was removed. */
    synchronized void portGone(final int number) {
        if (open) {
            ports.remove(number);
            changed(number);
        } else if (ports.size() < maxPorts) {
            ports.put(number, PortReport.GONE);
        }
    }

    @GuardedBy("this")
    private void changed(final int number) {
        if (open && !closed) {
            final boolean behind = changes.isBehind();
            changes.changed(number, ports.get(number), System.nanoTime());
            if (!behind && changes.isBehind()) {
                LATER.execute(this::tellWaiting);
            }
        }
    }

    private synchronized void tellWaiting() {
        if (!closed) {
            changes.retry(ports, System.nanoTime());
            if (changes.isBehind()) {
                LATER.execute(this::tellWaiting);
            }
        }
    }

    /** Clears the bits of a port's configuration that stop packets and that no controller of a fabric sets. */
    void clearBits(final int number) {
        final PortReport port;
        synchronized (this) {
            port = ports.getOrDefault(number, PortReport.GONE);
        }
        final int mask = port.toClear();
        if (mask != 0) {
            enqueue(out -> Encoder.portMod(out, 0, number, port.mac(), 0, mask));
            // a switch does not report to a connection what that connection has changed
            ask(OpenFlow13.OFPMP_PORT_DESC).thenAccept(parts -> {
                final var now = Decoder.ports(parts).get(number);
                if (now != null) {
                    port(number, now);
                }
            });
        }
    }

    /** The connection has ended; what is not answered fails. */
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
        pending.forEach(future -> future.completeExceptionally(lost));
    }

    /** Makes the future fail when this connection ends. */
    private <T> CompletableFuture<T> unlessLost(final CompletableFuture<T> future) {
        pending.add(future);
        future.whenComplete((unused, cause) -> pending.remove(future));
        if (lost != null) {
            future.completeExceptionally(lost);
        }
        return future;
    }

    /** Number of questions and barriers that are not yet answered. */
    int pending() {
        return pending.size();
    }

    /**
     * Sends changes and a barrier.
     *
     * @return completes with the refused changes when the switch has answered the barrier; fails if it never does
     */
    CompletableFuture<List<Refusal>> send(final List<Message> messages) {
        final var result = unlessLost(new CompletableFuture<List<Refusal>>());
        final Batch batch;
        synchronized (this) {
            if (nextChangeXid + messages.size() >= 0) {
                nextChangeXid = FIRST_CHANGE_XID;
            }
            batch = new Batch(nextChangeXid, messages, new ConcurrentLinkedQueue<>());
            nextChangeXid += messages.size();
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

    /** Fails with a message that says what was not answered, if there is no answer in time. */
    <T> CompletableFuture<T> within(final long millis, final String what, final CompletableFuture<T> answer) {
        return answer.orTimeout(millis, TimeUnit.MILLISECONDS).exceptionallyCompose(cause ->
            CompletableFuture.failedFuture(cause instanceof TimeoutException
                ? new SwitchLostException(datapathId, "no answer to " + what + " within " + millis / 1000 + " s")
                : cause));
    }

    /** Fails the result of a change that cannot be written: the library would only log it and send the barrier. */
    @SuppressWarnings("checkstyle:illegalCatch") // the library throws what it likes
    private static void write(final ByteBuf out, final Batch batch, final int begin, final int end,
            final CompletableFuture<?> result) {
        final int start = out.writerIndex();
        try {
            for (int each = begin; each < end; each++) {
                Encoder.change(out, batch.firstXid + each, batch.messages.get(each));
            }
        } catch (RuntimeException e) {
            out.writerIndex(start);
            result.completeExceptionally(e);
        }
    }

    private void barrier(final CompletableFuture<List<Refusal>> result, final Batch batch) {
        final var xid = queue.reserveEntry();
        if (xid == null) {
            result.completeExceptionally(closing());
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

    /** The switch has refused a change, or something else. */
    void error(final Error error) {
        final int xid = error.getXid().intValue();
        for (var batch : batches) {
            final int each = xid - batch.firstXid;
            if (each >= 0 && each < batch.messages.size()) {
                batch.refusals.add(new Refusal(batch.messages.get(each), ErrorText.words(error)));
            }
        }
    }

    /** Asks the switch to report changes of its rules from now on, once. One that cannot ignores or refuses that. */
    void watchRules() {
        rules.ask(this::enqueue);
    }

    /** Takes a report of changes of rules, for which no question of the queue waits; the queue takes other messages. */
    boolean takes(final OfHeader message) {
        return rules.takes(message);
    }

    private void rulesChanged() {
        if (isOpen()) {
            listener.rulesChanged(datapathId);
        }
    }

    /** Sends so many frames, in messages that are written together; the switch does not confirm that. */
    void transmit(final int count, final OutgoingMessages.Body packetOuts) {
        frames.sent(count);
        enqueue(packetOuts);
    }

    FrameCount frames() {
        return frames;
    }

    /** Sends a multipart request, as {@link Encoder#multipart} writes it; completes with all parts of the answer. */
    CompletableFuture<List<ByteBuf>> ask(final int type) {
        final var result = unlessLost(new CompletableFuture<List<ByteBuf>>());
        final var xid = queue.reserveEntry();
        if (xid == null) {
            result.completeExceptionally(closing());
            return result;
        }
        final var parts = new ArrayList<ByteBuf>();
        final var left = new AtomicInteger(most(type));
        queue.commitEntry(xid, new OutgoingMessages(xid, out -> Encoder.multipart(out, xid.intValue(), type)),
            new FutureCallback<>() {
                @Override
                public void onSuccess(final OfHeader answer) {
                    if (answer instanceof MultipartReply part) {
                        if (left.addAndGet(-part.body().readableBytes() - PART_BYTES) < 0) {
                            parts.clear();
                            refuser.refuse(Limit.ANSWER, ErrorText.tooLong(type, most(type)));
                            return;
                        }
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

    private int most(final int type) {
        return switch (type) {
            case OpenFlow13.OFPMP_DESC -> MAX_DESCRIPTION;
            case OpenFlow13.OFPMP_PORT_DESC, OpenFlow13.OFPMP_PORT_STATS -> PORT_BYTES * maxPorts;
            default -> MAX_ANSWER;
        };
    }

    private void enqueue(final OutgoingMessages.Body body) {
        final var xid = queue.reserveEntry();
        if (xid != null) {
            queue.commitEntry(xid, new OutgoingMessages(xid, body), null);
        }
    }

    private SwitchLostException closing() {
        return new SwitchLostException(datapathId, "the connection is going down");
    }

    private SwitchLostException noAnswer(final Throwable cause) {
        return new SwitchLostException(datapathId, "no answer: " + cause.getMessage(), cause);
    }
}
