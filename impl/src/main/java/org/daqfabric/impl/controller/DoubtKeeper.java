package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps across restarts which switches of a fabric are in doubt: that all links of a switch have fallen is seen once,
 * by the controller that is active then. Nothing waits for the store; a call that it does not answer is given up.
 * Belongs to the fabric's event loop.
 */
final class DoubtKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(DoubtKeeper.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final String fabric;
    private final EventLoop loop;
    private final DecisionStore store;
    private final LinkTracker links;
    private boolean isRead;
    /** What is stored; null if that is not known. */
    private @Nullable Set<String> stored;
    /** Whether an answer or the next attempt is due. */
    private boolean waits;
    /** Number of the newest call. */
    private long newest;

    DoubtKeeper(String fabric, EventLoop loop, DecisionStore store, LinkTracker links) {
        this.fabric = fabric;
        this.loop = loop;
        this.store = store;
        this.links = links;
    }

    /** Switches that were in doubt are so again, unless they have said something meanwhile. */
    void read() {
        call(store.loadDoubt(fabric), "read", names -> {
            isRead = true;
            stored = names;
            links.restoreDoubt(names);
        });
    }

    /** Stores which switches are in doubt, if others are stored. */
    void update() {
        if (waits) {
            return;
        }
        Set<String> now = Set.copyOf(links.doubt().switches());
        if (!isRead) {
            read();
        } else if (!now.equals(stored)) {
            stored = null;
            call(store.saveDoubt(fabric, now), "stored", done -> stored = now);
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
                LOG.warn("fabric {}: which switches are in doubt cannot be {}; trying again: {}", fabric, what,
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
