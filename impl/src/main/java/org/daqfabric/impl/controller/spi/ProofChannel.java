package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.eclipse.jdt.annotation.Nullable;

/** Sends and receives the packets by which paths are proven; the implementation uses OpenFlow. */
public interface ProofChannel {
    /**
     * A frame of a proof.
     *
     * @param port OpenFlow number of the port out of which it goes, or {@code Prover.TABLE}: then the switch's own
     *     rules say
     */
    record Frame(int port, byte[] bytes) {
    }

    /** Sends frames by one switch in one write, which is most of their cost. Without a connection nothing is sent. */
    void transmit(long datapathId, List<Frame> frames);

    /** Whether a switch would be sent a frame now, and could report one. */
    boolean isConnected(long datapathId);

    /** Sends a frame, and completes when the switch has sent it; fails if it does not say so. */
    CompletionStage<Void> transmitConfirmed(long datapathId, Frame frame);

    /**
     * Passes the proofs of one sender that arrive at edge switches on to a receiver, by their ids, on any thread.
     *
     * @param receiver null if no more are wanted
     */
    void receiveProofs(long sender, @Nullable LongConsumer receiver);
}
