package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Message;

/** Reads and changes the rules and groups of connected switches; what stands behind it speaks OpenFlow. */
public interface RuleChannel {
    /** What a switch holds. Fails if it could not be read whole; never answers with a part. */
    CompletionStage<InstalledState> read(long datapathId);

    /**
     * Sends changes that do not depend on each other's order, and a barrier.
     *
     * @return completes after the barrier, with the changes the switch refused; fails if the switch went away
     */
    CompletionStage<List<Refusal>> send(long datapathId, List<Message> messages);

    /**
     * Finds out, again and again, what ports of a switch are joined to; {@link RuleListener#peerSeen} tells it.
     *
     * @param ports OpenFlow numbers, in place of those given before
     */
    void watchCabling(long datapathId, Set<Integer> ports);

    /** A change a switch refused, with its error in words. */
    record Refusal(Message message, String error) {
    }
}
