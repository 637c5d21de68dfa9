package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Installs daqfabric in an OpenDaylight that another OpenFlow application uses, and uninstalls it. */
@Tag("long") // starts controllers
class PlainOpenDaylightIT {
    private static final Path PLAIN = Distribution.projectRoot().resolve("it/plain-odl/target/assembly");
    private static final String VERSION = "0.2.0-SNAPSHOT";
    private static final String ANY_MODEL = "aaa-encrypt-service-config:aaa-encrypt-service-config";
    /** That of the OpenFlow plugin which no other controller of these tests has. */
    private static final int PLUGIN_PORT = 6633;
    private static final String SIZE = "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2";

    /** The two commands of the user guide and a restart are enough, and leave the OpenFlow plugin's switch alone. */
    @Test
    void featureComesAndGoesBesideTheOpenFlowPlugin() throws Exception {
        assertThat(PLAIN).as("made by mvn -Pit -pl it/plain-odl package").isDirectory();
        try (var odl = Distribution.copy(PLAIN, "plain-odl"); var other = new PluginSwitch(PLUGIN_PORT)) {
            provideArtifacts(odl);
            // RESTCONF is up when it serves a model that every OpenDaylight has.
            odl.onFreePorts().start(ANY_MODEL);
            assertThat(odl.restconf().serves("daqfabric:fabrics")).isFalse();
            other.assertTakesARule(odl.restconf());

            odl.shell("feature:repo-add mvn:org.daqfabric/daqfabric/" + VERSION + "/xml/features");
            odl.shell("feature:install daqfabric");
            assertThat(odl.shell("feature:list --installed --no-format"))
                .containsPattern("(?m)^daqfabric\\s");
            stop(odl);
            assertThat(odl.home().resolve("etc/org.daqfabric.cfg")).content().contains("\nopenflow-port=6654\n");

            // the default addresses are used by the controller of other tests
            odl.onFreeAddress();
            final var settings = odl.home().resolve("etc/org.daqfabric.cfg");
            final var own = Files.readString(settings);
            startBesideAnotherListener(odl);
            assertThat(settings).as("the operator's settings are kept").hasContent(own);
            other.assertTakesARule(odl.restconf());
            assertThat(Ports.isFree("127.0.0.1", PLUGIN_PORT)).as("the plugin's port").isFalse();
            assertThat(odl.home().resolve("etc/org.ops4j.pax.logging.cfg")).content()
                .contains("log4j2.rootLogger.appenderRef.RollingFile", "log4j2.logger.openflowjava.level");
            assertThat(odl.log().resolveSibling("access.log")).content().contains("\"user\":\"admin@sdn\"");
            runAFabric(odl, other);

            odl.shell("feature:uninstall daqfabric");
            assertLogAsBefore(odl);
            stop(odl);
            odl.start(ANY_MODEL);
            other.assertTakesARule(odl.restconf());
            assertThat(odl.restconf().serves("daqfabric:fabrics")).isFalse();

            // where the operator's settings are there first
            odl.shell("feature:install daqfabric");
            stop(odl);
            odl.start();
            other.assertTakesARule(odl.restconf());
            odl.shell("feature:uninstall daqfabric");
            assertThat(settings).as("the operator's settings are kept").hasContent(own);
            assertLogAsBefore(odl);
        }
    }

    /**
     * Stops it as an operator does. OpenDaylight waits without a limit for a switch that its plugin was just taking
     * over, with or without daqfabric; then it is ended, as the page on installing says.
     */
    private static void stop(final Distribution odl) {
        try {
            assertThat(odl.stop()).isZero();
        } catch (AssertionError e) {
            assertThat(e).hasMessageContaining("EOSClusterSingletonServiceProvider.close");
            odl.kill();
        }
    }

    /** What was added to the log's settings is gone, and they still are what they were. */
    private static void assertLogAsBefore(final Distribution odl) {
        await("the log as before").atMost(Duration.ofSeconds(60)).untilAsserted(() ->
            assertThat(odl.home().resolve("etc/org.ops4j.pax.logging.cfg")).content()
                .contains("log4j2.rootLogger.appenderRef.RollingFile")
                .doesNotContain("openflowjava", "http2", "audit-", "burst"));
    }

    /** Whatever has the port for OVSDB keeps it; ours says so, and takes it when it is free. */
    private static void startBesideAnotherListener(final Distribution odl) throws IOException {
        final var port = odl.port("ovsdb");
        try (var taken = new ServerSocket(port, 1, InetAddress.getByName(odl.address()))) {
            odl.start();
            assertThat(listener(odl.restconf(), "ovsdb", port).get("last-error").getAsString())
                .contains("cannot listen on tcp:" + odl.address() + ":" + port, "ss -ltnp");
            assertThat(listener(odl.restconf(), "openflow", odl.port("openflow")).get("open").getAsBoolean()).isTrue();
            assertThat(taken.isClosed()).isFalse();
        }
        await("the port to be taken").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            final var now = listener(odl.restconf(), "ovsdb", port);
            assertThat(now.get("open").getAsBoolean()).isTrue();
            assertThat(now.has("last-error")).isFalse();
        });
    }

    private static JsonObject listener(final Restconf restconf, final String protocol, final int port) {
        return restconf.get("data/daqfabric:listeners/listener=member-1," + protocol + "," + port
            + "?content=nonconfig").orFail().json().getAsJsonArray("daqfabric:listener").get(0).getAsJsonObject();
    }

    private static void runAFabric(final Distribution odl, final PluginSwitch other) {
        try (var lab = new Lab(odl)) {
            final var others = shown(odl.restconf());
            final var fabric = lab.converged(lab.generate("beside", SIZE));
            final var ids = StandardViews.ids(fabric.state());
            final var views = new StandardViews(odl.restconf(), fabric.name());
            await("views").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(StandardViews.points(views.topology()).keySet()).isEqualTo(Set.copyOf(ids.values()));
                assertThat(StandardViews.nodes(odl.restconf())).containsKeys(ids.values().toArray(String[]::new));
            });
            assertThat(shown(odl.restconf())).containsAllEntriesOf(others);
            fabric.assertAllReachable();
            fabric.cut("p1l1", "to-p1s1");
            other.assertTakesARule(odl.restconf());
            fabric.assertAllReachable();
            fabric.delete();
            fabric.awaitGone();
            await("only the plugin's views").atMost(Duration.ofSeconds(30)).untilAsserted(() ->
                assertThat(shown(odl.restconf())).isEqualTo(others));
        }
    }

    /** Ports of the switches in the inventory, and termination points of the nodes in the topologies. */
    private static Map<String, Object> shown(final Restconf restconf) {
        final var shown = new TreeMap<String, Object>();
        StandardViews.nodes(restconf).forEach((id, node) -> shown.put(id,
            FabricFile.entries(node, "node-connector").stream().map(port -> port.get("id").getAsString()).sorted()
                .toList()));
        StandardViews.topologies(restconf).forEach((id, topology) ->
            StandardViews.points(topology).forEach((node, points) -> shown.put(id + " " + node, points)));
        return shown;
    }

    /** Copies our artifacts into the system folder, as an operator without a Maven repository does. */
    private static void provideArtifacts(final Distribution odl) throws IOException {
        final var ours = Distribution.projectRoot().resolve("karaf/target/assembly/system/org/daqfabric");
        final var system = odl.home().resolve("system/org/daqfabric");
        try (var files = Files.walk(ours)) {
            for (var file : files.toList()) {
                final var target = system.resolve(ours.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
