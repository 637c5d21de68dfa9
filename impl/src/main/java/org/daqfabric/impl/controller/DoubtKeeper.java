package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps across restarts which switches of a fabric are in doubt, and which links lose packets: that all links of a
 * switch have fallen is seen once, by the controller that is active then, and losses take time. Nothing waits for the
 * store; a call that it does not answer is given up. Belongs to the fabric's event loop.
 */
final class DoubtKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(DoubtKeeper.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final String fabric;
    private final EventLoop loop;
    private final DecisionStore store;
    private final LinkTracker links;
    private final LossyLinksWatch lossy;
    private boolean isRead;
    /** What is stored; null if that is not known. */
    private @Nullable Doubts stored;
    /** Whether an answer or the next attempt is due. */
    private boolean waits;
    /** Number of the newest call. */
    private long newest;

    DoubtKeeper(String fabric, EventLoop loop, DecisionStore store, LinkTracker links, LossyLinksWatch lossy) {
        this.fabric = fabric;
        this.loop = loop;
        this.store = store;
        this.links = links;
        this.lossy = lossy;
    }

    /**
     * Switches that were in doubt are so again, unless they have said something meanwhile; links that lost packets are
     * held back until they are proven.
     */
    void read() {
        call(store.loadDoubts(fabric), "read", read -> {
            isRead = true;
            stored = read;
            links.restoreDoubt(read.switches());
            lossy.restore(read.lossy());
        });
    }

    /** Stores what is in doubt, if something else is stored. */
    void update() {
        if (waits) {
            return;
        }
        Doubts now = new Doubts(links.doubt().switches(), lossy.held());
        if (!isRead) {
            read();
        } else if (!now.equals(stored)) {
            stored = null;
            call(store.saveDoubts(fabric, now), "stored", done -> stored = now);
        }
    }

    private <T> void call(CompletionStage<T> called, String what, Consumer<T> answered) {
        waits = true;
        long number = ++newest;
        loop.after(DecisionWriter.LIMIT, () -> end(number));
        loop.then(called, (answer, failure) -> {
            if (number != newest) {
                return;
            }
            if (failure == null) {
                answered.accept(answer);
                waits = false;
            } else {
                LOG.warn("fabric {}: what is in doubt cannot be {}; trying again: {}", fabric, what,
                    Causes.inWords(failure));
                loop.after(RETRY, () -> end(number));
            }
        });
    }

    private void end(long number) {
        if (number == newest) {
            waits = false;
        }
    }
}
