package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A subscriber to notifications over the event stream of RESTCONF. */
final class EventStream implements AutoCloseable {
    /** A notification with its time of arrival. */
    record Event(String kind, JsonObject content, Instant arrived) {
        String text(final String leaf) {
            return content.has(leaf) ? content.get(leaf).getAsString() : "";
        }
    }

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String prefix;
    private final Stream<String> lines;

    /** Subscribes to the given kinds of notification of module daqfabric-run-control. */
    EventStream(final Restconf restconf, final String... kinds) {
        this(restconf, "run-control", "2026-11-21", List.of(kinds));
    }

    /** Subscribes to the given kinds of notification of the module daqfabric-MODULE. */
    EventStream(final Restconf restconf, final String module, final String revision, final List<String> kinds) {
        prefix = "daqfabric-" + module + ":";
        final var names = kinds.stream()
            .map(kind -> "\"(urn:daqfabric:" + module + "?revision=" + revision + ")" + kind + "\"")
            .collect(Collectors.joining(","));
        final var stream = restconf.post("operations/sal-remote:create-notification-stream",
            "{\"input\":{\"notifications\":[" + names + "]}}").orFail().json()
            .getAsJsonObject("sal-remote:output").get("notification-stream-identifier").getAsString();
        final var request = HttpRequest.newBuilder(URI.create(restconf.root() + "/streams/json/" + stream))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("admin:admin".getBytes()))
            .header("Accept", "text/event-stream").build();
        try {
            lines = client.send(request, BodyHandlers.ofLines()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try {
            lines.filter(line -> line.startsWith("data:")).forEach(line -> add(line.substring("data:".length())));
        } catch (UncheckedIOException e) {
            // closed
        }
    }

    private void add(final String json) {
        final var notification = JsonParser.parseString(json).getAsJsonObject()
            .getAsJsonObject("ietf-restconf:notification");
        notification.keySet().stream().filter(key -> key.startsWith(prefix)).findAny().ifPresent(key -> events.add(
            new Event(key.substring(prefix.length()), notification.getAsJsonObject(key), Instant.now())));
    }

    /** All notifications so far, in order. */
    List<Event> events() {
        return List.copyOf(events);
    }

    /** Waits for the first event of a kind that meets a condition; it may have arrived already. */
    Event awaitEvent(final String kind, final Predicate<Event> condition) {
        return await(kind).atMost(Duration.ofSeconds(20)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5))
            .until(() -> events.stream().filter(event -> event.kind().equals(kind) && condition.test(event))
                .findFirst(), found -> found.isPresent()).orElseThrow();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
