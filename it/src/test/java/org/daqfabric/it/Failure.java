package org.daqfabric.it;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * One failure of a simulated fabric and its repair, in milliseconds after the failure.
 *
 * @param detected when the controller's first event of it was there
 * @param computed when it knew what to do
 * @param lastBarrier when the last barrier was answered that traffic waits for
 * @param confirmed when the controller knew that
 * @param quiet when the last barrier was answered of all, also of what only tidies up
 * @param messages changes of rules and groups until then
 */
record Failure(double detected, double computed, double lastBarrier, double confirmed, double quiet, int moved,
        long messages) {
    /** How long nothing must have come for all to be quiet. */
    private static final long QUIET_NANOS = 400_000_000;

    /**
     * Lets something fail, and waits for the repair.
     *
     * @param event makes it fail and tells when
     */
    static Failure of(final SimulatedFabric fabric, final LongSupplier event) {
        fabric.switches().reset();
        final var before = OffsetDateTime.now();
        final long began = event.getAsLong();
        // the controller tells times of day
        final long nanos = System.nanoTime();
        final var now = Instant.now();
        final var repair = fabric.awaitRepair(before);
        fabric.awaitQuiet(QUIET_NANOS);
        final var counts = fabric.switches().counts();
        final var detectedAt = OffsetDateTime.parse(repair.get("detected").getAsString()).toInstant();
        final double detected = (nanos - began + Duration.between(now, detectedAt).toNanos()) / 1e6;
        final double confirmed = detected + repair.get("confirmed").getAsDouble();
        return new Failure(detected, detected + repair.get("computed").getAsDouble(),
            (counts.lastBarrier(began + (long) (confirmed * 1e6)) - began) / 1e6, confirmed,
            (counts.lastBarrier() - began) / 1e6, repair.get("moved-dcms").getAsInt(), counts.changes());
    }

    static Spread detected(final List<Failure> all) {
        return Spread.of(all.stream().map(Failure::detected).toList());
    }

    static Spread computed(final List<Failure> all) {
        return Spread.of(all.stream().map(Failure::computed).toList());
    }

    static Spread lastBarrier(final List<Failure> all) {
        return Spread.of(all.stream().map(Failure::lastBarrier).toList());
    }

    static Spread confirmed(final List<Failure> all) {
        return Spread.of(all.stream().map(Failure::confirmed).toList());
    }

    static Spread quiet(final List<Failure> all) {
        return Spread.of(all.stream().map(Failure::quiet).toList());
    }

    static Spread moved(final List<Failure> all) {
        return Spread.of(all.stream().map(each -> (double) each.moved).toList());
    }

    static Spread messages(final List<Failure> all) {
        return Spread.of(all.stream().map(each -> (double) each.messages).toList());
    }
}
