package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.daqfabric.it.sim.SimFabric;

/** A fabric of simulated switches, and its configuration and state in the controller. */
final class SimulatedFabric implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);
    /** For measurements, whose times are in the answer: polling takes time from the controller. */
    private static final Duration SLOW_POLL = Duration.ofMillis(200);

    /** One client for all requests: each client has its own connections, which stay open for half a minute. */
    private final Restconf restconf;
    private final FabricFile file;
    private final Duration timeout;
    private final SimFabric switches;

    /**
     * Creates the fabric with all switches powered off.
     *
     * @param knowsRings whether the switches support daqrings
     * @param timeout how long conditions are waited for
     */
    SimulatedFabric(final Distribution controller, final FabricFile file, final boolean knowsRings,
            final Duration timeout) {
        restconf = controller.restconf();
        this.file = file;
        this.timeout = timeout;
        switches = new SimFabric(file.fabric(), new InetSocketAddress(controller.address(), controller.port("ovsdb")),
            knowsRings);
    }

    FabricFile file() {
        return file;
    }

    SimFabric switches() {
        return switches;
    }

    /** Configures the fabric in the controller. */
    SimulatedFabric put() {
        restconf.put(path(), file.json()).orFail();
        return this;
    }

    /** Removes the fabric from the configuration. */
    void delete() {
        restconf.delete(path()).orFail();
    }

    String phase() {
        final var answer = restconf.get(path() + "/state/phase?content=nonconfig");
        return answer.status() == 200 ? answer.json().get("daqfabric:phase").getAsString() : "absent";
    }

    SimulatedFabric awaitPhase(final String phase) {
        final var last = new AtomicReference<>("");
        await(file.name()).atMost(timeout).pollDelay(Duration.ZERO).pollInterval(POLL).untilAsserted(() -> {
            last.set(phase());
            // only the phase is read: the whole state takes long to write
            assertThat(last.get()).isEqualTo(phase);
        });
        return this;
    }

    FabricState state() {
        final var answer = restconf.get(path() + "/state?content=nonconfig");
        return new FabricState(answer.status() == 200 ? answer.json().getAsJsonObject("daqfabric:state")
            : new JsonObject());
    }

    FabricState awaitState(final String what, final Predicate<FabricState> condition) {
        final var last = new AtomicReference<FabricState>();
        await(file.name() + ": " + what).atMost(timeout).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .untilAsserted(() -> {
                last.set(state());
                assertThat(condition.test(last.get())).as(last.get().summary()).isTrue();
            });
        return last.get();
    }

    /** Waits until a repair that was detected after that time is confirmed, and returns it. */
    JsonObject awaitRepair(final OffsetDateTime after) {
        final var found = new AtomicReference<JsonObject>();
        await("repair of " + file.name()).atMost(timeout).pollDelay(SLOW_POLL).pollInterval(SLOW_POLL).until(() -> {
            final var answer = restconf.get(path() + "/state/last-repair?content=nonconfig");
            if (answer.status() == 200) {
                final var state = new JsonObject();
                state.add("last-repair", answer.json().get("daqfabric:last-repair"));
                found.set(state.getAsJsonObject("last-repair"));
                return new FabricState(state).isRepairedSince(after);
            }
            return false;
        });
        return found.get();
    }

    /** The second step of a repair, if one that began after that time is confirmed. */
    Optional<JsonObject> balanceSince(final OffsetDateTime time) {
        final var answer = restconf.get(path() + "/state/last-rebalanced?content=nonconfig");
        return answer.status() != 200 ? Optional.empty()
            : Optional.of(answer.json().getAsJsonObject("daqfabric:last-rebalanced")).filter(step ->
            step.has("confirmed") && OffsetDateTime.parse(step.get("begun").getAsString()).isAfter(time));
    }

    /** Waits until all changes are confirmed and none has arrived for some time. */
    void awaitQuiet(final long nanos) {
        await("quiet in " + file.name()).atMost(timeout).pollDelay(Duration.ZERO).pollInterval(POLL).until(() -> {
            final var counts = switches.counts();
            return !counts.hasUnconfirmedChanges() && System.nanoTime()
                - Math.max(counts.lastChange(), counts.lastBarrier()) >= nanos;
        });
    }

    /** Compares all switches with their programs. */
    Findings verify() {
        return operation("verify");
    }

    /** The same, and corrects the differences. */
    Findings resync() {
        return operation("resync");
    }

    private Findings operation(final String rpc) {
        final var input = new JsonObject();
        input.addProperty("fabric", file.name());
        final var body = new JsonObject();
        body.add("input", input);
        return Findings.of(restconf.post("operations/daqfabric-operations:" + rpc, body.toString()));
    }

    private String path() {
        return "data/daqfabric:fabrics/fabric=" + file.name();
    }

    @Override
    public void close() {
        try {
            final var answer = restconf.delete(path());
            assertThat(answer.status()).as(answer.toString()).isIn(204, 404, 409);
        } finally {
            switches.close();
        }
    }
}
