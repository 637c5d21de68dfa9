package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures a controller with whole fabrics of simulated switches: {@code SizeBench FABRIC...}, see {@link
 * BenchFabrics}. Writes {@code target/bench/size-FABRIC.json}.
 */
final class SizeBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int CUTS = 20;
    private static final int LOSSES = 5;
    private static final int RECONNECTIONS = 5;
    private static final double MEGA = 1e6;

    private final JsonObject result = new JsonObject();
    private final Distribution controller;
    private final SimulatedFabric fabric;

    private SizeBench(final Distribution controller, final SimulatedFabric fabric) {
        this.controller = controller;
        this.fabric = fabric;
    }

    public static void main(final String[] fabrics) throws IOException {
        final var folder = Files.createDirectories(Distribution.projectRoot().resolve("target/bench"));
        for (var name : fabrics) {
            // a new controller for each fabric, so that one does not affect the next
            try (var controller = Distribution.daqfabric("bench-size").start();
                    var fabric = new SimulatedFabric(controller, BenchFabrics.of(name), true, TIMEOUT)) {
                final var bench = new SizeBench(controller, fabric);
                bench.measure();
                Files.writeString(folder.resolve("size-" + name + ".json"),
                    new GsonBuilder().setPrettyPrinting().create().toJson(bench.result) + "\n");
            }
        }
    }

    private void measure() {
        final var file = fabric.file();
        say("%n%s: %d switches, %d hosts, %d links", file.name(), file.switches().size(), file.hosts().size(),
            FabricFile.entries(file.fabric(), "link").size());
        firstProgramming();
        // the first failures after the start are those that targets are for
        failures();
        reconnections();
        final var usage = Usage.of(controller);
        say("at the end: heap %.0f MB live, %.0f MB resident at most, %d threads", usage.heap() / MEGA,
            usage.resident() / MEGA, usage.threads());
        result.addProperty("end-heap-bytes", usage.heap());
    }

    private void firstProgramming() {
        final var switches = fabric.switches().start();
        await("all nodes connected").atMost(TIMEOUT).until(() -> switches.managed() == switches.nodes());
        final var processor = Usage.processor(controller);
        final long began = System.nanoTime();
        fabric.put();
        final double stored = since(began);
        fabric.awaitPhase("converged");
        final double converged = since(began);
        final var worked = Usage.processor(controller).minus(processor);
        final var counts = switches.counts();
        final var usage = Usage.of(controller);
        say("PUT to converged      %8.1f s (stored after %.1f s), %d rules and %d groups in %d messages, %d refused",
            converged / 1000, stored / 1000, switches.rules(), switches.groups(), counts.changes(), counts.errors());
        say("controller            %8.1f s of processor, heap %.0f MB live, %.0f MB resident at most",
            worked.toMillis() / 1000.0, usage.heap() / MEGA, usage.resident() / MEGA);
        final var json = new JsonObject();
        json.addProperty("stored-ms", stored);
        json.addProperty("converged-ms", converged);
        json.addProperty("rules", switches.rules());
        json.addProperty("groups", switches.groups());
        json.addProperty("messages", counts.changes());
        json.addProperty("refused", counts.errors());
        json.addProperty("processor-ms", worked.toMillis());
        json.addProperty("heap-bytes", usage.heap());
        json.addProperty("resident-bytes", usage.resident());
        result.add("first-programming", json);
    }

    /** All connections of all switches are lost at once, and nothing else. */
    private void reconnections() {
        final var times = new ArrayList<Double>();
        long messages = 0;
        for (int each = 0; each < RECONNECTIONS; each++) {
            fabric.awaitQuiet(1_000_000_000);
            fabric.switches().reset();
            final long began = fabric.switches().drop(fabric.switches().switches());
            await("it is noticed").atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10))
                .until(() -> !fabric.phase().equals("converged"));
            fabric.awaitPhase("converged");
            times.add(since(began));
            messages += fabric.switches().counts().changes();
        }
        final var spread = Quantiles.of(times);
        say("%-22s%9s %9s %9s %9s%n%-22s%s   %d rule and group messages in all", "ms", "min", "median", "p99", "max",
            "all reconnect", spread, messages);
        final var json = spread.json();
        json.addProperty("messages", messages);
        result.add("reconnection-ms", json);
    }

    private void failures() {
        say("%-22s%9s %9s %9s %9s", "ms after the failure", "min", "median", "p99", "max");
        final var json = new JsonObject();
        json.add("leaf-spine cut", losses("leaf-spine cut", links().limit(CUTS).map(List::of).toList(), true));
        json.add("spine lost", losses("spine lost", spread("spine").limit(LOSSES).map(List::of).toList(), false));
        json.add("leaf lost", losses("leaf lost", spread("leaf").limit(LOSSES).map(List::of).toList(), false));
        json.add("plane lost", losses("plane lost", FabricFile.entries(fabric.file().fabric(), "plane").stream()
            .limit(LOSSES).map(plane -> Stream.of("spine", "leaf").flatMap(list -> switches(plane, list)).toList())
            .toList(), false));
        result.add("failures", json);
    }

    /** Lets each fail and return before the next. */
    private JsonObject losses(final String kind, final List<List<String>> what, final boolean cables) {
        final var samples = new ArrayList<Failure>();
        final var switches = fabric.switches();
        for (var names : what) {
            samples.add(Failure.of(fabric, () -> cables ? switches.cut(names) : switches.off(names, true)));
            if (cables) {
                switches.restore(names);
            } else {
                switches.on(names);
            }
            fabric.awaitPhase("converged");
            fabric.awaitQuiet(500_000_000);
        }
        return report(kind, samples);
    }

    private static JsonObject report(final String kind, final List<Failure> samples) {
        final var rows = new LinkedHashMap<String, Quantiles>();
        rows.put("detected", Failure.detected(samples));
        rows.put("computed", Failure.computed(samples));
        rows.put("last barrier", Failure.lastBarrier(samples));
        rows.put("confirmed", Failure.confirmed(samples));
        rows.put("balanced", Failure.balanced(samples));
        rows.put("quiet", Failure.quiet(samples));
        rows.put("messages", Failure.messages(samples));
        rows.put("moved DCMs", Failure.moved(samples));
        rows.put("moved for balance", Failure.movedForBalance(samples));
        say("%s, %d times", kind, samples.size());
        final var json = new JsonObject();
        rows.forEach((row, spread) -> {
            say("  %-20s%s", row, spread);
            json.add(row, spread.json());
        });
        final var each = new JsonArray();
        samples.forEach(sample -> each.add(sample.toString()));
        json.add("samples", each);
        return json;
    }

    /** Leaf-spine links, spread over all leaves and spines. */
    private Stream<String> links() {
        final var spines = spread("spine").toList();
        final var leaves = spread("leaf").toList();
        final var between = FabricFile.entries(fabric.file().fabric(), "link").stream()
            .filter(link -> spines.contains(link.get("peer-switch").getAsString())
                && leaves.contains(link.get("switch").getAsString()))
            .map(link -> link.get("switch").getAsString() + ":" + link.get("port").getAsString()).toList();
        // a step coprime to their number visits each once
        final int step = Stream.iterate(between.size() / 3 + 1, each -> each + 1)
            .filter(each -> gcd(each, between.size()) == 1).findFirst().orElseThrow();
        return Stream.iterate(0, at -> at + step).limit(between.size()).map(at -> between.get(at % between.size()));
    }

    private static int gcd(final int left, final int right) {
        return right == 0 ? left : gcd(right, left % right);
    }

    /** Switches of a kind, alternating between the planes. */
    private Stream<String> spread(final String list) {
        final var planes = FabricFile.entries(fabric.file().fabric(), "plane").stream()
            .map(plane -> switches(plane, list).toList()).toList();
        return Stream.iterate(0, at -> at + 1).limit(planes.get(0).size())
            .flatMap(at -> planes.stream().map(plane -> plane.get(at)));
    }

    private static Stream<String> switches(final JsonObject plane, final String list) {
        return FabricFile.entries(plane, list).stream().map(each -> each.get("switch").getAsString());
    }

    private static double since(final long began) {
        return (System.nanoTime() - began) / MEGA;
    }

    private static void say(final String text, final Object... arguments) {
        System.out.printf(Locale.ROOT, text + "%n", arguments);
    }
}
