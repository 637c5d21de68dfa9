package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures proof by packets: what it costs at the size of a fabric of simulated switches ({@code ProofBench FABRIC},
 * see {@link BenchFabrics}), and after what time links that lose all packets are noticed, there and on Open vSwitch,
 * where BFD alone notices others. Writes {@code target/bench/proof.json}.
 */
final class ProofBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final Duration TICK = Duration.ofMillis(20);
    private static final int LINKS = 20;
    private static final int CUTS = 10;
    private static final double TICKS_OF_A_SECOND = 100;

    private final JsonObject result = new JsonObject();
    private final Distribution controller;

    private ProofBench(final Distribution controller) {
        this.controller = controller;
    }

    public static void main(final String[] fabrics) throws IOException {
        final var folder = Files.createDirectories(Distribution.projectRoot().resolve("target/bench"));
        try (var controller = Distribution.daqfabric("bench-proof").start()) {
            final var bench = new ProofBench(controller);
            bench.notice();
            try (var fabric = new SimulatedFabric(controller, BenchFabrics.of(fabrics[0]), true, TIMEOUT)) {
                bench.cost(fabric);
            }
            Files.writeString(folder.resolve("proof.json"),
                new GsonBuilder().setPrettyPrinting().create().toJson(bench.result) + "\n");
        }
    }

    /** On Open vSwitch: cables that lose all packets, which BFD notices, and cables that lose those of hosts alone. */
    private void notice() {
        try (var lab = new Lab(controller)) {
            final var fabric = lab.converged(lab.generate("bench",
                "--planes 2 --spines 2 --pods 2 --ros 2 --racks 2 --dcms 2").withBfd(true));
            final List<Double> bfd = new ArrayList<>();
            final List<Double> proof = new ArrayList<>();
            for (int each = 0; each < CUTS; each++) {
                bfd.add(noticed(fabric, ""));
                proof.add(noticed(fabric, " ip daddr 10.0.0.0/8"));
            }
            say("%-46s%9s %9s %9s %9s", "ms until noticed, 22 switches of Open vSwitch", "min", "median", "p99", "max");
            report("bfd-ms", "by BFD, all packets lost", bfd);
            report("proof-ms", "by proof, packets of hosts lost", proof);
        }
    }

    private double noticed(final LabFabric fabric, final String packets) {
        nft(fabric, "add table netdev proof; add chain netdev proof out { type filter hook egress device \"to-p1l1\""
            + " priority 0; }");
        final var before = OffsetDateTime.now();
        final var began = Instant.now();
        nft(fabric, "add rule netdev proof out" + packets + " drop");
        final var repair = fabric.awaitState("it is noticed", state -> state.isRepairedSince(before)).json()
            .getAsJsonObject("last-repair");
        nft(fabric, "delete table netdev proof");
        fabric.awaitState("it is up again", state -> state.links("down").isEmpty());
        fabric.rebalance();
        fabric.awaitPhase("converged");
        return Duration.between(began, OffsetDateTime.parse(repair.get("detected").getAsString()).toInstant())
            .toNanos() / 1e6;
    }

    private static void nft(final LabFabric fabric, final String commands) {
        fabric.daqlab("exec", "p1s1", "--", "nft", commands);
    }

    private void cost(final SimulatedFabric fabric) {
        final var switches = fabric.switches().start();
        await("all nodes connected").atMost(TIMEOUT).until(() -> switches.managed() == switches.nodes());
        fabric.put().awaitPhase("converged");
        final long began = System.nanoTime();
        await("every pair is proven").atMost(TIMEOUT).pollInterval(Duration.ofSeconds(5)).until(() ->
            FabricFile.entries(fabric.state().json(), "placement").stream().allMatch(each -> each.has("last-proof")));
        final double seconds = (System.nanoTime() - began) / 1e9;
        say("%n%s: every pair is proven after %.0f s", fabric.file().name(), seconds);
        result.addProperty("all-pairs-s", seconds);
        quiet(fabric);
        final List<Double> noticed = new ArrayList<>();
        leafUplinks(fabric).limit(LINKS).forEach(link -> noticed.add(silenced(fabric, link)));
        say("%-46s%9s %9s %9s %9s", "ms until noticed", "min", "median", "p99", "max");
        report("proof-at-size-ms", "by proof, packets of hosts lost", noticed);
    }

    /** What is used while nothing happens; the switches have another process. */
    private void quiet(final SimulatedFabric fabric) {
        final var switches = fabric.switches();
        switches.reset();
        final long carried = switches.carried();
        final var processor = Usage.processor(controller);
        final double provers = proverSeconds();
        final long began = System.nanoTime();
        await("a quiet minute").atMost(TIMEOUT).pollInterval(TICK).until(() ->
            System.nanoTime() - began >= QUIET.toNanos());
        final double seconds = (System.nanoTime() - began) / 1e9;
        final double whole = Usage.processor(controller).minus(processor).toNanos() / 1e9 / seconds;
        final double own = (proverSeconds() - provers) / seconds;
        final double sent = switches.counts().packets() / seconds;
        final double links = 2.0 * FabricFile.entries(fabric.file().fabric(), "link").size();
        final double perLink = (switches.carried() - carried) / seconds / links;
        say("in a quiet minute the controller takes %.1f %% of a processor, its threads of proof %.1f %%; it sends %.0f"
            + " packets a second, and a direction of a link carries %.1f", whole * 100, own * 100, sent, perLink);
        result.addProperty("processor", whole);
        result.addProperty("processor-of-provers", own);
        result.addProperty("packets-per-second", sent);
        result.addProperty("packets-per-second-and-direction", perLink);
    }

    private double proverSeconds() {
        try (var tasks = Files.list(Path.of("/proc", Long.toString(controller.pid()), "task"))) {
            return tasks.mapToDouble(ProofBench::proverSeconds).sum();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double proverSeconds(final Path task) {
        try {
            if (!Files.readString(task.resolve("comm")).startsWith("daqfabric-proof")) {
                return 0;
            }
            final var line = Files.readString(task.resolve("stat"));
            final var fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_OF_A_SECOND;
        } catch (IOException e) {
            return 0; // the thread has ended
        }
    }

    private double silenced(final SimulatedFabric fabric, final String end) {
        final var before = OffsetDateTime.now();
        final long nanos = fabric.switches().silence(end, true);
        final var now = Instant.now().minusNanos(System.nanoTime() - nanos);
        final var repair = fabric.awaitRepair(before);
        fabric.switches().silence(end, false);
        fabric.awaitState("the link is up again", state -> state.links("down").isEmpty());
        fabric.awaitQuiet(500_000_000);
        return Duration.between(now, OffsetDateTime.parse(repair.get("detected").getAsString()).toInstant())
            .toNanos() / 1e6;
    }

    /** Ends of links at leaves, one each. */
    private static Stream<String> leafUplinks(final SimulatedFabric fabric) {
        final Set<String> seen = new HashSet<>();
        return FabricFile.entries(fabric.file().fabric(), "link").stream()
            .filter(link -> link.get("peer-switch").getAsString().matches("p[0-9]+s[0-9]+"))
            .filter(link -> seen.add(link.get("switch").getAsString()))
            .map(link -> link.get("switch").getAsString() + ":" + link.get("port").getAsString());
    }

    private void report(final String key, final String what, final List<Double> values) {
        final var spread = Quantiles.of(values);
        say("%-46s%s", what, spread);
        result.add(key, spread.json());
    }

    private static void say(final String format, final Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
