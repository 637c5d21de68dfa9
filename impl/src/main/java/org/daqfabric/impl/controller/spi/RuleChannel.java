package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Message;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.SwitchCounts;

/** Reads and changes the rules and groups of connected switches; the implementation uses OpenFlow. */
public interface RuleChannel {
    /** What a switch has installed. Fails if it cannot be read completely; never answers with a part. */
    CompletionStage<InstalledState> read(long datapathId);

    /**
     * Sends changes whose order does not matter, and a barrier.
     *
     * @return completes with the barrier's reply, with the changes that the switch refused; fails if the switch
     *     disconnects
     */
    CompletionStage<List<Refusal>> send(long datapathId, List<Message> messages);

    /**
     * The packets that were sent to each port of a switch and have not come back from it, by number: those that a
     * daqring holds at this moment. Means nothing for other ports. Fails if the switch does not answer.
     */
    CompletionStage<Map<Integer, Long>> held(long datapathId);

    /**
     * What the ports of a switch have counted at this moment, by number. Fails if the switch does not answer soon, as
     * what it says later is of no use, and where nothing is counted.
     */
    default CompletionStage<Map<Integer, PortCount>> count(long datapathId) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
    }

    /**
     * Has a switch send frames out of ports, which the other ends count and drop; nothing confirms that.
     *
     * @param frames out of each port
     * @param payload bytes of each without the Ethernet header; 0 for the smallest
     */
    default void fill(long datapathId, List<Integer> ports, int frames, int payload) {
    }

    /** What all counters of a switch say at about this moment; takes as long as {@link #read}. Fails as that does. */
    default CompletionStage<SwitchCounts> account(long datapathId) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
    }

    /**
     * Clears the bits of a port's configuration that another program has set and that stop packets, as far as
     * {@link org.daqfabric.api.state.PortBit#isCleared}; the port is then reported as it is.
     */
    void clearPortBits(long datapathId, int port);

    /**
     * Checks periodically which ports are at the other ends of a switch's links and reports them by
     * {@link RuleListener#peerSeen}.
     *
     * @param ports OpenFlow numbers; they replace those given before
     */
    void watchCabling(long datapathId, Set<Integer> ports);

    /** A change that a switch refused, with its error in words. */
    record Refusal(Message message, String error) {
    }
}
