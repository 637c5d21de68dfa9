package org.daqfabric.impl.controller.spi;

import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.eclipse.jdt.annotation.Nullable;

/** Sends and receives the packets by which paths are proven; the implementation uses OpenFlow. */
public interface ProofChannel {
    /**
     * Sends a frame of a proof; without a connection it is not sent.
     *
     * @param port OpenFlow number of the port out of which it goes, or {@code Prover.TABLE}: then the switch's own
     *     rules say
     */
    void transmit(long datapathId, int port, byte[] frame);

    /** Whether a switch would be sent a frame now, and could report one. */
    boolean isConnected(long datapathId);

    /** Does the same, and completes when the switch has sent the frame; fails if it does not say so. */
    CompletionStage<Void> transmitConfirmed(long datapathId, int port, byte[] frame);

    /**
     * Passes the proofs of one sender that arrive at edge switches on to a receiver, by their ids, on any thread.
     *
     * @param receiver null if no more are wanted
     */
    void receiveProofs(long sender, @Nullable LongConsumer receiver);
}
