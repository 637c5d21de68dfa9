package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** The distribution as built, started for the first time. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BootIT {
    /**
     * Logged by components of OpenDaylight that are looked up before their dependencies are there; which ones depends
     * on the order of threads.
     */
    private static final String EARLY_ACCESS = "Constructor argument";
    private static final Pattern ERROR = Pattern.compile("^\\S+ \\| ERROR \\|.*");

    private final Distribution controller = Distribution.daqfabric("boot");

    @BeforeAll
    void start() {
        controller.start();
    }

    @AfterAll
    void close() {
        controller.close();
    }

    /** By default the controller is not reachable from the network. */
    @Test
    void listensOnLoopbackOnly() throws Exception {
        final var listeners = listeners(controller.pid());
        assertThat(listeners).isNotEmpty().allMatch(address -> address.matches(".*127\\.0\\.0\\.[123]]?:[0-9]+"));
        assertThat(listeners).anyMatch(address -> address.endsWith(":" + controller.port("openflow")));
    }

    /** The legacy OpenFlow port stays closed. */
    @Test
    void hasNoListenerOnTheLegacyOpenFlowPort() throws Exception {
        assertThat(listeners(controller.pid())).noneMatch(address -> address.endsWith(":6633"));
    }

    /** A 3 a.m. reader must be able to take every ERROR in the log of a start seriously. */
    @Test
    void logsNoErrorAtStart() {
        assertThat(controller.startLog()).isNotEmpty();
        final var errors = controller.startLog().stream()
            .filter(line -> ERROR.matcher(line).matches() && !line.contains(EARLY_ACCESS)).toList();
        if (!errors.isEmpty()) {
            // on one line: the summary of a failed run shows only the first
            fail(String.join(" -- ", errors));
        }
    }

    /** The log settings are extended, not replaced: otherwise nothing would be logged. */
    @Test
    void keepsTheLogSettings() {
        assertThat(controller.home().resolve("etc/org.ops4j.pax.logging.cfg")).content()
            .contains("log4j2.rootLogger.appenderRef.RollingFile", "log4j2.logger.openflowjava.level",
                "log4j2.logger.restconf.filter.burst.maxBurst");
    }

    /** Access without a password is refused. */
    @Test
    void asksForAPassword() throws Exception {
        final var fabrics = URI.create("http://127.0.0.1:" + controller.port("restconf")
            + "/rests/data/daqfabric:fabrics");
        final var answer = HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(fabrics).build(), BodyHandlers.discarding());
        assertThat(answer.statusCode()).isEqualTo(401);
    }

    /** A changed OpenFlow port takes effect at the next start, although the datastore still holds the former one. */
    @Test
    @Order(Integer.MAX_VALUE)
    void newOpenFlowPortIsUsedAfterARestart() throws Exception {
        assertThat(controller.stop()).isZero();
        final int former = controller.port("openflow");
        controller.ports("openflow=" + (former + 7)).start();
        assertThat(listeners(controller.pid()))
            .noneMatch(address -> address.endsWith(":" + former))
            .anyMatch(address -> address.endsWith(":" + (former + 7)));
    }

    private static List<String> listeners(final long pid) throws IOException {
        final var ss = new ProcessBuilder("ss", "-Hltnp").start();
        return new String(ss.getInputStream().readAllBytes()).lines()
            .filter(line -> line.contains("pid=" + pid + ","))
            .map(line -> line.trim().split("\\s+")[3])
            .toList();
    }
}
