package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A headless Chromium, driven over W3C WebDriver by its own chromedriver. */
final class Browser implements AutoCloseable {
    static final String ENTER = "\uE007";
    static final String ESCAPE = "\uE00C";
    static final String TAB = "\uE004";
    static final String DOWN = "\uE015";
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final List<String> FLAGS = List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
        "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--window-size=1440,900");

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process driver;
    private final Path profile;
    private final String session;

    Browser() {
        try {
            profile = Files.createTempDirectory("daqfabric-browser");
            driver = new ProcessBuilder("chromedriver", "--port=0").redirectErrorStream(true).start();
            final var root = "http://127.0.0.1:" + port();
            final var arguments = new JsonArray();
            FLAGS.forEach(arguments::add);
            arguments.add("--user-data-dir=" + profile);
            final var capabilities = object("alwaysMatch", object("goog:chromeOptions", object("args", arguments)));
            session = root + "/session/" + send("POST", root + "/session", object("capabilities", capabilities))
                .getAsJsonObject().get("sessionId").getAsString();
            // the page has the focus, whatever the window has: a window without a desktop loses it now and then
            devtools("Emulation.setFocusEmulationEnabled", enabled());
        } catch (IOException e) {
            throw new UncheckedIOException("chromedriver does not start: run scripts/setup tests", e);
        }
    }

    /** The port on which chromedriver listens, read from its output. */
    private int port() throws IOException {
        final var output = driver.inputReader();
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains("started successfully on port ")) {
                return Integer.parseInt(line.replaceAll("\\D+$", "").replaceAll(".*\\D", ""));
            }
        }
        throw new IOException("chromedriver ended without a port");
    }

    void open(final String url) {
        command("POST", "/url", object("url", url));
    }

    /**
     * Clicks in the middle of the first element that a CSS selector finds; an element covering it would get the click.
     */
    void click(final String selector) {
        final var place = value(
            "(element => { element.scrollIntoView({ block: 'nearest' }); const box = element.getBoundingClientRect();"
            + " return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }; })("
            + "document.querySelector("
            + quoted(selector) + "))").getAsJsonObject();
        place.addProperty("type", "pointerMove");
        final var down = object("type", "pointerDown");
        final var up = object("type", "pointerUp");
        down.addProperty("button", 0);
        up.addProperty("button", 0);
        perform("pointer", List.of(place, down, up));
    }

    /** Types keys to the element that has the focus. */
    void type(final String keys) {
        final var actions = new ArrayList<JsonObject>();
        keys.codePoints().mapToObj(Character::toString).forEach(key -> {
            for (var type : new String[] { "keyDown", "keyUp" }) {
                final var action = object("type", type);
                action.addProperty("value", key);
                actions.add(action);
            }
        });
        perform("key", actions);
    }

    private void perform(final String device, final List<JsonObject> actions) {
        final var source = object("type", device);
        source.addProperty("id", device);
        final var list = new JsonArray();
        actions.forEach(list::add);
        source.add("actions", list);
        final var all = new JsonArray();
        all.add(source);
        command("POST", "/actions", object("actions", all));
    }

    /** Presses Tab until a condition holds in the document. */
    void tabTo(final String condition) {
        for (int stops = 0; stops < 100; stops++) {
            type(TAB);
            if (holds(condition)) {
                return;
            }
        }
        throw new AssertionError("Tab never leads to: " + condition);
    }

    /** The value of a JavaScript expression. */
    JsonElement value(final String expression) {
        final var script = object("script", "return " + expression);
        script.add("args", new JsonArray());
        return command("POST", "/execute/sync", script);
    }

    String text(final String selector) {
        return value("[...document.querySelectorAll(" + quoted(selector) + ")].map(e => e.textContent).join('\\n')")
            .getAsString();
    }

    private boolean holds(final String condition) {
        return value("Boolean(" + condition + ")").getAsBoolean();
    }

    /** Waits until a condition holds in the document. */
    void awaitThat(final String condition) {
        await(condition).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .until(() -> holds(condition));
    }

    /** Waits until the elements that a selector finds contain a text. */
    void awaitText(final String selector, final String text) {
        await(selector + ": " + text).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .until(() -> text(selector), found -> found.contains(text));
    }

    /** Switches the browser offline or online. */
    void offline(final boolean offline) {
        devtools("Network.enable", new JsonObject());
        final var conditions = new JsonObject();
        conditions.addProperty("offline", offline);
        conditions.addProperty("latency", 0);
        conditions.addProperty("downloadThroughput", -1);
        conditions.addProperty("uploadThroughput", -1);
        devtools("Network.emulateNetworkConditions", conditions);
    }

    /** Runs a script in every document that is opened from now on, before its own. */
    void runFirst(final String script) {
        devtools("Page.addScriptToEvaluateOnNewDocument", object("source", script));
    }

    /** Makes the window as large as a screen of that size. */
    void resize(final int width, final int height) {
        final var size = new JsonObject();
        size.addProperty("width", width);
        size.addProperty("height", height);
        size.addProperty("deviceScaleFactor", 1);
        size.addProperty("mobile", false);
        devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /** Says what the user prefers, as {@code prefers-reduced-motion: reduce}. */
    void prefer(final String feature, final String value) {
        final var preference = object("name", feature);
        preference.addProperty("value", value);
        final var features = new JsonArray();
        features.add(preference);
        devtools("Emulation.setEmulatedMedia", object("features", features));
    }

    /**
     * Numbers of the browser about the document, such as Nodes or ScriptDuration, after the garbage is collected. Nodes
     * and scripts have heaps of their own that hold each other, so once is not always enough.
     */
    Map<String, Double> metrics() {
        devtools("Performance.enable", new JsonObject());
        var metrics = collected();
        for (var before = metrics.get("Nodes") + 1; metrics.get("Nodes") < before; metrics = collected()) {
            before = metrics.get("Nodes");
        }
        return metrics;
    }

    private Map<String, Double> collected() {
        devtools("HeapProfiler.collectGarbage", new JsonObject());
        final var metrics = new TreeMap<String, Double>();
        devtools("Performance.getMetrics", new JsonObject()).getAsJsonObject().getAsJsonArray("metrics")
            .forEach(each -> metrics.put(each.getAsJsonObject().get("name").getAsString(),
                each.getAsJsonObject().get("value").getAsDouble()));
        return metrics;
    }

    private static JsonObject enabled() {
        final var parameters = new JsonObject();
        parameters.addProperty("enabled", true);
        return parameters;
    }

    private JsonElement devtools(final String name, final JsonObject parameters) {
        final var body = object("cmd", name);
        body.add("params", parameters);
        return command("POST", "/goog/cdp/execute", body);
    }

    /** Saves a screenshot as PNG. */
    void screenshot(final Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode(command("GET", "/screenshot", null).getAsString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            command("DELETE", "", null);
        } finally {
            driver.destroy();
            try {
                driver.waitFor(10, TimeUnit.SECONDS);
                try (var files = Files.walk(profile)) {
                    files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static String quoted(final String text) {
        return new JsonPrimitive(text).toString();
    }

    private static JsonObject object(final String name, final String value) {
        final var object = new JsonObject();
        object.addProperty(name, value);
        return object;
    }

    private static JsonObject object(final String name, final JsonElement value) {
        final var object = new JsonObject();
        object.add(name, value);
        return object;
    }

    private JsonElement command(final String method, final String path, final JsonObject body) {
        return send(method, session + path, body);
    }

    private JsonElement send(final String method, final String url, final JsonObject body) {
        final var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString())).build();
        try {
            final var answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError(method + " " + url + " " + body + ": " + answer.body());
            }
            return JsonParser.parseString(answer.body()).getAsJsonObject().get("value");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
