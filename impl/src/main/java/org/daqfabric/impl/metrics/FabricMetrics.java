package org.daqfabric.impl.metrics;

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
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.Recorder.SwitchCounts;

/**
 * What is remembered of one fabric. The event loop only leaves here what it has; what costs time is done when somebody
 * asks.
 */
final class FabricMetrics {
    /** Seconds; the shortest repairs take a few milliseconds, the longest wait for switches that do not answer. */
    private static final double[] REPAIR_SECONDS = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30 };
    private static final double[] WAIT_SECONDS = { 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5 };

    private final String fabric;
    private final Histogram waits = histogram("wait", WAIT_SECONDS);
    private final Histogram computing = histogram("compute", REPAIR_SECONDS);
    private final Histogram confirming = histogram("confirm", REPAIR_SECONDS);
    private final Histogram whole = histogram("whole", REPAIR_SECONDS);
    private final Comparisons own = new Comparisons("controller");
    private final Comparisons asked = new Comparisons("operator");
    private final SortedMap<String, PortStatistics> statistics = new ConcurrentSkipListMap<>();
    private final Totals totals = new Totals();

    private FabricState state;
    private FabricSpec spec;
    private SortedMap<String, SwitchCounts> switches = Collections.emptySortedMap();
    private Repair begun;
    private Repair confirmed;
    private long repairs;
    private long repairMoves;
    private long repairMessages;

    /** What a switch told of its ports. */
    record PortStatistics(Instant when, Map<String, Map<String, Long>> ports) {
    }

    /** Comparisons for one reason. */
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

        synchronized void tell(String fabric, Samples samples) {
            samples.add(Family.COMPARISONS, switches, fabric, source);
            samples.add(Family.COMPARISONS_WITH_FINDINGS, withFindings, fabric, source);
            findings.forEach((kind, byWhat) -> byWhat.forEach((what, count) ->
                samples.add(Family.FINDINGS, count, fabric, source, LabelText.of(kind), LabelText.of(what))));
        }
    }

    /** What is added up at each scrape, one scrape at a time. */
    private static final class Totals {
        private final RingSamples rings = new RingSamples();
        private final MonotonicTotal moves = new MonotonicTotal();

        synchronized void tell(FabricState state, Samples samples) {
            samples.add(Family.DCM_MOVES, moves.update(StateSamples.moves(state)), state.fabric());
            rings.tell(state, samples);
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
        now.lastRepair().ifPresent(this::repair);
    }

    private void repair(Repair repair) {
        if (begun == null || !begun.detected().equals(repair.detected()) || !begun.cause().equals(repair.cause())) {
            repairs++;
        }
        begun = repair;
        if (repair.confirmed().isPresent() && !repair.equals(confirmed)) {
            confirmed = repair;
            Instant end = repair.confirmed().get();
            computing.observe(seconds(repair.detected(), repair.computed()));
            confirming.observe(seconds(repair.computed(), end));
            whole.observe(seconds(repair.detected(), end));
            repairMoves += repair.movedDcms();
            repairMessages += repair.messages();
        }
    }

    private static double seconds(Instant from, Instant to) {
        return seconds(Duration.between(from, to));
    }

    /** Clocks are set back now and then. */
    private static double seconds(Duration time) {
        return Math.max(0, time.toNanos() / 1e9);
    }

    void waited(Duration time) {
        waits.observe(seconds(time));
    }

    synchronized void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> counts) {
        spec = inForce;
        switches = counts;
    }

    void compared(boolean onRequest, int count, List<Finding> findings) {
        (onRequest ? asked : own).add(count, findings);
    }

    void counted(String switchName, Instant when, Map<String, Map<String, Long>> ports) {
        statistics.put(switchName, new PortStatistics(when, ports));
    }

    /** What the event loop left last; it never waits while samples are made of it. */
    private record Left(FabricState state, FabricSpec spec, SortedMap<String, SwitchCounts> switches, long repairs,
            boolean repairing, long repairMoves, long repairMessages) {
    }

    private synchronized Left left() {
        return new Left(state, spec, switches, repairs, begun != null && begun.confirmed().isEmpty(), repairMoves,
            repairMessages);
    }

    void tell(Samples samples) {
        Left left = left();
        if (left.spec == null) {
            // its first state is on its way
            return;
        }
        StateSamples.tell(left.spec, left.state, samples);
        ProgramSamples.tell(left.state, left.switches, samples);
        samples.add(Family.REPAIRS, left.repairs, fabric);
        samples.add(Family.REPAIR_RUNNING, left.repairing ? 1 : 0, fabric);
        samples.add(Family.REPAIR_SECONDS, point(computing), fabric, "compute");
        samples.add(Family.REPAIR_SECONDS, point(confirming), fabric, "confirm");
        samples.add(Family.REPAIR_SECONDS, point(whole), fabric, "whole");
        samples.add(Family.REPAIR_MOVED_DCMS, left.repairMoves, fabric);
        samples.add(Family.REPAIR_MESSAGES, left.repairMessages, fabric);
        own.tell(fabric, samples);
        asked.tell(fabric, samples);
        samples.add(Family.EVENT_WAIT_SECONDS, point(waits), fabric);
        statistics.keySet().retainAll(left.switches.keySet());
        PortSamples.tell(left.spec, statistics, samples);
        totals.tell(left.state, samples);
    }

    private static HistogramDataPointSnapshot point(Histogram histogram) {
        return histogram.collect().getDataPoints().get(0);
    }
}
