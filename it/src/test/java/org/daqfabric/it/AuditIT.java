package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who changed or asked what, from where, with which result, is written down once, and nobody forges it. */
@ExtendWith(SharedController.class)
class AuditIT {
    /** What would be an entry of the log if it stood at the beginning of a line. */
    private static final String FORGED = "2026-01-01T00:00:00,000 | ERROR | forged";

    /** The same for a user, whose name has no colon. */
    private static final String FORGED_NAME = "2026-01-01T00.00.00,000 | ERROR | forged";

    /** Bytes of a body that the second RESTCONF server takes. */
    private static final int LONGEST = 16_384;

    private static Distribution controller;
    private static Shell shell;
    /** Lines that were there before. */
    private static int changes;
    private static int reads;

    @BeforeAll
    static void begin(final Distribution shared) {
        controller = shared;
        shell = new Shell(shared);
        changes = lines("audit").size();
        reads = lines("access").size();
    }

    @AfterAll
    static void end() {
        if (shell != null) {
            shell.close();
        }
    }

    /** Those of a log, each an object of JSON, as far as it has not been packed. */
    private static List<JsonObject> lines(final String log) {
        final var file = controller.log().resolveSibling(log + ".log");
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(final JsonObject line, final String name) {
        return line.has(name) ? line.get(name).getAsString() : "";
    }

    /** The new lines of a log that have a text in a place; waits until there is one. */
    private static List<JsonObject> with(final String log, final int before, final String name, final String text) {
        final var found = new ArrayList<JsonObject>();
        await(log + " of " + text).atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            found.clear();
            lines(log).stream().skip(before).filter(line -> text(line, name).contains(text)).forEach(found::add);
            assertThat(found).isNotEmpty();
        });
        return found;
    }

    private static void assertOnce(final String log, final String method, final String path, final int status,
            final String user) {
        assertThat(with(log, log.equals("audit") ? changes : reads, "path", path)).as(method + " " + path).filteredOn(
            line -> text(line, "method").equals(method)).singleElement().satisfies(line -> {
                assertThat(text(line, "from")).startsWith("127.0.0.1:");
                assertThat(text(line, "time")).endsWith("Z");
                assertThat(text(line, "via")).isEqualTo("http");
                assertThat(text(line, "user")).isEqualTo(user);
                assertThat(line.get("status").getAsInt()).isEqualTo(status);
            });
    }

    @Test
    void everyKindOfRequestIsWrittenOnce(final Restconf restconf) {
        final var fabric = "data/daqfabric:fabrics/fabric=audited";
        final var body = "{\"daqfabric:fabric\":[{\"name\":\"audited\"}]}";
        restconf.because("a test").put(fabric, body).orFail();
        assertOnce("audit", "PUT", "/rests/" + fabric, 201, "admin@sdn");
        assertThat(with("audit", changes, "path", fabric).get(0)).satisfies(line -> {
            assertThat(text(line, "body")).isEqualTo(body);
            assertThat(text(line, "reason")).isEqualTo("a test");
        });
        restconf.patch(fabric + "/mtu", "{\"daqfabric:mtu\":1500}").orFail();
        assertOnce("audit", "PATCH", fabric + "/mtu", 200, "admin@sdn");
        restconf.post("data/daqfabric:fabrics", body);
        assertOnce("audit", "POST", "data/daqfabric:fabrics", 409, "admin@sdn");
        restconf.put("data/daqfabric-store:history/fabric=audited", "{}");
        assertOnce("audit", "PUT", "daqfabric-store:history/fabric=audited", 403, "admin@sdn");
        restconf.post("operations/daqfabric-operations:list-versions", "{\"input\":{\"fabric\":\"audited\"}}").orFail();
        assertThat(with("access", reads, "body", "{\"input\":{\"fabric\":\"audited\"}}")).singleElement()
            .satisfies(line -> assertThat(text(line, "path")).endsWith("daqfabric-operations:list-versions"));
        restconf.get(fabric + "?content=config").orFail();
        assertOnce("access", "GET", fabric + "?content=config", 200, "admin@sdn");
        restconf.delete(fabric).orFail();
        assertThat(with("audit", changes, "method", "DELETE")).anyMatch(line -> text(line, "path").endsWith(fabric)
            && line.get("status").getAsInt() == 204 && text(line, "user").equals("admin@sdn"));
    }

    /** Users, page and metrics, too: whoever is let in, and whoever is not, but no password. */
    @Test
    void otherSitesAreSeenToo() {
        send("GET", "/auth/v1/users?audited", "admin:admin", null);
        assertOnce("access", "GET", "/auth/v1/users?audited", 200, "admin@sdn");
        send("POST", "/auth/v1/users?audited", "admin:admin", "{\"name\":\"no-domain\",\"password\":\"geheim\"}");
        assertThat(with("audit", changes, "path", "/auth/v1/users?audited")).singleElement()
            .satisfies(line -> assertThat(line.toString()).contains("POST").doesNotContain("geheim"));
        send("PUT", "/auth/v1/users/nobody@sdn?audited", "admin:admin", "{\"password\":\"geheim\"}");
        assertThat(with("audit", changes, "path", "nobody@sdn?audited")).singleElement().satisfies(line -> {
            assertThat(text(line, "user")).isEqualTo("admin@sdn");
            assertThat(text(line, "body")).isEqualTo("{\"password\":\"(not shown)\"}");
            assertThat(line.get("status").getAsInt()).isEqualTo(404);
        });
        send("GET", "/metrics/?audited", "admin:admin", null);
        assertOnce("access", "GET", "/metrics/?audited", 200, "admin@sdn");
        send("DELETE", "/rests/data/daqfabric:fabrics?audited", "mallory\n" + FORGED_NAME + ":geheim", null);
        assertOnce("access", "DELETE", "/rests/data/daqfabric:fabrics?audited", 401, "");
        assertThat(with("access", reads, "claimed-user", "mallory")).anySatisfy(line ->
            assertThat(text(line, "claimed-user")).isEqualTo("mallory\n" + FORGED_NAME));
    }

    /** OpenDaylight's second RESTCONF server, which has no filters. */
    @Test
    void theSecondServerIsSeenToo() {
        final var fabric = "/restconf/data/daqfabric:fabrics/fabric=second";
        final var body = "{\"daqfabric:fabric\":[{\"name\":\"second\"}]}";
        final var second = secondServer();
        sendTo(second, "PUT", fabric, "admin:admin", body);
        assertOnce("audit", "PUT", fabric, 201, "admin@sdn");
        assertThat(with("audit", changes, "path", fabric).getFirst()).satisfies(line ->
            assertThat(text(line, "body")).isEqualTo(body));
        sendTo(second, "GET", fabric + "?content=config", "admin:admin", null);
        assertOnce("access", "GET", fabric + "?content=config", 200, "admin@sdn");
        sendTo(second, "DELETE", fabric, "mallory:geheim", null);
        assertOnce("access", "DELETE", fabric, 401, "");
        sendTo(second, "DELETE", fabric, "admin:admin", null);
        assertThat(with("audit", changes, "path", fabric)).anyMatch(line -> text(line, "method").equals("DELETE")
            && line.get("status").getAsInt() == 204 && text(line, "user").equals("admin@sdn"));
    }

    /** The longest body that it takes is as long as docs/user-guide.md says: fabrics are put at the other one. */
    @Test
    void theSecondServerTakesNoLongBody() {
        final var fabric = "/restconf/data/daqfabric:fabrics/fabric=long";
        final var body = "{\"daqfabric:fabric\":[{\"name\":\"long\"}]}";
        final var second = secondServer();
        assertThat(sendTo(second, "PUT", fabric, "admin:admin", body + " ".repeat(LONGEST - body.length())))
            .isEqualTo(201);
        assertThat(sendTo(second, "DELETE", fabric, "admin:admin", null)).isEqualTo(204);
        assertThat(sendTo(second, "PUT", fabric, "admin:admin", body + " ".repeat(LONGEST - body.length() + 1)))
            .isEqualTo(413);
        assertThat(sendTo(second, "DELETE", fabric, "admin:admin", null)).isEqualTo(404);
    }

    private static String secondServer() {
        return "http://127.0.0.1:" + controller.port("restconf2");
    }

    private static void send(final String method, final String path, final String login, final String body) {
        sendTo(controller.restconf().root().replace("/rests", ""), method, path, login, body);
    }

    private static int sendTo(final String root, final String method, final String path, final String login,
            final String body) {
        final var request = HttpRequest.newBuilder(URI.create(root + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Basic " + Base64.getEncoder()
                .encodeToString(login.getBytes(StandardCharsets.UTF_8)))
            .header("Content-Type", root.equals(secondServer()) ? "application/yang-data+json" : "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build();
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void commandsOfTheShellAreWrittenOnce() {
        shell.run("daqfabric:show -f audited-by-name");
        assertThat(with("access", reads, "command", "audited-by-name")).singleElement();
        shell.run("daqfabric:drain -y -f audited-by-name p1s1");
        assertThat(with("audit", changes, "command", "audited-by-name")).singleElement().satisfies(line -> {
            assertThat(text(line, "command")).isEqualTo("daqfabric:drain -y -f audited-by-name p1s1");
            assertThat(text(line, "via")).isEqualTo("shell");
            assertThat(text(line, "user")).isEqualTo("karaf");
            assertThat(text(line, "from")).startsWith("127.0.0.1:");
            assertThat(text(line, "result")).startsWith("failed: ");
        });
        shell.run("shell:echo 'audited\n{\"user\": \"forged\"}'").orFail();
        assertThat(with("audit", changes, "command", "echo 'audited")).singleElement().satisfies(line -> {
            assertThat(text(line, "command")).contains("\n{\"user\": \"forged\"}'");
            assertThat(text(line, "result")).isEqualTo("ok");
        });
        assertThat(lines("audit")).noneMatch(line -> text(line, "user").equals("forged"))
            .as("what each login begins with").noneMatch(line -> text(line, "command").startsWith("//"));
    }

    /** A node that calls itself so is refused, and neither its name nor that of a user makes a line of the log. */
    @Test
    void namesForgeNoLineOfTheLog(final Lab lab) {
        final var fabric = lab.converged(lab.generate("forged", "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1"
            + " --dcms 1"));
        final var log = new ControllerLog(controller);
        final var name = fabric.name() + ".r1-1";
        fabric.vsctl("r1-1", "set", "Open_vSwitch", ".",
            "external_ids:system-id=\"" + name + "\\n" + FORGED + "\"");
        send("GET", "/rests/data", "mallory\n" + FORGED_NAME + ":x", null);
        await("the refusal").atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(controller.logLines())
            .anyMatch(line -> line.contains(name) && line.contains("characters that cannot be shown")));
        assertThat(controller.logLines()).noneMatch(line -> line.startsWith("2026-01-01T00"));
        assertThat(log.newEntries()).noneMatch(entry -> entry.level().equals("ERROR") && entry.isOurs());
        fabric.vsctl("r1-1", "set", "Open_vSwitch", ".", "external_ids:system-id=" + name);
        fabric.awaitPhase("converged");
    }
}
