package org.daqfabric.it;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * One failure of a simulated fabric and its repair, in milliseconds after the failure.
 *
 * @param detected when the controller received the first event of it
 * @param computed when the repair was computed
 * @param lastBarrier when the last barrier that the repair depends on was answered
 * @param confirmed when the controller had confirmed the repair
 * @param quiet when the last barrier of all was answered, including those of the cleanup
 * @param messages flow-mods and group-mods until then
 */
record Failure(double detected, double computed, double lastBarrier, double confirmed, double quiet, int moved,
        long messages) {
    /** Without messages for this long the fabric counts as quiet. */
    private static final long QUIET_NANOS = 400_000_000;

    /**
     * Causes a failure and waits for the repair.
     *
     * @param event causes the failure and returns its time
     */
    static Failure of(final SimulatedFabric fabric, final LongSupplier event) {
        fabric.switches().reset();
        final var before = OffsetDateTime.now();
        final long began = event.getAsLong();
        // the controller reports times of day
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

    static Quantiles detected(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::detected).toList());
    }

    static Quantiles computed(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::computed).toList());
    }

    static Quantiles lastBarrier(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::lastBarrier).toList());
    }

    static Quantiles confirmed(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::confirmed).toList());
    }

    static Quantiles quiet(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::quiet).toList());
    }

    static Quantiles moved(final List<Failure> all) {
        return Quantiles.of(all.stream().map(each -> (double) each.moved).toList());
    }

    static Quantiles messages(final List<Failure> all) {
        return Quantiles.of(all.stream().map(each -> (double) each.messages).toList());
    }
}
