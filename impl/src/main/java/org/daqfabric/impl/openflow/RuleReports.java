package org.daqfabric.impl.openflow;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;

/** The reports of one switch of changes of its rules. Thread-safe. */
final class RuleReports {
    /** How long changes by others are collected: a program that clears a table makes many. */
    private static final Executor SOON = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
    /** Of the request; its answer is one of the reports. */
    private static final int XID = 0xfffffffd;

    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final Runnable changed;

    /**
     * Has asked for none yet.
     *
     * @param changed run when others have changed rules, a few times a second at most
     */
    RuleReports(final Runnable changed) {
        this.changed = changed;
    }

    void ask(final Consumer<OutgoingMessages.Body> send) {
        if (!asked.getAndSet(true)) {
            send.accept(out -> Encoder.multipart(out, XID, OpenFlow13.OFPMP_EXPERIMENTER));
        }
    }

    /** Takes a report; returns false for any other message. */
    boolean takes(final OfHeader message) {
        if (!(message instanceof MultipartReply part) || part.type() != OpenFlow13.OFPMP_EXPERIMENTER) {
            return false;
        }
        if (RuleUpdates.byOthers(part.body()) && !waiting.getAndSet(true)) {
            SOON.execute(() -> {
                waiting.set(false);
                changed.run();
            });
        }
        return true;
    }
}
