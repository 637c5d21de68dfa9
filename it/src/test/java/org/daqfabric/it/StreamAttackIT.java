package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may only read makes streams of events that nobody reads, and names notifications that there are not. */
@ExtendWith(SharedController.class)
class StreamAttackIT {
    private static final int OF_USER = 64;
    private static final String RUN_STATE = "(urn:daqfabric:run-control?revision=2026-11-21)run-state";
    private static final String RPC = "operations/sal-remote:create-notification-stream";

    /** Who makes too many is refused, an operator is not, and the log has no line of it. */
    @Test
    void aViewersStreamsKeepNobodyOut(final Distribution controller, final Restconf restconf) throws Exception {
        final var viewer = Viewer.make(restconf, "watcher", "of watchers");
        try (var client = HttpClient.newHttpClient()) {
            final var log = new ControllerLog(controller);
            for (int number = 0; number < 100; number++) {
                final var refused = make(client, restconf, viewer, input("(urn:daqfabric:run-control)run-state"));
                assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
                assertThat(refused.errors()).contains("invalid-value", "/sal-remote:input/notifications",
                    "is no notification here: write " + RUN_STATE);
            }
            assertThat(log.newEntries()).noneMatch(entry -> entry.hasTrace() || entry.bundle().contains("restconf")
                || entry.toString().contains("run-state") || entry.toString().contains("sal-remote"));

            final var input = input(RUN_STATE);
            final var first = make(client, restconf, viewer, input).orFail();
            assertThat(make(client, restconf, viewer, input).body()).as("the same request").isEqualTo(first.body());
            for (int number = 1; number < OF_USER; number++) {
                make(client, restconf, viewer, input + " ".repeat(number)).orFail();
            }
            final var refused = make(client, restconf, viewer, input + " ".repeat(OF_USER));
            assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
            assertThat(refused.errors()).contains("resource-denied", "too many streams of events", "user watcher");
            restconf.post(RPC, input).orFail();
        } finally {
            viewer.remove();
        }
    }

    @Test
    @Tag("long") // it takes a minute until what nobody reads ends
    void whatNobodyReadsEnds(final Restconf restconf) throws Exception {
        final var viewer = Viewer.make(restconf, "sleeper", "of sleepers");
        try (var client = HttpClient.newHttpClient()) {
            final var input = input(RUN_STATE) + '\n';
            for (int number = 0; number < OF_USER; number++) {
                make(client, restconf, viewer, input + " ".repeat(number)).orFail();
            }
            assertThat(make(client, restconf, viewer, input + " ".repeat(OF_USER)).status()).isEqualTo(409);
            await("the end of what nobody reads").atMost(Duration.ofSeconds(90)).until(() ->
                make(client, restconf, viewer, input + " ".repeat(OF_USER)).status() == 200);
        } finally {
            viewer.remove();
        }
    }

    private static String input(final String notification) {
        return "{\"input\":{\"notifications\":[\"" + notification + "\"]}}";
    }

    private static Restconf.Answer make(final HttpClient client, final Restconf restconf, final Viewer viewer,
            final String input) throws IOException, InterruptedException {
        final var address = URI.create(restconf.root() + "/" + RPC);
        final var answer = client.send(HttpRequest.newBuilder(address).header("Authorization", viewer.authorization())
            .header("Content-Type", "application/yang-data+json").POST(BodyPublishers.ofString(input)).build(),
            BodyHandlers.ofString());
        return new Restconf.Answer("POST " + RPC, answer.statusCode(), answer.body());
    }
}
