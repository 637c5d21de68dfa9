package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Writes a fabric's decisions into the store, one at a time. A write that is not answered within {@link #LIMIT} is
 * given up, so that another may begin; when its answer comes later, the store may hold an older decision than the
 * newest.
 * Belongs to the fabric's event loop.
 */
final class DecisionWriter {
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final String fabric;
    private final EventLoop loop;
    private final DecisionStore store;
    private final Runnable storedLate;
    /** Number of the newest write; answers with another number are late. */
    private long newest;
    private boolean busy;
    /** Writes without an answer, also those that were given up. */
    private final Set<CompletionStage<Void>> unanswered = new HashSet<>();

    /**
     * Creates a writer that has written nothing.
     *
     * @param storedLate runs when a write that was given up has been stored after all
     */
    DecisionWriter(String fabric, EventLoop loop, DecisionStore store, Runnable storedLate) {
        this.fabric = fabric;
        this.loop = loop;
        this.store = store;
        this.storedLate = storedLate;
    }

    /** Whether a write has begun and is neither answered nor given up. */
    boolean isBusy() {
        return busy;
    }

    /**
     * Begins a write; none must be busy.
     *
     * @param answered called once, with null when the decision is stored, and with what failed otherwise
     */
    void write(Decision decision, Consumer<@Nullable Throwable> answered) {
        busy = true;
        long number = ++newest;
        loop.after(LIMIT, () -> {
            if (isAwaited(number)) {
                busy = false;
                answered.accept(new TimeoutException("no answer for " + LIMIT.toSeconds() + " s"));
            }
        });
        CompletionStage<Void> begun = store.save(fabric, decision);
        unanswered.add(begun);
        loop.then(begun, (done, failure) -> {
            unanswered.remove(begun);
            if (isAwaited(number)) {
                busy = false;
                answered.accept(failure);
            } else if (failure == null) {
                storedLate.run();
            }
        });
    }

    /** Writes without an answer. */
    Set<CompletionStage<Void>> unanswered() {
        return unanswered;
    }

    /** Follows writes that the loop before has begun and that may still be stored. */
    void follow(Set<CompletionStage<Void>> writes) {
        for (CompletionStage<Void> each : writes) {
            unanswered.add(each);
            loop.then(each, (done, failure) -> {
                unanswered.remove(each);
                if (failure == null) {
                    storedLate.run();
                }
            });
        }
    }

    private boolean isAwaited(long number) {
        return busy && number == newest;
    }
}
