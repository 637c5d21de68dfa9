package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Installs daqfabric in an existing OpenDaylight. */
class PlainOpenDaylightIT {
    private static final Path PLAIN = Distribution.projectRoot().resolve("it/plain-odl/target/assembly");
    private static final String VERSION = "0.1.0-SNAPSHOT";

    /** The two commands of the user guide and a restart are enough, and bring the necessary settings. */
    @Test
    void featureInstallsIntoARunningOpenDaylight() throws Exception {
        assumeTrue(Files.exists(PLAIN), "not built: mvn -Pit -pl it/plain-odl package");
        try (var odl = Distribution.copy(PLAIN, "plain-odl")) {
            provideArtifacts(odl);
            // RESTCONF is up when it serves a model that every OpenDaylight has.
            odl.onFreePorts().start("aaa-encrypt-service-config:aaa-encrypt-service-config");
            assertThat(odl.restconf().serves("daqfabric:fabrics")).isFalse();
            // the OpenFlow plugin has listeners of its own
            odl.awaitOrReport("listener of the OpenFlow plugin", Duration.ofMinutes(1), () -> listens(6633));

            // the default ports are used by the controller of other tests
            final int openFlow = freePort();
            final var settings = odl.home().resolve("etc/org.daqfabric.cfg");
            final var own = "openflow-port=" + openFlow + "\novsdb-port=" + freePort() + "\n";
            Files.writeString(settings, own);
            odl.shell("feature:repo-add mvn:org.daqfabric/daqfabric/" + VERSION + "/xml/features");
            odl.shell("feature:install daqfabric");
            assertThat(odl.shell("feature:list --installed --no-format"))
                .containsPattern("(?m)^daqfabric\\s");
            assertThat(odl.stop()).isZero();

            odl.start("daqfabric:fabrics");
            assertThat(settings).as("the operator's settings are kept").hasContent(own);
            odl.awaitOrReport("OpenFlow listener of daqfabric", Duration.ofMinutes(1), () -> listens(openFlow));
            odl.awaitOrReport("word that the plugin's listener is removed", Duration.ofMinutes(1),
                () -> odl.logLines().stream().anyMatch(line -> line.contains("listener on port 6633 removed")));
            await("the plugin's to go").until(() -> !listens(6633));
            assertThat(odl.home().resolve("etc/org.ops4j.pax.logging.cfg")).content()
                .contains("log4j2.rootLogger.appenderRef.RollingFile", "log4j2.logger.openflowjava.level");
        }
    }

    private static boolean listens(final int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
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
