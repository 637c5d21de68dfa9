package org.daqfabric.impl.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects the samples of one scrape. */
final class Samples {
    private record Sample(Labels labels, double value) {
    }

    private final Map<Family, List<Sample>> samples = new EnumMap<>(Family.class);
    private final Map<Family, List<HistogramDataPointSnapshot>> histograms = new EnumMap<>(Family.class);

    /**
     * Adds a sample of a gauge or counter.
     *
     * @param labels values of the family's labels
     */
    void add(Family family, double value, String... labels) {
        samples.computeIfAbsent(family, unused -> new ArrayList<>()).add(new Sample(labels(family, labels), value));
    }

    void add(Family family, HistogramDataPointSnapshot point, String... labels) {
        histograms.computeIfAbsent(family, unused -> new ArrayList<>()).add(
            new HistogramDataPointSnapshot(point.getClassicBuckets(), point.getSum(), labels(family, labels),
                point.getExemplars(), point.getCreatedTimestampMillis()));
    }

    private static Labels labels(Family family, String... values) {
        return Labels.of(family.labels(), List.of(values));
    }

    MetricSnapshots snapshots() {
        List<MetricSnapshot> all = new ArrayList<>();
        for (Family family : Family.values()) {
            MetricMetadata metadata = new MetricMetadata(family.stem(), family.help());
            List<Sample> points = samples.getOrDefault(family, List.of());
            MetricSnapshot snapshot = switch (family.type()) {
                case GAUGE -> new GaugeSnapshot(metadata, points.stream()
                    .map(each -> new GaugeDataPointSnapshot(each.value, each.labels, null)).toList());
                case COUNTER -> new CounterSnapshot(metadata, points.stream()
                    .map(each -> new CounterDataPointSnapshot(each.value, each.labels, null, 0)).toList());
                case HISTOGRAM -> new HistogramSnapshot(metadata, histograms.getOrDefault(family, List.of()));
            };
            all.add(snapshot);
        }
        return new MetricSnapshots(all);
    }
}
