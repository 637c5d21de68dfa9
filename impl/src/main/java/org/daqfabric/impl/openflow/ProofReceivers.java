package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.daqfabric.impl.engine.proof.ProofFrame;
import org.eclipse.jdt.annotation.Nullable;

/** Who receives the packets by which paths are proven, by the number of their sender. Thread-safe. */
final class ProofReceivers {
    private final Map<Long, LongConsumer> receivers = new ConcurrentHashMap<>();

    void set(final long sender, final @Nullable LongConsumer receiver) {
        if (receiver == null) {
            receivers.remove(sender);
        } else {
            receivers.put(sender, receiver);
        }
    }

    /** A packet has arrived that is perhaps one of these; those of another controller are ignored. */
    void arrived(final byte[] frame) {
        ProofFrame.parse(frame).ifPresent(proof -> {
            final var receiver = receivers.get(proof.sender());
            if (receiver != null) {
                receiver.accept(proof.id());
            }
        });
    }
}
