package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Causes random faults in a simulated fabric as in figure 6.4 and checks that the resources of the controller do not
 * grow: {@code Soak MINUTES [SEED]}. Exits with 1 if they do, if switches differ from their programs at the end, or if
 * losses are told that there were not. Every other sample is taken after a run.
 * Writes {@code target/bench/soak.json}.
 */
final class Soak {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** Samples are taken when all faults have ended, so that they are comparable. */
    private static final int SAMPLES = 20;
    private static final double MAX_GROWTH = 1.10;
    private static final double MEGA = 1e6;
    /** In the end one frame of so many is lost, to see that losses would have been told. */
    private static final int LOST = 20;

    private final List<Usage> samples = new ArrayList<>();
    private final Distribution controller;
    private final SimulatedFabric fabric;
    private final SoakFaults faults;
    private final SoakLosses losses;
    private final Duration length;
    private final long began = System.nanoTime();

    private Soak(final Distribution controller, final SimulatedFabric fabric, final Duration length, final long seed) {
        this.controller = controller;
        this.fabric = fabric;
        this.length = length;
        faults = new SoakFaults(fabric, new Random(seed));
        losses = new SoakLosses(controller, fabric);
    }

    public static void main(final String[] arguments) throws IOException, InterruptedException {
        final var length = Duration.ofSeconds((long) (60 * Double.parseDouble(arguments[0])));
        final long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : new Random().nextInt(1_000_000);
        say("soak: %d s of faults, seed %d", length.toSeconds(), seed);
        boolean passed = false;
        try (var controller = Distribution.daqfabric("soak").start();
                var fabric = new SimulatedFabric(controller, BenchFabrics.of("fig64"), true, TIMEOUT)) {
            fabric.switches().start();
            fabric.put().awaitPhase("converged");
            passed = new Soak(controller, fabric, length, seed).run(seed);
        }
        System.exit(passed ? 0 : 1);
    }

    private boolean run(final long seed) throws IOException, InterruptedException {
        final int rules = fabric.switches().rules();
        losses.prepare();
        say("%8s %8s %10s %8s %8s %10s %8s %12s", "s", "faults", "heap MB", "threads", "files", "stored MB", "rules",
            "false losses");
        for (int each = 1; each <= SAMPLES; each++) {
            final boolean isRun = each % 2 == 0;
            if (isRun) {
                losses.startRun();
            }
            faults.until(began + length.toNanos() / SAMPLES * each);
            if (isRun) {
                losses.stopRun();
            }
            endFaults();
            losses.look();
            samples.add(Usage.of(controller));
            final var now = samples.get(samples.size() - 1);
            say("%8d %8d %10.1f %8d %8d %10.1f %8d %12d", (System.nanoTime() - began) / 1_000_000_000, faults.count(),
                now.heap() / MEGA, now.threads(), now.descriptors(), now.stored() / MEGA, fabric.switches().rules(),
                losses.found().size());
        }
        final var findings = fabric.verify().findings();
        say("verify: %s", findings.isEmpty() ? "clean" : findings.toString());
        final boolean same = rules == fabric.switches().rules();
        if (!same) {
            say("rules: %d at the beginning, %d at the end", rules, fabric.switches().rules());
        }
        final boolean steady = steady("heap", each -> each.heap()) & steady("threads", each -> each.threads())
            & steady("files and connections", each -> each.descriptors()) & steady("datastore", each -> each.stored());
        losses.look();
        losses.found().forEach(each -> say("false loss: %s", each));
        say("losses: %d false ones, with %d runs", losses.found().size(), losses.runs());
        final boolean passed = findings.isEmpty() && same && steady && losses.found().isEmpty();
        awaitRealLoss();
        write(seed, passed);
        say("soak: %s, %d faults", passed ? "passed" : "FAILED", faults.count());
        return passed;
    }

    /** That nothing was told of losses says something only if one is told that there is. */
    private void awaitRealLoss() {
        final var link = faults.link();
        fabric.switches().lose(link, LOST);
        losses.awaitTold(link);
        say("losses: told of %s, which loses one frame of %d", link, LOST);
    }

    /** Ends all faults and waits until the fabric has converged. */
    private void endFaults() {
        faults.endAll();
        final var switches = fabric.switches();
        await("all switches connected").atMost(TIMEOUT).until(() -> switches.managed() == switches.nodes()
            && switches.connected() == switches.switches().size());
        // the controller may not have noticed the last fault yet
        fabric.awaitQuiet(1_000_000_000);
        fabric.awaitPhase("converged");
    }

    /** Compares the second quarter with the last; in the first, code is compiled and caches fill. */
    private boolean steady(final String what, final ToDoubleFunction<Usage> of) {
        final int quarter = SAMPLES / 4;
        final double early = median(of, quarter, 2 * quarter);
        final double late = median(of, SAMPLES - quarter, SAMPLES);
        final boolean steady = late <= MAX_GROWTH * early;
        say("%s: %s, median %.0f in the second quarter and %.0f in the last", what, steady ? "no growth" : "GROWS",
            early, late);
        return steady;
    }

    private double median(final ToDoubleFunction<Usage> of, final int from, final int to) {
        return Quantiles.of(samples.subList(from, to).stream().map(of::applyAsDouble).toList()).median();
    }

    private void write(final long seed, final boolean passed) throws IOException {
        final var all = new JsonArray();
        for (var each : samples) {
            final var sample = new JsonObject();
            sample.addProperty("heap-bytes", each.heap());
            sample.addProperty("resident-bytes", each.resident());
            sample.addProperty("threads", each.threads());
            sample.addProperty("descriptors", each.descriptors());
            sample.addProperty("stored-bytes", each.stored());
            sample.addProperty("processor-ms", each.processor().toMillis());
            all.add(sample);
        }
        final var json = new JsonObject();
        json.addProperty("seconds", length.toSeconds());
        json.addProperty("seed", seed);
        json.addProperty("faults", faults.count());
        json.addProperty("false-losses", losses.found().size());
        json.addProperty("runs", losses.runs());
        json.addProperty("passed", passed);
        json.add("samples", all);
        final var folder = Files.createDirectories(Distribution.projectRoot().resolve("target/bench"));
        Files.writeString(folder.resolve("soak.json"), new GsonBuilder().setPrettyPrinting().create().toJson(json)
            + "\n");
    }

    private static void say(final String text, final Object... arguments) {
        System.out.printf(Locale.ROOT, text + "%n", arguments);
    }
}
