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

/** The outbound queue of a connection: records what is sent; the test supplies the answers. */
final class SentMessages implements OutboundQueue {
    /** Length of the header of every OpenFlow message. */
    static final int HEADER = 8;

    private final List<ByteBuf> written = new CopyOnWriteArrayList<>();
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    private int next;
    private int barrier = -1;

    /** A request, kept until its last answer, as the library does. */
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

    /** All messages written so far, concatenated. */
    ByteBuf bytes() {
        return Unpooled.wrappedBuffer(written.toArray(new ByteBuf[0])).duplicate();
    }

    /** Answers the last request or barrier. */
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

    /** How many messages were written. */
    int sent() {
        return written.size();
    }

    /** The LLDP frames sent; every message must be a packet-out. */
    Set<LldpFrame> frames() {
        Set<LldpFrame> frames = new HashSet<>();
        for (ByteBuf packet : written) {
            // after the header, the fields before the actions, and one output action
            int begin = HEADER + 16 + 16;
            byte[] frame = new byte[packet.writerIndex() - begin];
            packet.getBytes(begin, frame);
            LldpFrame found = LldpFrame.parse(frame).orElseThrow();
            if (packet.getInt(HEADER + 16 + 4) != found.port()) {
                throw new AssertionError(found + " is sent from another port");
            }
            frames.add(found);
        }
        return frames;
    }
}
