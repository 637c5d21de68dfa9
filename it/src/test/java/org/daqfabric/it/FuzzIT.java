package org.daqfabric.it;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingInt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No RESTCONF write or rpc makes the controller fail, and no malformed one disturbs a running fabric.
 * {@code -Dfuzz.seed=N} repeats the requests; their order among the connections differs from run to run.
 * {@code -Dfuzz.minutes=N} goes on for so long with each test, from a fresh seed to the next ones.
 */
@ExtendWith(SharedController.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzIT {
    private static final Logger LOG = LoggerFactory.getLogger(FuzzIT.class);
    private static final int ROUNDS = 6;
    private static final int REQUESTS_PER_ROUND = 450; // requests
    private static final int CONNECTIONS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    private LabFabric fabric;
    private FabricFile good;
    private JsonElement config;
    private long generation;
    private ControllerLog log;

    @BeforeAll
    void bringUp(final Lab lab, final Distribution controller) {
        good = lab.generate("target", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        fabric = lab.converged(good);
        fabric.assertAllReachable();
        config = config(controller.restconf());
        log = new ControllerLog(controller);
    }

    static LongStream seeds() {
        final int minutes = Integer.getInteger("fuzz.minutes", 0);
        if (minutes == 0) {
            return LongStream.of(Long.getLong("fuzz.seed", 2));
        }
        final long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
        return LongStream.iterate(Long.getLong("fuzz.seed", new Random().nextInt(1 << 30)), seed -> seed + 1)
            .takeWhile(seed -> System.nanoTime() < end);
    }

    /** The controller does not fail, gives a reason for each refusal, and leaves the running fabric unchanged. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void malformedRequestsDoNoHarm(final long seed, final Distribution controller) throws Exception {
        final var requests = new BadRequests(seed, good, withEveryLeaf(good));
        final var failures = new ConcurrentLinkedQueue<String>();
        final var statuses = new ConcurrentLinkedQueue<Integer>();
        final var start = System.nanoTime();
        for (int round = 0; round < ROUNDS && failures.isEmpty(); round++) {
            final boolean wasChanged = send(requests, round, controller, failures, statuses);
            checkpoint(controller.restconf(), wasChanged, failures);
        }
        LOG.info("Seed {}: {} requests in {} ms, answers {}", seed, statuses.size(), (System.nanoTime() - start)
            / 1_000_000, new TreeMap<>(statuses.stream().collect(groupingBy(each -> each, summingInt(each -> 1)))));
        assertNone(seed, failures);
    }

    private static void assertNone(final long seed, final Queue<String> failures) {
        // on one line: the summary of a failed run shows only the first
        final var shown = failures.stream().map(each -> each.substring(0, Math.min(each.length(), 500))
            .replace('\n', '|'));
        assertThat(failures.size()).as("seed %s: %s", seed, shown.toList()).isZero();
    }

    /**
     * Every rpc of ours answers whatever it is given, in JSON and XML, with a result or a reason. What rpcs may change
     * they may change; in the end the fabric is configured as it was, and runs.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRpcAnswers(final long seed, final Distribution controller) throws Exception {
        final var restconf = controller.restconf();
        final var backup = restconf.post("operations/daqfabric-backup:backup", "{\"input\": {}}").orFail().json()
            .getAsJsonObject("daqfabric-backup:output").get("backup").getAsString();
        final var requests = new RpcRequests(seed, good, backup);
        final var failures = new ConcurrentLinkedQueue<String>();
        final var statuses = new ConcurrentLinkedQueue<String>();
        final var start = System.nanoTime();
        inParallel(0, requests.round(), controller, (client, number) -> {
            final var request = requests.request(number);
            final var answer = watched(() -> client.send("POST", request.rpc().path(), request.body(), request.type(),
                request.type()), request, request.type(), failures);
            statuses.add(request.input() + " " + answer.status() + (answer.status() < 300 ? " " + request.rpc() : ""));
        });
        LOG.info("Seed {}: {} calls in {} ms, answers {}", seed, statuses.size(), (System.nanoTime() - start)
            / 1_000_000, new TreeMap<>(statuses.stream().collect(groupingBy(each -> each, summingInt(each -> 1)))));
        endRuns(restconf);
        settle();
        fabric.assertAllReachable();
        assertThat(config(restconf)).isEqualTo(config);
        log.newEntries().forEach(entry -> FuzzOracle.fault(entry)
            .ifPresent(fault -> failures.add(fault + "\n" + entry)));
        assertNone(seed, failures);
    }

    /** A run keeps the fabric's configuration as it is. */
    private static void endRuns(final Restconf restconf) {
        final var all = restconf.get("data/daqfabric-run-control:run-control?content=nonconfig");
        if (all.status() == 200) {
            final var control = all.json().getAsJsonObject("daqfabric-run-control:run-control");
            for (var each : FabricFile.entries(control, "partition")) {
                restconf.post("operations/daqfabric-run-control:abort", "{\"input\": {\"request-id\": \""
                    + UUID.randomUUID() + "\", \"partition\": " + each.get("name") + "}}").orFail();
            }
        }
    }

    /**
     * State cannot be written. OpenDaylight's data tree would refuse it before the cohort is asked, and block all later
     * writes until a timeout: it never comes there.
     */
    @Test
    void stateCannotBeWritten(final Restconf restconf) {
        final var state = JsonParser.parseString("{\"phase\": \"waiting\"}");
        final var file = good.copy();
        file.fabric().add("state", state);
        final var refused = restconf.put(fabric.path(), file.json());
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.errors()).contains("/state", "leave it out");

        final var begin = System.nanoTime();
        restconf.put("data/daqfabric:fabrics/fabric=next", "{\"daqfabric:fabric\": [{\"name\": \"next\"}]}").orFail();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
        restconf.delete("data/daqfabric:fabrics/fabric=next").orFail();
        assertThat(config(restconf)).isEqualTo(config);
        assertThat(fabric.state().generation()).isEqualTo(generation);
    }

    /** Returns whether the running fabric was changed. */
    private static boolean send(final BadRequests requests, final int round, final Distribution controller,
            final Queue<String> failures, final Queue<Integer> statuses)
            throws InterruptedException, ExecutionException {
        final boolean mustRefuse = round % 2 == 0;
        final var changed = new AtomicBoolean();
        inParallel(round * REQUESTS_PER_ROUND, (round + 1) * REQUESTS_PER_ROUND, controller, (restconf, number) -> {
            final var request = requests.request(number, mustRefuse);
            final var answer = watched(() -> restconf.send(request.method(), request.path(), request.body(),
                request.type()), request, request.type(), failures);
            statuses.add(answer.status());
            if (answer.status() < 300 && request.forRunning() && !request.method().equals("GET")) {
                changed.set(true);
            }
        });
        return changed.get();
    }

    /** Sends the requests from one number to another, each connection the next that none has sent. */
    private static void inParallel(final int from, final int to, final Distribution controller,
            final BiConsumer<Restconf, Integer> one) throws InterruptedException, ExecutionException {
        final var next = new AtomicInteger(from);
        try (var connections = Executors.newFixedThreadPool(CONNECTIONS)) {
            final var ends = IntStream.range(0, CONNECTIONS).mapToObj(each -> connections.submit(() -> {
                final var restconf = controller.restconf();
                for (int number = next.getAndIncrement(); number < to; number = next.getAndIncrement()) {
                    one.accept(restconf, number);
                }
            })).toList();
            for (var end : ends) {
                end.get();
            }
        }
    }

    /** The answer to a request, which is a failure if it shows a fault of ours or takes too long. */
    private static Restconf.Answer watched(final Supplier<Restconf.Answer> request, final Object shown,
            final String type, final Queue<String> failures) {
        final var begin = System.nanoTime();
        final var answer = answer(request, shown);
        final var time = Duration.ofNanos(System.nanoTime() - begin);
        if (time.compareTo(TIMEOUT) > 0) {
            failures.add("took " + time + ": " + shown);
        }
        FuzzOracle.fault(answer, type).ifPresent(fault -> failures.add(fault + "\n" + shown + "\n" + answer.status()
            + " " + answer.body()));
        return answer;
    }

    /** Retries if the server closed the connection, which it may do after a body that it did not read to the end. */
    private static Restconf.Answer answer(final Supplier<Restconf.Answer> request, final Object shown) {
        try {
            return request.get();
        } catch (UncheckedIOException e) {
            LOG.info("Sent again: {}", shown, e);
            return request.get();
        }
    }

    private void checkpoint(final Restconf restconf, final boolean wasChanged, final Queue<String> failures) {
        final var begin = System.nanoTime();
        final var all = restconf.get("data/daqfabric:fabrics?content=config&fields=fabric(name)").orFail().json()
            .getAsJsonObject("daqfabric:fabrics");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
        for (var each : FabricFile.entries(all, "fabric")) {
            final var name = each.get("name").getAsString();
            if (!name.equals(fabric.name())) {
                restconf.delete("data/daqfabric:fabrics/fabric=" + name).orFail();
            }
        }
        if (wasChanged) {
            settle();
        }
        fabric.assertAllReachable();
        final var state = fabric.state();
        assertThat(state.phase()).as(state.summary()).isEqualTo("converged");
        assertThat(state.generation()).isEqualTo(generation);
        assertThat(config(restconf)).isEqualTo(config);
        log.newEntries().forEach(entry -> FuzzOracle.fault(entry)
            .ifPresent(fault -> failures.add(fault + "\n" + entry)));
    }

    /** What was found with one seed is not found again with the next. */
    @BeforeEach
    void begin(final Restconf restconf) {
        endRuns(restconf);
        settle();
    }

    /** The fabric is configured and runs as at first. */
    private void settle() {
        fabric.put(good);
        // links that have failed often are used again after a minute
        await("settled again").atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(300))
            .untilAsserted(() -> {
                final var state = fabric.state();
                final var former = generation;
                generation = state.generation();
                assertThat(state.phase()).as(state.summary()).isEqualTo("converged");
                assertThat(generation).isEqualTo(former);
            });
    }

    private JsonElement config(final Restconf restconf) {
        return sorted(restconf.get(fabric.path() + "?content=config").orFail().json());
    }

    /** A copy with list entries in a fixed order. */
    private static JsonElement sorted(final JsonElement json) {
        if (json instanceof JsonArray array) {
            final var sorted = new JsonArray();
            array.asList().stream().map(FuzzIT::sorted).sorted(Comparator.comparing(JsonElement::toString))
                .forEach(sorted::add);
            return sorted;
        }
        if (json instanceof JsonObject object) {
            final var sorted = new JsonObject();
            new TreeMap<>(object.asMap()).forEach((key, value) -> sorted.add(key, sorted(value)));
            return sorted;
        }
        return json;
    }

    /** A copy of a fabric with a value for every leaf. */
    static FabricFile withEveryLeaf(final FabricFile good) {
        final var file = good.copy();
        for (var pod : FabricFile.entries(file.fabric(), "pod")) {
            FabricFile.entries(pod, "ros").forEach(ros -> ros.addProperty("fragment-weight", "2.5"));
            for (var rack : FabricFile.entries(pod, "hlt-rack")) {
                int number = 0;
                for (var dcm : FabricFile.entries(rack, "dcm")) {
                    dcm.addProperty("weight", "0.5");
                    dcm.addProperty("port", "d" + ++number);
                    dcm.addProperty("mac", "02:00:00:00:" + (10 + pod.get("id").getAsInt()) + ":1" + number);
                }
            }
            pod.add("host", JsonParser.parseString("""
                [{"name": "host%1$s", "address": "10.250.%1$s.1", "switch": "%2$s", "port": "eth5",
                  "mac": "02:00:00:00:%1$s:50"}]""".formatted(pod.get("id").getAsInt() + 10,
                FabricFile.entries(pod, "hlt-rack").get(0).get("switch").getAsString())));
        }
        file.fabric().add("flow", JsonParser.parseString("""
            [{"name": "assign", "from": "host11", "to": "all-dcms", "kind": "control", "rate": "0.001"},
             {"name": "record", "from": "all-dcms", "to": "host11", "kind": "events", "share": "0.01"}]"""));
        for (var each : FabricFile.entries(file.fabric(), "switch")) {
            each.addProperty("bridge", "br-fuzz");
            each.addProperty("datapath-type", "netdev");
            each.addProperty("admin-state", "in-service");
            each.add("dpdk", JsonParser.parseString("""
                {"socket-mem": "1024,0", "pmd-cpus": "2,4-7", "lcore-cpus": "0", "extra": "-a 0000:01:00.0"}"""));
        }
        file.fabric().addProperty("mtu", 1500);
        final var dialled = file.switchNamed("p1s1");
        dialled.addProperty("ovsdb-address", "127.0.0.1");
        dialled.addProperty("ovsdb-port", 1);
        for (var each : FabricFile.entries(file.fabric(), "link")) {
            each.addProperty("capacity", "40");
            each.addProperty("admin-state", "in-service");
            each.add("port-settings", JsonParser.parseString("{\"kind\": \"system\"}"));
        }
        file.fabric().add("policy", JsonParser.parseString("""
            {"placement": {"algorithm": "waterfilling", "return": "at-once", "granularity": "dcm"},
             "daqring": {"on": "none", "backend": "none", "ring-size": 4096, "max-burst": 32, "polling-interval": 0},
             "protection": {"fast-failover": true, "bfd": true, "bfd-interval": 50}}"""));
        return file;
    }
}
