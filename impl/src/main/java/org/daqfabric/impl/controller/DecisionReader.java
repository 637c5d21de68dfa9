package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the stored decision of a fabric, again and again until it succeeds; a read that is not answered within {@link
 * DecisionWriter#LIMIT} is given up. Belongs to the fabric's event loop.
 */
final class DecisionReader {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionReader.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final String fabric;
    private final EventLoop loop;
    private final DecisionStore store;
    private final Consumer<Decision> known;
    /** Number of the newest read. */
    private long newest;
    private boolean done;

    /**
     * Creates a reader that has read nothing.
     *
     * @param known called once, with what is stored
     */
    DecisionReader(String fabric, EventLoop loop, DecisionStore store, Consumer<Decision> known) {
        this.fabric = fabric;
        this.loop = loop;
        this.store = store;
        this.known = known;
    }

    void read() {
        long number = ++newest;
        loop.after(DecisionWriter.LIMIT, () -> again(number, "no answer for " + DecisionWriter.LIMIT.toSeconds()
            + " s"));
        loop.then(store.load(fabric), (loaded, failure) -> {
            if (failure != null) {
                loop.after(RETRY, () -> again(number, Causes.inWords(failure)));
            } else if (!done) {
                done = true;
                known.accept(loaded);
            }
        });
    }

    private void again(long after, String why) {
        if (!done && after == newest) {
            LOG.error("fabric {}: its stored placement cannot be read, nothing is changed until it can; trying again:"
                + " {}", fabric, why);
            read();
        }
    }
}
