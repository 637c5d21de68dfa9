package org.daqfabric.impl.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A scrape in the exposition format, parsed line by line. */
record ExpositionText(String text) {
    static ExpositionText of(MetricSnapshots snapshots) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build().write(bytes, snapshots);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ExpositionText(bytes.toString(StandardCharsets.UTF_8));
    }

    /** Values by name and labels, such as {@code daqfabric_dcms{fabric="a"}}. */
    Map<String, Double> values() {
        return text.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toMap(
            line -> line.substring(0, line.lastIndexOf(' ')),
            line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)), (a, b) -> {
                throw new AssertionError("a sample occurs twice");
            }, TreeMap::new));
    }

    /** Values of one metric. */
    Map<String, Double> values(String name) {
        Map<String, Double> found = new TreeMap<>(values());
        found.keySet().removeIf(key -> !key.startsWith(name + "{"));
        return found;
    }

    /** One value; the order of the labels does not matter. */
    double value(String sample) {
        return values().entrySet().stream().filter(each -> labels(each.getKey()).equals(labels(sample)))
            .map(Map.Entry::getValue).findFirst().orElseThrow(() -> new AssertionError(sample + " is missing"));
    }

    private static Set<String> labels(String sample) {
        return Set.of(sample.split("[{},]"));
    }

    /** Names of all metrics. */
    Set<String> names() {
        return text.lines().filter(line -> line.startsWith("# TYPE ")).map(line -> line.split(" ")[2])
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
