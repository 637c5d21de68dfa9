package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * What proofs, and looking for losses, cost in a fabric of simulated switches, and until when proofs notice a silent
 * direction there.
 */
final class ProofCost {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    /** What is measured with and without proofs, in turn. */
    private static final Duration MEASURED = Duration.ofSeconds(60);
    /** Until packets that wait have been sent. */
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final int TURNS = 6;
    /** What asks for counters and fills idle links, and the field that is set while answers are due. */
    private static final String LOSSES = "org.daqfabric.impl.controller.LossWatch";
    private static final String ASKING = "asking";
    private static final int LINKS = 20;
    private static final double NANOS = 1e9;
    /** A turn of all pairs, and half of one again. */
    private static final Duration ALL_PAIRS = Duration.ofMinutes(30);

    private final Distribution controller;
    private final Debugger debugger;
    private final JsonObject result;

    /** Measures nothing yet. */
    ProofCost(final Distribution controller, final Debugger debugger, final JsonObject result) {
        this.controller = controller;
        this.debugger = debugger;
        this.result = result;
    }

    /** Messages with packets for switches, a second; packets of IP in each direction that carried any. */
    private record Used(double processor, double packets, Collection<Long> carried, double seconds) {
    }

    void measure(final FabricFile file) {
        try (var fabric = new SimulatedFabric(controller, file, true, TIMEOUT)) {
            final var switches = fabric.switches().start();
            await("all nodes connected").atMost(TIMEOUT).until(() -> switches.managed() == switches.nodes());
            fabric.put().awaitPhase("converged");
            allPairs(fabric);
            cost(fabric);
            notice(fabric);
        }
    }

    private void allPairs(final SimulatedFabric fabric) {
        final long began = System.nanoTime();
        await("every pair is proven").atMost(ALL_PAIRS).pollInterval(Duration.ofSeconds(5)).until(() ->
            FabricFile.entries(fabric.state().json(), "placement").stream().allMatch(each -> each.has("last-proof")));
        final double seconds = (System.nanoTime() - began) / NANOS;
        ProofBench.say("%s: every pair is proven after %.0f s", fabric.file().name(), seconds);
        result.addProperty("all-pairs-s", seconds);
    }

    private void cost(final SimulatedFabric fabric) {
        final List<Double> without = new ArrayList<>();
        final List<Double> with = new ArrayList<>();
        final List<Double> proofs = new ArrayList<>();
        final List<Double> losses = new ArrayList<>();
        final List<Double> packets = new ArrayList<>();
        final List<Double> most = new ArrayList<>();
        final List<Double> fills = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            final Used idle;
            final Used counted;
            try (var unused = ProofBench.holdProofs(debugger)) {
                try (var alsoUnused = stopLosses()) {
                    idle = used(fabric);
                }
                counted = used(fabric);
            }
            final var now = used(fabric);
            without.add(idle.processor);
            with.add(now.processor);
            proofs.add(now.processor - counted.processor);
            losses.add(counted.processor - idle.processor);
            packets.add(now.packets - counted.packets);
            most.add(now.carried.stream().mapToLong(each -> each).max().orElseThrow() / now.seconds);
            fills.add(counted.packets - idle.packets);
        }
        ProofBench.say("%-40s%9s %9s %9s %9s", "of a processor; packets a second", "min", "median", "p99", "max");
        ProofBench.report(result, "processor-without", without);
        ProofBench.report(result, "processor-with", with);
        ProofBench.report(result, "processor-of-proofs", proofs);
        ProofBench.report(result, "processor-of-losses", losses);
        ProofBench.report(result, "packets-per-second", packets);
        ProofBench.report(result, "packets-per-second-of-fullest", most);
        ProofBench.report(result, "messages-per-second-for-idle-links", fills);
        result.addProperty("switches", fabric.switches().switches().size());
        result.addProperty("directions", 2 * FabricFile.entries(fabric.file().fabric(), "link").size());
    }

    /** Twice, as answers that are due reset it. */
    private Debugger.Changed stopLosses() {
        debugger.set(LOSSES, ASKING);
        pass(SETTLED);
        return debugger.set(LOSSES, ASKING);
    }

    /** What the controller uses for some time while nothing happens; the switches are another process. */
    private Used used(final SimulatedFabric fabric) {
        pass(SETTLED);
        fabric.switches().reset();
        final var before = Usage.processor(controller);
        final long began = System.nanoTime();
        pass(MEASURED);
        final double seconds = (System.nanoTime() - began) / NANOS;
        final double processor = Usage.processor(controller).minus(before).toNanos() / NANOS / seconds;
        return new Used(processor, fabric.switches().counts().packets() / seconds, fabric.switches().carried(),
            seconds);
    }

    private static void pass(final Duration time) {
        final long began = System.nanoTime();
        await("time passes").atMost(TIMEOUT).pollDelay(time).until(() -> System.nanoTime() - began >= time.toNanos());
    }

    private void notice(final SimulatedFabric fabric) {
        final List<Double> noticed = new ArrayList<>();
        leafUplinks(fabric).limit(LINKS).forEach(end -> noticed.add(silenced(fabric, end)));
        ProofBench.say("%-40s%9s %9s %9s %9s", "ms until noticed", "min", "median", "p99", "max");
        ProofBench.report(result, "proof-at-size-ms", noticed);
    }

    private double silenced(final SimulatedFabric fabric, final String end) {
        final var before = OffsetDateTime.now();
        final long nanos = fabric.switches().silence(end, true);
        final var began = Instant.now().minusNanos(System.nanoTime() - nanos);
        final var repair = fabric.awaitRepair(before);
        fabric.switches().silence(end, false);
        fabric.awaitState("the link is up again", state -> state.links("down").isEmpty());
        fabric.awaitPhase("converged");
        return Duration.between(began, OffsetDateTime.parse(repair.get("detected").getAsString()).toInstant())
            .toNanos() / 1e6;
    }

    /** Ends of links to spines, at leaves, one of each as long as there are some, and then the next. */
    private static Stream<String> leafUplinks(final SimulatedFabric fabric) {
        final var links = FabricFile.entries(fabric.file().fabric(), "link").stream()
            .filter(link -> link.get("peer-switch").getAsString().matches("p[0-9]+s[0-9]+")).toList();
        final var seen = new HashSet<String>();
        final var firsts = links.stream().filter(link -> seen.add(link.get("switch").getAsString())).toList();
        return Stream.concat(firsts.stream(), links.stream().filter(link -> !firsts.contains(link)))
            .map(link -> link.get("switch").getAsString() + ":" + link.get("port").getAsString());
    }
}
