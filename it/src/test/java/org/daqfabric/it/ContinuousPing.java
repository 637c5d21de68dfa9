package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pings between every ROS and DCM of a fabric, in both directions and continuously, until it is stopped. */
final class ContinuousPing implements AutoCloseable {
    private final Path report;
    private final Path log;
    private static final Logger LOG = LoggerFactory.getLogger(ContinuousPing.class);

    private final Process process;

    ContinuousPing(final LabFabric fabric, final int perSecond) {
        try {
            report = Files.createTempFile("daqfabric-ping", ".json");
            log = Files.createTempFile("daqfabric-ping", ".log");
            process = new ProcessBuilder(Lab.command("ping", fabric.name(), "--json", "--duration", "0", "--rate",
                Integer.toString(perSecond))).redirectOutput(report.toFile()).redirectError(log.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until every pair has been pinged once. */
    ContinuousPing awaitStarted() {
        try {
            await("ping").failFast(() -> !process.isAlive()).until(() -> Files.size(log) > 0);
        } catch (ConditionTimeoutException e) {
            close();
            throw e;
        }
        return this;
    }

    /** Stops; the pairs of hosts whose names meet the condition. */
    private List<JsonObject> pairs(final Predicate<String> hosts) {
        return stop().getAsJsonArray("per-pair").asList().stream().map(JsonElement::getAsJsonObject)
            .filter(pair -> hosts.test(pair.get("from").getAsString()) && hosts.test(pair.get("to").getAsString()))
            .toList();
    }

    /** Stops and asserts that there are such pairs, and all were pinged. */
    private List<JsonObject> pinged(final Predicate<String> hosts) {
        final var pairs = pairs(hosts);
        assertThat(pairs).isNotEmpty().allMatch(pair -> pair.get("sent").getAsInt() > 0);
        return pairs;
    }

    /** Stops and asserts that every request between hosts whose names meet the condition was answered. */
    void assertLostNothing(final Predicate<String> hosts) {
        final var pairs = pinged(hosts);
        assertThat(pairs).as("pairs that lost packets").allMatch(pair -> pair.get("lost").getAsInt() == 0);
    }

    /** Stops and asserts that every request sent after a time was answered. */
    void assertLostNothingSince(final Instant time) {
        assertThat(pinged(host -> true)).as("pairs that lost packets since " + time).allMatch(pair ->
            pair.get("last-lost").isJsonNull()
                || OffsetDateTime.parse(pair.get("last-lost").getAsString()).toInstant().isBefore(time));
    }

    void assertLostNothing() {
        assertLostNothing(host -> true);
    }

    /** Stops; the number of requests between hosts whose names meet the condition that were not answered. */
    int lost(final Predicate<String> hosts) {
        final var pairs = pairs(hosts);
        assertThat(pairs).as("pairs of such hosts").isNotEmpty();
        final var lossy = pairs.stream().filter(pair -> pair.get("lost").getAsInt() > 0).toList();
        lossy.forEach(pair -> LOG.info("lost: {}", pair));
        return lossy.stream().mapToInt(pair -> pair.get("lost").getAsInt()).sum();
    }

    private JsonObject stop() {
        try {
            // SIGTERM is handled like SIGINT: the report is written in either case
            process.destroy();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new AssertionError("ping does not stop");
            }
            final var text = Files.readString(report);
            if (text.isBlank()) {
                throw new AssertionError("ping gave no report: " + Files.readString(log));
            }
            return JsonParser.parseString(text).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        report.toFile().delete();
        log.toFile().delete();
    }
}
