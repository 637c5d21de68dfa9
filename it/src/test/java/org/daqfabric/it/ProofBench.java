package org.daqfabric.it;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

/**
 * Measures proof by packets: {@code ProofBench FABRIC}, see {@link BenchFabrics}. What it costs with simulated switches
 * ({@link ProofCost}), and until when silent links are noticed and others repaired on Open vSwitch ({@link
 * ProofTimes}). Proofs are stopped from outside, as a debugger does. Writes {@code target/bench/proof.json}.
 */
final class ProofBench {
    private static final String THREAD = "daqfabric-proof";

    private ProofBench() {
    }

    public static void main(final String[] fabrics) throws IOException {
        final var folder = Files.createDirectories(Distribution.projectRoot().resolve("target/bench"));
        final var result = new JsonObject();
        final var distribution = Distribution.daqfabric("bench-proof");
        Debugger.allow(distribution);
        try (var controller = distribution.start(); var debugger = new Debugger(controller)) {
            new ProofCost(controller, debugger, result).measure(BenchFabrics.of(fabrics[0]));
            new ProofTimes(controller, () -> holdProofs(debugger), result).measure();
        }
        Files.writeString(folder.resolve("proof.json"),
            new GsonBuilder().setPrettyPrinting().create().toJson(result) + "\n");
    }

    /** Stops proofs until what is returned is closed. */
    static Debugger.Held holdProofs(final Debugger debugger) {
        return debugger.holdIdle(THREAD);
    }

    /** Keeps measured values and prints them. */
    static void report(final JsonObject result, final String name, final List<Double> values) {
        final var spread = Quantiles.of(values);
        say("%-40s%s", name, spread);
        result.add(name, spread.json());
    }

    static void say(final String format, final Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
