package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Measures what a controller spends while all ports of a fabric of simulated switches count, at repairs, and on reading
 * the standard views: {@code ViewsBench FABRIC}, see {@link BenchFabrics}. Writes {@code target/bench/views.json},
 * beside the numbers of a build of an earlier version that has no views.
 */
final class ViewsBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration COUNTED = Duration.ofSeconds(120);
    private static final Duration RENEWAL = Duration.ofSeconds(5);
    private static final int CUTS = 10;
    private static final int REQUESTS = 20;
    private static final double NANOS = 1e9;
    private static final Pattern WRITES = Pattern.compile("Fabric \\S+: (\\d+) writes to its views");

    private final Distribution controller;
    private final SimulatedFabric fabric;
    private final JsonObject result = new JsonObject();
    private long frames;

    private ViewsBench(final Distribution controller, final SimulatedFabric fabric) {
        this.controller = controller;
        this.fabric = fabric;
    }

    public static void main(final String[] arguments) throws IOException {
        final var copy = Distribution.daqfabric("bench-views");
        Files.writeString(copy.home().resolve("etc/org.ops4j.pax.logging.cfg"),
            "\nlog4j2.logger.views.name=org.daqfabric.impl.northbound.views\nlog4j2.logger.views.level=DEBUG\n",
            StandardOpenOption.APPEND);
        try (var controller = copy.start();
                var fabric = new SimulatedFabric(controller, BenchFabrics.of(arguments[0]), true, TIMEOUT)) {
            final var bench = new ViewsBench(controller, fabric);
            bench.bringUp();
            bench.counting();
            bench.repairs();
            bench.reading();
            bench.write();
        }
    }

    /** Beside the numbers of a controller without views, or with them. */
    private void write() throws IOException {
        final var file = Files.createDirectories(Distribution.projectRoot().resolve("target/bench"))
            .resolve("views.json");
        final var all = Files.exists(file) ? JsonParser.parseString(Files.readString(file)).getAsJsonObject()
            : new JsonObject();
        all.add(result.has("topology: size, kB") ? "with" : "without", result);
        Files.writeString(file, new GsonBuilder().setPrettyPrinting().create().toJson(all) + "\n");
    }

    private void bringUp() {
        final var switches = fabric.switches().start();
        await("all nodes connected").atMost(TIMEOUT).until(() -> switches.managed() == switches.nodes());
        fabric.put();
        fabric.awaitPhase("converged");
        // the views are complete some seconds after that
        countFor(Duration.ofSeconds(40));
        report("live heap", "MB", Usage.of(controller).heap() / 1e6);
    }

    /** Lets all counters go on as Open vSwitch does, for some time. */
    private void countFor(final Duration time) {
        final long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            fabric.switches().count(frames += 1000);
            LockSupport.parkNanos(RENEWAL.toNanos());
        }
    }

    private void counting() {
        final var before = Usage.processor(controller);
        final var written = writes();
        final long began = System.nanoTime();
        countFor(COUNTED);
        final double seconds = (System.nanoTime() - began) / NANOS;
        report("processor while all ports count", "% of one",
            Usage.processor(controller).minus(before).toNanos() / NANOS / seconds * 100);
        final var now = writes();
        report("transactions", "/s", (now.get("transactions") - written.get("transactions")) / seconds);
        report("nodes written", "/s", (now.get("nodes") - written.get("nodes")) / seconds);
    }

    /** How many transactions with how many nodes were written to the views, by the log. */
    private Map<String, Long> writes() {
        final var writes = new TreeMap<>(Map.of("transactions", 0L, "nodes", 0L));
        controller.logLines().forEach(line -> {
            final var found = WRITES.matcher(line);
            if (found.find()) {
                writes.merge("transactions", 1L, Long::sum);
                writes.merge("nodes", Long.parseLong(found.group(1)), Long::sum);
            }
        });
        return writes;
    }

    /** A leaf-spine link of each of some leaves fails and returns. */
    private void repairs() {
        final var links = FabricFile.entries(fabric.file().fabric(), "link").stream()
            .filter(link -> link.get("switch").getAsString().matches("p\\d+l\\d+"))
            .map(link -> link.get("switch").getAsString() + ":" + link.get("port").getAsString()).limit(CUTS).toList();
        final var before = Usage.processor(controller);
        links.forEach(link -> {
            Failure.of(fabric, () -> fabric.switches().cut(List.of(link)));
            fabric.switches().restore(List.of(link));
            fabric.awaitPhase("converged");
            fabric.awaitQuiet(500_000_000);
        });
        report("processor for a cut and its return", "ms",
            Usage.processor(controller).minus(before).toMillis() / (double) links.size());
    }

    private void reading() {
        final var views = new StandardViews(controller.restconf(), fabric.file().name());
        final var restconf = controller.restconf();
        if (views.topology().isEmpty()) {
            return;
        }
        final var node = StandardViews.nodes(restconf).firstKey().replace(":", "%3A");
        read("topology", () -> restconf.get("data/network-topology:network-topology/topology=daqfabric%3A"
            + fabric.file().name() + "?content=nonconfig"));
        read("inventory", () -> restconf.get("data/opendaylight-inventory:nodes?content=nonconfig"));
        read("switch", () -> restconf.get("data/opendaylight-inventory:nodes/node=" + node + "?content=nonconfig"));
        read("export-topology", () -> restconf.post("operations/daqfabric-operations:export-topology",
            "{\"input\":{\"fabric\":\"" + fabric.file().name() + "\"}}"));
        read("rules", () -> restconf.post("operations/daqfabric-operations:rules",
            "{\"input\":{\"fabric\":\"" + fabric.file().name() + "\",\"switch\":\"p1l1\"}}"));
        // reads the rules of all switches of ROS once; measured over some seconds it does so twice
        read("traffic", () -> restconf.post("operations/daqfabric-operations:traffic",
            "{\"input\":{\"fabric\":\"" + fabric.file().name() + "\",\"seconds\":0}}"));
    }

    private void read(final String what, final Supplier<Restconf.Answer> request) {
        request.get().orFail();
        final var before = Usage.processor(controller);
        final long began = System.nanoTime();
        long bytes = 0;
        for (int each = 0; each < REQUESTS; each++) {
            bytes = request.get().orFail().body().length();
        }
        report(what + ": requests", "/s", REQUESTS * NANOS / (System.nanoTime() - began));
        report(what + ": processor", "ms", Usage.processor(controller).minus(before).toMillis() / (double) REQUESTS);
        report(what + ": size", "kB", bytes / 1e3);
    }

    private void report(final String what, final String unit, final double value) {
        System.out.printf(Locale.ROOT, "%-36s%10.1f %s%n", what, value, unit);
        result.addProperty(what + ", " + unit, value);
    }
}
