package org.daqfabric.it;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Times on Open vSwitch: until BFD alone and proofs notice a dead link, and of repairs with and without proofs. */
final class ProofTimes {
    private static final int LOST = 10;
    private static final int CUTS = 24;

    private final Distribution controller;
    private final Supplier<Debugger.Held> stop;
    private final JsonObject result;

    /**
     * Measures nothing yet.
     *
     * @param stop stops proofs until it is closed
     */
    ProofTimes(final Distribution controller, final Supplier<Debugger.Held> stop, final JsonObject result) {
        this.controller = controller;
        this.stop = stop;
        this.result = result;
    }

    void measure() {
        try (var lab = new Lab(controller)) {
            final var fabric = lab.converged(lab.generate("bench", "--prototype").withBfd(true));
            ProofBench.say("%-40s%9s %9s %9s %9s", "ms", "min", "median", "p99", "max");
            notice(fabric);
            repair(fabric);
        }
    }

    /** A cable that loses all packets, without proofs, and one that loses those of hosts and lets those of BFD pass. */
    private void notice(final LabFabric fabric) {
        final List<Double> bfd = new ArrayList<>();
        final List<Double> proof = new ArrayList<>();
        for (int each = 0; each < LOST; each++) {
            try (var unused = stop.get()) {
                bfd.add(noticed(fabric, ""));
            }
            recover(fabric);
            proof.add(noticed(fabric, " ip daddr 10.0.0.0/8"));
            recover(fabric);
        }
        ProofBench.report(result, "bfd-ms", bfd);
        ProofBench.report(result, "proof-ms", proof);
    }

    private static double noticed(final LabFabric fabric, final String packets) {
        nft(fabric, "add table netdev proof; add chain netdev proof out { type filter hook egress device \"to-p1l1\""
            + " priority 0; }");
        final var before = OffsetDateTime.now();
        final var began = Instant.now();
        nft(fabric, "add rule netdev proof out" + packets + " drop");
        final var repair = repaired(fabric, before);
        return Duration.between(began, OffsetDateTime.parse(repair.get("detected").getAsString()).toInstant())
            .toNanos() / 1e6;
    }

    private static void recover(final LabFabric fabric) {
        nft(fabric, "delete table netdev proof");
        fabric.awaitState("it is up again", state -> state.links("down").isEmpty());
        fabric.rebalance();
        fabric.awaitPhase("converged");
    }

    private static JsonObject repaired(final LabFabric fabric, final OffsetDateTime since) {
        return fabric.awaitState("it is noticed", state -> state.isRepairedSince(since)).json()
            .getAsJsonObject("last-repair");
    }

    private static void nft(final LabFabric fabric, final String commands) {
        LossyCable.nft(fabric.namespace("p1s1"), commands); // within milliseconds, as the time counts from before it
    }

    /** Links between leaves and spines are cut, in turn without and with proofs, each link as often. */
    private void repair(final LabFabric fabric) {
        final var links = FabricFile.entries(fabric.file().fabric(), "link").stream()
            .filter(link -> link.get("peer-switch").getAsString().matches("p[0-9]+s[0-9]+")).toList();
        final List<Double> without = new ArrayList<>();
        final List<Double> with = new ArrayList<>();
        for (int each = 0; each < CUTS; each++) {
            final var link = links.get(each % links.size());
            try (var unused = stop.get()) {
                without.add(confirmed(fabric, link));
            }
            with.add(confirmed(fabric, link));
        }
        ProofBench.report(result, "repair-without-ms", without);
        ProofBench.report(result, "repair-with-ms", with);
    }

    /** From the event until the last barrier reply that the traffic waits for. */
    private static double confirmed(final LabFabric fabric, final JsonObject link) {
        final var name = link.get("switch").getAsString();
        final var port = link.get("port").getAsString();
        final var repair = fabric.cut(name, port).json().getAsJsonObject("last-repair");
        fabric.restore(name, port);
        return repair.get("confirmed").getAsDouble();
    }
}
