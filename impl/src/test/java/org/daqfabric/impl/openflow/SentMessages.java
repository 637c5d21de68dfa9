package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.BarrierInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;
import org.opendaylight.yangtools.yang.common.Uint32;

/** A connection's queue that keeps what is sent; tests answer. */
final class SentMessages implements OutboundQueue {
    /** Bytes of every message before what is its own. */
    static final int HEADER = 8;

    private final List<ByteBuf> written = new CopyOnWriteArrayList<>();
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    private int next;
    private int barrier = -1;

    /** Kept until it is answered in full, as the library does. */
    private record Waiting(FutureCallback<OfHeader> callback, Function<OfHeader, Boolean> isComplete) {
    }

    @Override
    public synchronized Uint32 reserveEntry() {
        return Uint32.valueOf(next++);
    }

    @Override
    public void commitEntry(Uint32 xid, OfHeader message, FutureCallback<OfHeader> callback) {
        commitEntry(xid, message, callback, answer -> true);
    }

    @Override
    public synchronized void commitEntry(Uint32 xid, OfHeader message, FutureCallback<OfHeader> callback,
            Function<OfHeader, Boolean> isComplete) {
        if (message instanceof OutgoingMessages outgoing) {
            ByteBuf bytes = Unpooled.buffer();
            outgoing.body().write(bytes);
            written.add(bytes);
        }
        if (callback != null) {
            waiting.put(xid.intValue(), new Waiting(callback, isComplete));
        }
        if (message instanceof BarrierInput) {
            barrier = xid.intValue();
        }
    }

    /** Everything written so far, one after another. */
    ByteBuf bytes() {
        return Unpooled.wrappedBuffer(written.toArray(new ByteBuf[0])).duplicate();
    }

    /** The answer to the last question or barrier. */
    void answer(OfHeader answer) {
        Waiting last = waiting.get(next - 1);
        last.callback.onSuccess(answer);
        if (last.isComplete.apply(answer)) {
            waiting.remove(next - 1);
        }
    }

    boolean endsWithBarrier() {
        return barrier == next - 1;
    }

    /** The frames among what was sent, which must be all packets. */
    Set<LldpFrame> frames() {
        Set<LldpFrame> frames = new HashSet<>();
        for (ByteBuf packet : written) {
            // the header, what comes before the actions, one output
            int begin = HEADER + 16 + 16;
            byte[] frame = new byte[packet.writerIndex() - begin];
            packet.getBytes(begin, frame);
            LldpFrame found = LldpFrame.parse(frame).orElseThrow();
            if (packet.getInt(HEADER + 16 + 4) != found.port()) {
                throw new AssertionError(found + " leaves by another port");
            }
            frames.add(found);
        }
        return frames;
    }
}
