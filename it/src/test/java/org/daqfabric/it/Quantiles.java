package org.daqfabric.it;

import com.google.gson.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Minimum, quantiles and maximum of measured values. */
record Quantiles(List<Double> ordered) {
    static Quantiles of(final Collection<Double> values) {
        return new Quantiles(values.stream().sorted().toList());
    }

    double quantile(final double part) {
        return ordered.get(Math.min(ordered.size() - 1, (int) (part * ordered.size())));
    }

    double median() {
        final int half = ordered.size() / 2;
        return ordered.size() % 2 == 1 ? ordered.get(half) : (ordered.get(half - 1) + ordered.get(half)) / 2;
    }

    JsonObject json() {
        final var json = new JsonObject();
        json.addProperty("min", ordered.get(0));
        json.addProperty("median", median());
        json.addProperty("p99", quantile(0.99));
        json.addProperty("max", ordered.get(ordered.size() - 1));
        json.addProperty("count", ordered.size());
        return json;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%9.1f %9.1f %9.1f %9.1f", ordered.get(0), median(), quantile(0.99),
            ordered.get(ordered.size() - 1));
    }
}
