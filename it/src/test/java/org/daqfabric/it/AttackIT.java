package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Floods on the ports for switches, beside a fabric that carries traffic. They have a controller of their own, with the
 * least heap, since its memory is looked at and what is refused is alarmed for minutes.
 */
class AttackIT {
    private static final Logger LOG = LoggerFactory.getLogger(AttackIT.class);
    private static final String SPINE = "p1s1";
    private static final int HEAP = 512; // MiB
    private static final long MEBI = 1 << 20;
    /** What all limits together allow peers to make the controller hold, besides its heap: docs/security.md. */
    private static final long MEMORY = 400 * MEBI;
    private static final long LEFT_BEHIND = 48 * MEBI;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final List<String> OPENFLOW = List.of("address", "time", "message", "answer", "unread", "ports");
    private static final List<String> OVSDB = List.of("strangers", "arrivals", "time", "message");

    private static Distribution controller;
    private static Lab lab;
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp() {
        controller = Distribution.daqfabric("attack").variable("DAQFABRIC_HEAP", HEAP + "m").start();
        lab = new Lab(controller);
        fabric = lab.converged(lab.generate("attack", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 2"));
    }

    @AfterAll
    static void close() {
        lab.close();
        controller.close();
    }

    private static double refused(final Scrape scrape, final String protocol, final String limit) {
        return scrape.sum("daqfabric_peers_refused_total", "protocol=\"" + protocol + '"', "limit=\"" + limit + '"');
    }

    /** Nothing is lost, a link that fails is repaired, a switch that restarts is served; memory is bounded. */
    @Test
    void switchesAreServedDuringAFlood() {
        final var before = Usage.of(controller);
        try (var ping = fabric.ping(50).awaitStarted(); var flood = new Flood(controller)) {
            await("every limit").atMost(TIMEOUT).untilAsserted(() -> {
                final var scrape = Scrape.of(controller);
                assertThat(OPENFLOW).allMatch(limit -> refused(scrape, "openflow", limit) > 0);
                assertThat(OVSDB).allMatch(limit -> refused(scrape, "ovsdb", limit) > 0);
            });
            assertThat(fabric.verify().findings()).isEmpty();
            ping.assertLostNothing();

            final long cut = System.nanoTime();
            fabric.cut("p1l1", "to-" + SPINE);
            LOG.info("cut and repaired after {} ms, {} connections of {} peers", (System.nanoTime() - cut) / 1_000_000,
                flood.connections(), Flood.ADDRESSES.size());
            fabric.assertAllReachable();
            fabric.restore("p1l1", "to-" + SPINE);

            fabric.daqlab("kill", SPINE);
            fabric.awaitState("away", state -> !state.phase().equals("converged"));
            fabric.daqlab("restart", SPINE);
            fabric.awaitPhase("converged");
            fabric.assertAllReachable();
            try (var shell = new Shell(controller)) {
                assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " "))
                    .contains("peer 127.0.66." + Flood.ADDRESSES.get("ports"), "was refused on the OpenFlow port:",
                        "was refused on the OVSDB port:");
            }
        }
        final var after = Usage.of(controller);
        LOG.info("heap {} MiB before, {} after; at most {} MiB resident before, {} after", before.heap() / MEBI,
            after.heap() / MEBI, before.resident() / MEBI, after.resident() / MEBI);
        assertThat(after.heap() - before.heap()).as("left behind").isLessThan(LEFT_BEHIND);
        assertThat(after.resident() - before.resident()).as("memory").isLessThan(MEMORY);
        assertThat(fabric.verify().findings()).isEmpty();
        assertThat(controller.logLines()).noneMatch(line -> line.contains("OutOfMemory"));
        // a line for each kind, and not for each connection
        assertThat(controller.logLines().stream().filter(line -> line.contains("127.0.66."))).hasSizeLessThan(60);
    }
}
