package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.Decision;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a fabric's decisions, and knows whether the store takes them and what it may hold. Belongs to the fabric's
 * event loop.
 */
final class DecisionStorage {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionStorage.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** How long a repair waits for the store before it comes into force unstored. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private final String fabric;
    private final EventLoop loop;
    private final DecisionWriter writer;
    private final LoopHealth health;
    /** Whether to try again only later. */
    private boolean pausing;
    /** Number of the present time without success at the store, counted up when one ends; with its beginning. */
    private long drought;
    private boolean dry;
    private boolean late;
    private boolean doubtful;
    /** Number of writes that were given up and stored after all. */
    private long storedLate;

    DecisionStorage(String fabric, EventLoop loop, FabricServices services, LoopHealth health) {
        this.fabric = fabric;
        this.loop = loop;
        writer = new DecisionWriter(fabric, loop, services.store(), () -> {
            storedLate++;
            doubtful = true;
        });
        this.health = health;
    }

    /** Writes of a loop before this one may still be stored. */
    void follow() {
        writer.follow(health.leftWrites());
    }

    /** Goes on from the decision in force that the loop before has left. */
    void goOn() {
        late = isUnstored();
        // the loop before may have failed just when it was told that another decision is stored
        doubtful = true;
    }

    /** Writes that may still be stored though nobody waits for them. */
    Set<CompletionStage<Void>> unanswered() {
        return writer.unanswered();
    }

    /** Whether nothing can be written now. */
    boolean isBusy() {
        return pausing || writer.isBusy();
    }

    /** Whether the store has not taken a decision for {@link #PATIENCE}. */
    boolean isLate() {
        return late;
    }

    /** Whether the store may hold another decision than the newest: an earlier write was late, or failed. */
    boolean isDoubtful() {
        return doubtful;
    }

    /** The store may hold another decision than the newest. */
    void doubt() {
        doubtful = true;
    }

    /** Since when the decision in force has not been stored although it should be; empty if it is. */
    Optional<Instant> unstoredSince() {
        return health.unstoredSince();
    }

    boolean isUnstored() {
        return health.unstoredSince().isPresent();
    }

    /** A decision comes into force that the store does not take. */
    void unstored() {
        health.unstored();
    }

    /**
     * Writes a decision.
     *
     * @param answered called once, with null when it is stored, and with what failed otherwise
     */
    void write(Decision decision, Consumer<@Nullable Throwable> answered) {
        begin();
        long lateBefore = storedLate;
        writer.write(decision, failure -> {
            doubtful = failure != null || storedLate != lateBefore;
            answered.accept(failure);
        });
    }

    /** From now on the store has something to take. */
    private void begin() {
        if (!dry) {
            dry = true;
            long begun = drought;
            loop.after(PATIENCE, () -> late |= dry && begun == drought);
        }
    }

    /** The store has taken all it was given. */
    void end() {
        drought++;
        dry = false;
        late = false;
    }

    /** The same, and the decision in force is among it. */
    void stored() {
        if (isUnstored()) {
            LOG.info("fabric {}: the placement in force is stored now", fabric);
        }
        health.stored();
        end();
    }

    /** Writes nothing more for a moment. */
    void tryLater(String what, Throwable failure, Runnable again) {
        // the datastore may not answer for some seconds when it has to refuse a write
        LOG.warn("fabric {}: {}; trying again: {}", fabric, what, Causes.inWords(failure));
        pausing = true;
        loop.after(RETRY, () -> {
            pausing = false;
            again.run();
        });
    }
}
