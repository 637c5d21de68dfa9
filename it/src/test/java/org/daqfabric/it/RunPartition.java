package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

/** A partition, controlled over RESTCONF. */
final class RunPartition {
    private final Restconf restconf;
    private final String name;
    private final String fabric;

    RunPartition(final Restconf restconf, final String name, final String fabric) {
        this.restconf = restconf;
        this.name = name;
        this.fabric = fabric;
    }

    /** Sends a request with a new id; further input is JSON members, each preceded by a comma. */
    Restconf.Answer ask(final String rpc, final String input) {
        return ask(rpc, UUID.randomUUID().toString(), input);
    }

    Restconf.Answer ask(final String rpc, final String id, final String input) {
        return restconf.post("operations/daqfabric-run-control:" + rpc,
            "{\"input\":{\"request-id\":\"" + id + "\",\"partition\":\"" + name + "\"" + input + "}}");
    }

    Restconf.Answer prepare(final String input) {
        return ask("prepare", ",\"fabric\":\"" + fabric + "\"" + input);
    }

    /** Prepares the partition and waits until the operation is done. */
    RunPartition prepared(final String input) {
        final var id = prepare(input).orFail().json().getAsJsonObject("daqfabric-run-control:output")
            .get("operation").getAsString();
        awaitDone(id);
        return this;
    }

    /** Waits until the operation with this request-id is done. */
    void awaitDone(final String id) {
        await("operation of " + name).atMost(Duration.ofSeconds(90)).pollDelay(Duration.ZERO)
            .pollInterval(Polls.GROWING).untilAsserted(() -> {
                final var operation = json().getAsJsonObject("operation");
                assertThat(operation.get("request-id").getAsString()).isEqualTo(id);
                assertThat(operation.get("status").getAsString()).as(operation.toString()).isEqualTo("done");
            });
    }

    RunPartition armed() {
        ask("arm", "").orFail();
        return this;
    }

    RunPartition started(final long number) {
        ask("start-run", ",\"run-number\":" + number).orFail();
        return this;
    }

    /** The partition in the state tree. */
    JsonObject json() {
        return restconf.get("data/daqfabric-run-control:run-control/partition=" + name + "?content=nonconfig").orFail()
            .json().getAsJsonArray("daqfabric-run-control:partition").get(0).getAsJsonObject();
    }

    String state() {
        return text("state");
    }

    String health() {
        return text("health");
    }

    String text(final String leaf) {
        final var json = json();
        return json.has(leaf) ? json.get(leaf).getAsString() : "";
    }

    void awaitLeaf(final String leaf, final String value) {
        await(name + " " + leaf + " " + value).atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO)
            .pollInterval(Polls.GROWING).untilAsserted(() -> assertThat(text(leaf)).isEqualTo(value));
    }

    /** A leaf-list as a JSON member, preceded by a comma. */
    static String list(final String leaf, final Collection<String> names) {
        return ",\"" + leaf + "\":[" + names.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(","))
            + "]";
    }
}
