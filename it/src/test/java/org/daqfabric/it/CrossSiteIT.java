package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A page of somebody else, at another port of the controller's host, in a browser that keeps a login for the
 * controller: it changes nothing. Our own page does.
 */
@ExtendWith(SharedController.class)
class CrossSiteIT {
    private static final String RPC = "/rests/operations/daqfabric-alarms:purge-alarms";

    private static Distribution controller;
    private static String origin;
    private static HttpServer elsewhere;
    private static Browser browser;

    @BeforeAll
    static void open(final Distribution shared) throws IOException {
        controller = shared;
        origin = "127.0.0.1:" + shared.port("restconf");
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            final var page = "<!doctype html><title>elsewhere</title><iframe name=frame></iframe>"
                .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            try (var out = exchange.getResponseBody()) {
                out.write(page);
            }
        });
        elsewhere.start();
        browser = new Browser();
        browser.open("http://admin:admin@" + origin + "/daqfabric/");
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        if (elsewhere != null) {
            elsewhere.stop(0);
        }
    }

    private static List<JsonObject> requests(final String log, final String query) {
        try {
            return Files.readAllLines(controller.log().resolveSibling(log + ".log"), StandardCharsets.UTF_8).stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.has("path") && line.get("path").getAsString().equals(RPC + query)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A browser may ask without its login first, and is told to repeat the request with it. */
    private static void awaitRefused(final String query) {
        await("answer to " + query).atMost(Duration.ofSeconds(30)).untilAsserted(() ->
            assertThat(requests("access", query)).filteredOn(line -> line.get("status").getAsInt() != 401)
                .singleElement().satisfies(line -> {
                    assertThat(line.get("user").getAsString()).as("the browser's login").isEqualTo("admin@sdn");
                    assertThat(line.get("status").getAsInt()).isEqualTo(403);
                }));
        assertThat(requests("audit", query)).isEmpty();
    }

    @Test
    void anotherPageChangesNothing() {
        browser.open("http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/");
        final var target = "http://" + origin + RPC;
        browser.value("fetch('" + target + "?script', { method: 'POST', mode: 'no-cors', credentials: 'include' })"
            + ".then(() => true)");
        awaitRefused("?script");
        browser.value("(() => { const form = document.createElement('form'); form.method = 'post';"
            + " form.target = 'frame'; form.action = '" + target + "?form'; document.body.append(form); form.submit();"
            + " return true; })()");
        awaitRefused("?form");
    }

    @Test
    void ourOwnPageDoes() {
        browser.open("http://admin:admin@" + origin + "/daqfabric/");
        // a path alone would be completed by the login in the page's address, which fetch refuses
        assertThat(browser.value("fetch(location.origin + '" + RPC + "?own', { method: 'POST', headers:"
            + " { 'Content-Type': 'application/yang-data+json' }, body: '{\"input\":{\"alarm-status\":\"cleared\"}}'"
            + " }).then(answer => answer.status)").getAsInt()).isNotEqualTo(403);
        await("answer").atMost(Duration.ofSeconds(30)).until(() -> !requests("audit", "?own").isEmpty());
    }

    /** Whatever the distribution serves: a request that is the same but for who made it is answered otherwise. */
    @ParameterizedTest
    @ValueSource(strings = { "/rests/data/daqfabric:fabrics/fabric=nobody", "/auth/v1/users", "/auth/v1/roles",
        "/daqfabric/", "/metrics/", "/openapi/explorer/index.html", "/.well-known/host-meta", "/jolokia/" })
    void inEveryContext(final String path) throws Exception {
        // what gets past says that it is no JSON, or that there is no such method
        final int refused = path.startsWith("/jolokia") ? 401 : 403;
        for (var method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            assertThat(status(method, path, "same-site")).as(method).isEqualTo(refused);
            assertThat(status(method, path, "same-origin")).as(method + " of our own page").isNotIn(401, 403);
        }
    }

    /** Jolokia changes things by GET, too. */
    @Test
    void jolokiaIsNotReadFromElsewhere() throws Exception {
        assertThat(status("GET", "/jolokia/version", "same-site")).isEqualTo(401);
        assertThat(status("GET", "/jolokia/version", "same-origin")).isEqualTo(200);
    }

    private static int status(final String method, final String path, final String site) throws Exception {
        final var request = HttpRequest.newBuilder(URI.create("http://" + origin + path + "?every-context"))
            .timeout(Duration.ofSeconds(30)).header("Sec-Fetch-Site", site).header("Content-Type", "application/json")
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("admin:admin".getBytes()))
            .method(method, HttpRequest.BodyPublishers.ofString("no JSON")).build();
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
