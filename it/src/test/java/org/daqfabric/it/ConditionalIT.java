package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that change a fabric only if nobody else has, and PATCH, which makes none. */
@ExtendWith(SharedController.class)
class ConditionalIT {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String FABRIC = "data/daqfabric:fabrics/fabric=conditional";
    private static final String OLD = "Sat, 01 Jan 2000 00:00:00 GMT";

    private static Restconf restconf;

    @BeforeAll
    static void make(final Restconf shared) {
        restconf = shared;
        restconf.put(FABRIC, fabric(1500)).orFail();
    }

    @AfterAll
    static void remove() {
        restconf.delete(FABRIC).orFail();
    }

    private static String fabric(final int mtu) {
        return "{\"daqfabric:fabric\":[{\"name\":\"conditional\",\"mtu\":" + mtu + "}]}";
    }

    private static HttpRequest request(final String method, final String path, final String body,
            final String... headers) {
        final var request = HttpRequest.newBuilder(URI.create(restconf.root() + "/" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("admin:admin".getBytes()))
            .header("Accept", "application/yang-data+json").header("Content-Type", "application/yang-data+json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return headers.length == 0 ? request.build() : request.headers(headers).build();
    }

    private static HttpResponse<String> send(final String method, final String path, final String body,
            final String... headers) throws Exception {
        return CLIENT.send(request(method, path, body, headers), BodyHandlers.ofString());
    }

    private static String tag(final String path) throws Exception {
        return send("GET", path, null).headers().firstValue("ETag").orElseThrow();
    }

    private static void refused(final HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(412);
        assertThat(answer.body()).contains("operation-failed", "/daqfabric:fabrics/fabric[name='");
    }

    /** Somebody else's change is not undone by who has not seen it. */
    @Test
    void staleRequestsChangeNothing() throws Exception {
        final var before = tag(FABRIC + "?content=config");
        for (var header : List.of(List.of("If-Match", "\"stale\""), List.of("If-None-Match", "*"),
                List.of("If-Unmodified-Since", OLD))) {
            refused(send("PUT", FABRIC, fabric(9000), header.get(0), header.get(1)));
            refused(send("DELETE", FABRIC, null, header.get(0), header.get(1)));
            refused(send("PATCH", FABRIC, fabric(9000), header.get(0), header.get(1)));
        }
        refused(send("PUT", FABRIC + "/mtu", "{\"daqfabric:mtu\":9000}", "If-Match", "\"stale\""));
        assertThat(tag(FABRIC + "?content=config")).isEqualTo(before);
    }

    /** With and without state the tag is the same, it changes with the node, and whoever has it is told so. */
    @Test
    void whoHasSeenItChangesIt() throws Exception {
        final var before = tag(FABRIC);
        assertThat(tag(FABRIC + "?content=config")).isEqualTo(before);
        assertThat(send("GET", FABRIC + "?content=nonconfig", null).headers().firstValue("ETag")).isEmpty();
        assertThat(send("GET", FABRIC + "?content=config", null, "If-None-Match", before)).satisfies(answer -> {
            assertThat(answer.statusCode()).isEqualTo(304);
            assertThat(answer.body()).isEmpty();
        });
        assertThat(send("GET", FABRIC, null, "If-None-Match", before).statusCode()).as("with state").isEqualTo(200);
        final int mtu = send("GET", FABRIC + "?content=config", null).body().contains("2000") ? 2001 : 2000;
        assertThat(send("PUT", FABRIC, fabric(mtu), "If-Match", "W/" + before).statusCode()).isEqualTo(204);
        final var after = tag(FABRIC);
        assertThat(after).isNotEqualTo(before);
        assertThat(send("PUT", FABRIC + "/mtu", "{\"daqfabric:mtu\":" + (mtu + 10) + "}", "If-Match",
            tag(FABRIC + "/mtu")).statusCode()).isEqualTo(204);
    }

    /** What is in a fabric has a tag of its own, which others of it leave as it is; so has the list of all. */
    @Test
    void partsOfAFabricHaveTags() throws Exception {
        final var path = FABRIC + "/switch=s1";
        final var other = "{\"daqfabric:switch\":[{\"name\":\"s1\",\"system-id\":\"conditional.s1\","
            + "\"bridge\":\"br-x\"}]}";
        try {
            assertThat(send("PUT", path, other.replace("br-x", "br-daq"), "If-None-Match", "*").statusCode())
                .isEqualTo(201);
            refused(send("PUT", path, other, "If-None-Match", "*"));
            final var before = tag(path);
            final var all = tag("data/daqfabric:fabrics");
            assertThat(send("PATCH", FABRIC + "/mtu", "{\"daqfabric:mtu\":1700}").statusCode()).isIn(200, 204);
            assertThat(tag("data/daqfabric:fabrics")).isNotEqualTo(all);
            refused(send("PUT", path, other, "If-Match", "\"stale\""));
            assertThat(send("PUT", path, other, "If-Match", before).statusCode()).isEqualTo(204);
            refused(send("DELETE", path, null, "If-Match", before));
            assertThat(send("DELETE", path, null, "If-Match", tag(path)).statusCode()).isEqualTo(204);
        } finally {
            restconf.put(FABRIC, fabric(1500)).orFail();
            forget("conditional.s1");
        }
    }

    /** Nodes that were never there: nothing waits for them to remove their bridges. */
    private static void forget(final String... systemIds) {
        final var nodes = new JsonArray();
        List.of(systemIds).forEach(nodes::add);
        final var input = new JsonObject();
        input.add("node", nodes);
        final var body = new JsonObject();
        body.add("input", input);
        await("removals").atMost(Duration.ofSeconds(30)).until(() -> restconf
            .post("operations/daqfabric-operations:forget-removals", body.toString()).status() == 200);
    }

    /** A fabric that has a history, as it can be read. */
    private record Recorded(FabricFile file) {
        String path() {
            return "data/daqfabric:fabrics/fabric=" + file.name();
        }

        String text(final int mtu) {
            file.fabric().addProperty("mtu", mtu);
            final var list = new JsonArray();
            list.add(file.fabric());
            final var document = new JsonObject();
            document.add("daqfabric:fabric", list);
            return document.toString();
        }

        private int versions() {
            final var answer = restconf.post("operations/daqfabric-operations:list-versions",
                "{\"input\":{\"fabric\":\"" + file.name() + "\"}}");
            return answer.status() == 400 ? 0 : FabricFile.entries(answer.orFail().json()
                .getAsJsonObject("daqfabric-operations:output"), "version").size();
        }

        void put(final int mtu) {
            final var before = versions();
            restconf.put(path(), text(mtu)).orFail();
            await("version").atMost(Duration.ofSeconds(30)).until(() -> versions() > before);
        }

        void remove() {
            restconf.delete(path()).orFail();
            forget(FabricFile.entries(file.fabric(), "switch").stream().map(each -> each.get("system-id").getAsString())
                .toArray(String[]::new));
        }

        String lastModified() throws Exception {
            return send("GET", path(), null).headers().firstValue("Last-Modified").orElseThrow();
        }
    }

    /** To the second: what was changed within the second of a time is not seen as changed since. */
    @Test
    void whoWritesByTheTimeOfWhatHeHasSeen(final Lab lab) throws Exception {
        final var fabric = new Recorded(
            lab.generate("times", "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 1"));
        try {
            fabric.put(4000);
            final var seen = fabric.lastModified();
            assertThat(send("PUT", fabric.path(), fabric.text(4000), "If-Unmodified-Since", seen).statusCode())
                .isEqualTo(204);
            final var mtu = new AtomicInteger(4000);
            await("another second").atMost(Duration.ofSeconds(30)).until(() -> {
                fabric.put(mtu.incrementAndGet());
                return !fabric.lastModified().equals(seen);
            });
            refused(send("PUT", fabric.path(), fabric.text(9000), "If-Unmodified-Since", seen));
        } finally {
            fabric.remove();
        }
    }

    /** Of those who have seen the same and write at the same instant one succeeds. */
    @Test
    void oneOfManyWritersSucceeds() throws Exception {
        final var before = tag(FABRIC);
        final var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int number = 0; number < 8; number++) {
            answers.add(CLIENT.sendAsync(request(number % 2 == 0 ? "PUT" : "PATCH", FABRIC, fabric(3000 + number),
                "If-Match", before), BodyHandlers.ofString()));
        }
        final var statuses = new ArrayList<Integer>();
        for (var answer : answers) {
            statuses.add(answer.get().statusCode());
        }
        assertThat(statuses).filteredOn(status -> status / 100 == 2).as(statuses.toString()).hasSize(1);
        // 409: a datastore that is held up by the collision gives up what waits, and says so
        assertThat(statuses).filteredOn(status -> status / 100 != 2).allMatch(status -> status == 412 || status == 409)
            .contains(412);
    }

    /** A typo in the address, and the same in the body, is no second fabric. */
    @Test
    void patchMakesNoFabric() throws Exception {
        final var typo = FABRIC.replace("conditional", "conditoinal");
        final var answer = send("PATCH", typo, fabric(9000).replace("conditional", "conditoinal"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
        assertThat(answer.body()).contains("there is no such entry", "conditoinal");
        assertThat(send("PATCH", typo + "/mtu", "{\"daqfabric:mtu\":9000}").statusCode()).isEqualTo(404);
        assertThat(restconf.get("data/daqfabric:fabrics?content=config").json().toString()).contains("conditional")
            .doesNotContain("conditoinal");
        assertThat(send("PATCH", FABRIC + "/mtu", "{\"daqfabric:mtu\":1600}").statusCode()).isIn(200, 204);
    }
}
