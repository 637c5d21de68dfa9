package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scraped metrics agree with the state and with what was done to switches. */
@ExtendWith(SharedController.class)
class MetricsIT {
    private static final Pattern LISTED = Pattern.compile("\\| `(daqfabric_\\w+)` \\|");
    private static final Pattern FLOW = Pattern.compile("cookie=[^,]+, table=0, (.*) actions=.*");

    /** Metrics require a login. */
    @Test
    void loginIsRequired(final Distribution controller) {
        for (var login : List.of("", "admin:wrong", "nobody:admin")) {
            final var refused = Scrape.of(controller, "GET", "/metrics/", login);
            assertThat(refused.status()).as(login).isEqualTo(401);
            assertThat(refused.text()).doesNotContain("daqfabric_");
        }
        assertThat(Scrape.of(controller, "GET", "/metrics", "admin:admin").status()).isEqualTo(302);
        assertThat(Scrape.of(controller, "POST", "/metrics/", "admin:admin").status()).isEqualTo(405);
        final var below = Scrape.of(controller, "GET", "/metrics/x", "admin:admin");
        assertThat(below.status()).isEqualTo(404);
        assertThat(below.text()).contains("The metrics are at /metrics/");
    }

    @Test
    void metricsFollowTheFabric(final Distribution controller, final Lab lab) throws Exception {
        final var fabric = lab.converged(lab.generate("metrics",
            "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
        final var of = "fabric=\"" + fabric.name() + '"';
        final var links = FabricFile.entries(fabric.state().json(), "link").size();
        final var before = Scrape.of(controller);
        assertThat(before.type()).startsWith("text/plain; version=0.0.4");
        assertAgrees(before, fabric.state(), of);
        assertThat(before.sum("daqfabric_links_expected", of)).isEqualTo(links);
        assertThat(before.sum("daqfabric_links_up", of)).isEqualTo(links);
        assertThat(before.sum("daqfabric_phase", of, "phase=\"converged\"")).isEqualTo(1);
        assertThat(before.sum("daqfabric_messages_failed_total", of)).isZero();
        assertThat(before.sum("daqfabric_repair_seconds_count", of, "phase=\"whole\"")).isZero();

        final var repaired = fabric.cut("p1l2", "to-p1s1");
        assertThat(repaired.links("down")).hasSize(1);
        final var down = repaired.links("down").iterator().next().split(":");
        await("the cut").atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
            final var cut = Scrape.of(controller);
            assertThat(cut.sum("daqfabric_links_up", of)).isEqualTo(links - 1);
            assertThat(cut.sum("daqfabric_links_up", of, "plane=\"2\"")).isEqualTo(links / 2.0);
            assertThat(cut.sum("daqfabric_link_up", of, "switch=\"" + down[0] + '"', "port=\"" + down[1] + '"'))
                .isZero();
            assertThat(cut.sum("daqfabric_repair_seconds_count", of, "phase=\"whole\"")).isEqualTo(1);
            assertThat(cut.sum("daqfabric_repair_seconds_sum", of, "phase=\"whole\""))
                .isCloseTo(seconds(repaired), within(1e-5));
            assertThat(cut.sum("daqfabric_repairs_total", of)).isEqualTo(1);
            assertThat(cut.sum("daqfabric_repair_moved_dcms_total", of)).isEqualTo(repaired.movedDcms());
            assertThat(cut.sum("daqfabric_rebalanced_total", of)).isEqualTo(1);
            assertThat(cut.sum("daqfabric_rebalanced_moved_dcms_total", of)).isEqualTo(repaired.balancedDcms());
        });
        fabric.restore("p1l2", "to-p1s1");
        assertAgrees(Scrape.of(controller), fabric.state(), of);

        // a deleted rule is found, counted and restored, by this request or by the periodic comparison
        final var rule = fabric.contents("p1l1").rules().keySet().stream().map(FLOW::matcher)
            .filter(each -> each.matches() && each.group(1).contains("nw_dst")).findFirst().orElseThrow().group(1);
        fabric.ofctl("p1l1", "del-flows", "--strict", rule);
        fabric.resync("p1l1");
        final var found = Scrape.of(controller);
        assertThat(found.sum("daqfabric_findings_total", of, "kind=\"rule\"", "what=\"missing\"")).isEqualTo(1);
        assertThat(found.sum("daqfabric_findings_total", of)).isEqualTo(1);
        assertThat(found.sum("daqfabric_comparisons_with_findings_total", of)).isEqualTo(1);
        assertThat(found.sum("daqfabric_comparisons_total", of, "source=\"operator\"")).isEqualTo(1);

        // after traffic every metric of such a fabric exists
        fabric.assertAllReachable();
        final var expected = listed();
        // metrics of the controller, not of a fabric
        expected.removeAll(Set.of("daqfabric_active", "daqfabric_peers_refused_total",
            "daqfabric_logins_refused_total", "daqfabric_disk_free_bytes"));
        // only in a cluster, and when it has happened
        expected.remove("daqfabric_shard_repairs_total");
        assertThat(Scrape.of(controller).text()).contains("\ndaqfabric_active 1",
            "\ndaqfabric_disk_free_bytes{folder=\"state\"} ");
        // without daqrings, runs and PMD threads, and what only daqfabric-node tells
        expected.removeIf(name -> name.matches("daqfabric_(run|partition|daqring|switch_daqring|queue|pmd)_.*"
            + "|daqfabric_(port|switch)_(socket|backlog)_dropped_.*"));
        await("port statistics").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> {
                final var now = Scrape.of(controller);
                assertThat(now.names(of)).containsAll(expected);
                assertThat(now.sum("daqfabric_port_received_packets_total", of, "switch=\"p1l1\"")).isPositive();
                assertThat(now.sum("daqfabric_port_transmitted_bytes_total", of, "switch=\"p2s1\"")).isPositive();
            });
        final var last = Scrape.of(controller);
        assertThat(listed()).containsAll(last.names());
        assertPromtoolAccepts(last);
        fabric.delete();
        fabric.awaitGone();
        // the alarms of what has gone are cleared twice a second
        await("nothing of it").untilAsserted(() -> assertThat(Scrape.of(controller).text()).doesNotContain(of));
    }

    private static void assertAgrees(final Scrape scrape, final FabricState state, final String of) {
        assertThat(scrape.sum("daqfabric_generation", of)).isEqualTo(state.generation());
        FabricFile.entries(state.json(), "switch").forEach(each -> {
            final var name = "switch=\"" + each.get("name").getAsString() + '"';
            for (var what : List.of("rules", "groups")) {
                assertThat(scrape.sum("daqfabric_" + what + "_realised", of, name)).as(what + " of " + name)
                    .isEqualTo(each.get(what).getAsInt())
                    .isEqualTo(scrape.sum("daqfabric_" + what + "_desired", of, name));
            }
            assertThat(scrape.sum("daqfabric_switch_connected", of, name)).isEqualTo(2);
        });
        state.dcmsOfSpines().forEach((place, dcms) -> assertThat(scrape.sum("daqfabric_spine_dcms", of,
            "plane=\"" + place.plane() + '"', "spine=\"" + place.spine() + '"')).isEqualTo(dcms.intValue()));
        assertThat(scrape.sum("daqfabric_bandwidth_achievable_bytes_per_second", of))
            .isCloseTo(state.bandwidth() * 125e6, within(1e6));
        assertThat(scrape.sum("daqfabric_bandwidth_nominal_bytes_per_second", of))
            .isCloseTo(state.nominalBandwidth() * 125e6, within(1e6));
        assertThat(scrape.sum("daqfabric_dcms", of)).isEqualTo(state.placement().size());
    }

    /** Duration of the last repair. */
    private static double seconds(final FabricState state) {
        return state.json().getAsJsonObject("last-repair").get("confirmed").getAsDouble() / 1000;
    }

    private static Set<String> listed() throws IOException {
        final var names = new TreeSet<String>();
        LISTED.matcher(Files.readString(Distribution.projectRoot().resolve("docs/metrics.md"))).results()
            .forEach(row -> names.add(row.group(1)));
        return names;
    }

    private static void assertPromtoolAccepts(final Scrape scrape) throws Exception {
        final Path own = Distribution.projectRoot().resolve(".cache/promtool/usr/bin/promtool");
        final var command = new ArrayList<>(List.of(Files.exists(own) ? own.toString() : "promtool", "check",
            "metrics"));
        try {
            final var running = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = running.getOutputStream()) {
                stdin.write(scrape.text().getBytes());
            }
            final var output = new String(running.getInputStream().readAllBytes());
            assertThat(running.waitFor()).as(output).isZero();
        } catch (IOException e) {
            throw new AssertionError("promtool is not there: run scripts/setup, which brings it", e);
        }
    }
}
