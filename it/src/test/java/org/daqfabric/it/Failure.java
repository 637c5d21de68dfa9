package org.daqfabric.it;

import com.google.gson.JsonElement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * One failure of a simulated fabric and its repair, in milliseconds after the failure.
 *
 * @param detected when the controller received the first event of it
 * @param computed when the repair was computed
 * @param lastBarrier when the last barrier that the repair depends on was answered
 * @param confirmed when the controller had confirmed the repair
 * @param balanced when the last barrier of the second step was answered, which moves DCMs for balance; that of the
 *     repair if there was no such step
 * @param quiet when the last barrier of all was answered, including those of the cleanup
 * @param messages flow-mods and group-mods until then
 */
record Failure(double detected, double computed, double lastBarrier, double confirmed, double balanced, double quiet,
        int moved, int movedForBalance, long messages) {
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
        // the second step may wait longer for daqrings than the fabric needs to count as quiet
        fabric.awaitPhase("degraded").awaitQuiet(QUIET_NANOS);
        final var counts = fabric.switches().counts();
        final ToDoubleFunction<JsonElement> since = time -> (nanos - began + Duration.between(now,
            OffsetDateTime.parse(time.getAsString()).toInstant()).toNanos()) / 1e6;
        final ToDoubleFunction<Double> barrier = until ->
            (counts.lastBarrier(began + (long) (until * 1e6)) - began) / 1e6;
        final double detected = since.applyAsDouble(repair.get("detected"));
        final double confirmed = detected + repair.get("confirmed").getAsDouble();
        final var balance = fabric.balanceSince(before);
        return new Failure(detected, detected + repair.get("computed").getAsDouble(), barrier.applyAsDouble(confirmed),
            confirmed, barrier.applyAsDouble(balance.map(step -> since.applyAsDouble(step.get("begun"))
                + step.get("confirmed").getAsDouble()).orElse(confirmed)), (counts.lastBarrier() - began) / 1e6,
            repair.get("moved-dcms").getAsInt(), balance.map(step -> step.get("moved-dcms").getAsInt()).orElse(0),
            counts.changes());
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

    static Quantiles balanced(final List<Failure> all) {
        return Quantiles.of(all.stream().map(Failure::balanced).toList());
    }

    static Quantiles movedForBalance(final List<Failure> all) {
        return Quantiles.of(all.stream().map(each -> (double) each.movedForBalance).toList());
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
