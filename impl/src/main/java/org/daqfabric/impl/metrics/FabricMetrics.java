package org.daqfabric.impl.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.Recorder.SwitchCounts;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The metrics of one fabric. The event loop only stores its newest objects here; samples are computed when they are
 * scraped.
 */
final class FabricMetrics {
    /** Seconds; the shortest repairs take a few milliseconds, the longest wait for switches that do not answer. */
    private static final double[] REPAIR_SECONDS = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
        30 };
    private static final double[] WAIT_SECONDS = { 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5 };

    private final String fabric;
    private final Histogram eventWaits = histogram("wait", WAIT_SECONDS);
    private final Histogram computing = histogram("compute", REPAIR_SECONDS);
    private final Histogram confirming = histogram("confirm", REPAIR_SECONDS);
    private final Histogram total = histogram("whole", REPAIR_SECONDS);
    private final Comparisons periodic = new Comparisons("controller");
    private final Comparisons onRequest = new Comparisons("operator");
    private final SortedMap<String, PortStatistics> statistics = new ConcurrentSkipListMap<>();
    private final Totals totals = new Totals();
    private final LongAdder deletedInRings = new LongAdder();

    @GuardedBy("this")
    private @Nullable FabricState state;
    @GuardedBy("this")
    private @Nullable FabricSpec spec;
    @GuardedBy("this")
    private SortedMap<String, SwitchCounts> switches = Collections.emptySortedMap();
    @GuardedBy("this")
    private @Nullable Repair lastRepair;
    @GuardedBy("this")
    private @Nullable Repair lastConfirmed;
    @GuardedBy("this")
    private long repairs;
    @GuardedBy("this")
    private long repairMoves;
    @GuardedBy("this")
    private long repairMessages;
    @GuardedBy("this")
    private @Nullable Rebalanced lastRebalanced;
    @GuardedBy("this")
    private long rebalanced;
    @GuardedBy("this")
    private long rebalancedMoves;

    /** Port statistics as a switch reported them. */
    record PortStatistics(Instant when, Map<String, Map<String, Long>> ports) {
    }

    /** Counts the comparisons of one source. */
    private static final class Comparisons {
        final String source;
        private final Map<Finding.Kind, Map<Finding.What, Long>> findings = new EnumMap<>(Finding.Kind.class);
        private long switches;
        private long withFindings;

        Comparisons(String source) {
            this.source = source;
            for (Finding.Kind kind : Finding.Kind.values()) {
                Map<Finding.What, Long> none = new EnumMap<>(Finding.What.class);
                for (Finding.What what : Finding.What.values()) {
                    none.put(what, 0L);
                }
                findings.put(kind, none);
            }
        }

        synchronized void add(int count, List<Finding> found) {
            Set<String> names = new HashSet<>();
            for (Finding each : found) {
                names.add(each.switchName());
                findings.get(each.kind()).merge(each.what(), 1L, Long::sum);
            }
            switches += count;
            withFindings += names.size();
        }

        synchronized void collect(String fabric, Samples samples) {
            samples.add(Family.COMPARISONS, switches, fabric, source);
            samples.add(Family.COMPARISONS_WITH_FINDINGS, withFindings, fabric, source);
            findings.forEach((kind, byWhat) -> byWhat.forEach((what, count) ->
                samples.add(Family.FINDINGS, count, fabric, source, LabelText.of(kind), LabelText.of(what))));
        }
    }

    /** Totals that are updated at each scrape, one scrape at a time. */
    private static final class Totals {
        private final RingSamples rings = new RingSamples();
        private final MonotonicTotal moves = new MonotonicTotal();

        synchronized void collect(FabricState state, Samples samples) {
            samples.add(Family.DCM_MOVES, moves.update(StateSamples.moves(state)), state.fabric());
            rings.collect(state, samples);
        }
    }

    FabricMetrics(String fabric) {
        this.fabric = fabric;
    }

    private static Histogram histogram(String name, double... bounds) {
        return Histogram.builder().name(name).classicOnly().classicUpperBounds(bounds).withoutExemplars().build();
    }

    synchronized void publish(FabricState now) {
        state = now;
        now.lastRepair().ifPresent(this::countRepair);
        now.lastRebalanced().filter(step -> step.confirmed().isPresent()).ifPresent(this::countRebalanced);
    }

    private void countRebalanced(Rebalanced step) {
        if (!step.equals(lastRebalanced)) {
            lastRebalanced = step;
            rebalanced++;
            rebalancedMoves += step.movedDcms();
        }
    }

    private void countRepair(Repair repair) {
        if (lastRepair == null || !lastRepair.detected().equals(repair.detected())
                || !lastRepair.cause().equals(repair.cause())) {
            repairs++;
        }
        lastRepair = repair;
        if (repair.confirmed().isPresent() && !repair.equals(lastConfirmed)) {
            lastConfirmed = repair;
            Instant end = repair.confirmed().get();
            computing.observe(seconds(repair.detected(), repair.computed()));
            confirming.observe(seconds(repair.computed(), end));
            total.observe(seconds(repair.detected(), end));
            repairMoves += repair.movedDcms();
            repairMessages += repair.messages();
        }
    }

    private static double seconds(Instant from, Instant to) {
        return seconds(Duration.between(from, to));
    }

    /** Not below 0: a clock may be set back. */
    private static double seconds(Duration time) {
        return Math.max(0, time.toNanos() / 1e9);
    }

    void waited(Duration time) {
        eventWaits.observe(seconds(time));
    }

    synchronized void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> counts) {
        spec = inForce;
        switches = counts;
    }

    void compared(boolean requested, int count, List<Finding> findings) {
        (requested ? onRequest : periodic).add(count, findings);
    }

    void counted(String switchName, Instant when, Map<String, Map<String, Long>> ports) {
        statistics.put(switchName, new PortStatistics(when, ports));
    }

    void ringsDeleted(long packets) {
        deletedInRings.add(packets);
    }

    /** The newest data of the event loop, copied so that the loop never waits while samples are computed. */
    private record Latest(FabricState state, FabricSpec spec, SortedMap<String, SwitchCounts> switches, long repairs,
            boolean repairing, long repairMoves, long repairMessages, long rebalanced, long rebalancedMoves) {
    }

    private synchronized Latest latest() {
        return new Latest(state, spec, switches, repairs, lastRepair != null && lastRepair.confirmed().isEmpty(),
            repairMoves, repairMessages, rebalanced, rebalancedMoves);
    }

    void collect(Samples samples) {
        Latest latest = latest();
        if (latest.spec == null) {
            // the loop has published a state, and not yet what goes with it
            return;
        }
        StateSamples.collect(latest.spec, latest.state, samples);
        ProgramSamples.collect(latest.state, latest.switches, samples);
        samples.add(Family.REPAIRS, latest.repairs, fabric);
        samples.add(Family.REPAIR_RUNNING, latest.repairing ? 1 : 0, fabric);
        samples.add(Family.REPAIR_SECONDS, point(computing), fabric, "compute");
        samples.add(Family.REPAIR_SECONDS, point(confirming), fabric, "confirm");
        samples.add(Family.REPAIR_SECONDS, point(total), fabric, "whole");
        samples.add(Family.REPAIR_MOVED_DCMS, latest.repairMoves, fabric);
        samples.add(Family.REPAIR_MESSAGES, latest.repairMessages, fabric);
        samples.add(Family.REBALANCED, latest.rebalanced, fabric);
        samples.add(Family.REBALANCED_MOVED_DCMS, latest.rebalancedMoves, fabric);
        periodic.collect(fabric, samples);
        onRequest.collect(fabric, samples);
        samples.add(Family.EVENT_WAIT_SECONDS, point(eventWaits), fabric);
        statistics.keySet().retainAll(latest.switches.keySet());
        PortSamples.collect(latest.spec, statistics, samples);
        totals.collect(latest.state, samples);
        DropSamples.collect(latest.state, samples);
        samples.add(Family.DAQRINGS_DELETED_PACKETS, deletedInRings.sum(), fabric);
    }

    private static HistogramDataPointSnapshot point(Histogram histogram) {
        return histogram.collect().getDataPoints().get(0);
    }
}
