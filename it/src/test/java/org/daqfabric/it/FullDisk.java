package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a controller does while the disk is full on which it stores. */
final class FullDisk {
    private final Restconf restconf;
    private final LabFabric fabric;
    private final SmallDisk disk;

    FullDisk(final Restconf restconf, final LabFabric fabric, final SmallDisk disk) {
        this.restconf = restconf;
        this.fabric = fabric;
        this.disk = disk;
    }

    /** Somebody is told, then configuration is refused; what runs need is not, nor what an operator needs then. */
    void configurationIsRefusedWhileRunsGoOn(final AlarmWatch watch) throws IOException {
        final var configured = restconf.get(fabric.path() + "?content=config").orFail().body();
        disk.fill(600);
        assertThat(watch.awaitRaised("disk-space", "controller/disk").get("perceived-severity").getAsString())
            .isEqualTo("warning");
        restconf.put(fabric.path(), configured).orFail();

        disk.resize(800);
        AlarmWatch.awaitIn(restconf, "disk-space", "controller/disk", alarm ->
            alarm.get("perceived-severity").getAsString().equals("critical"));
        for (var refused : List.of(restconf.put(fabric.path(), configured), restconf.delete(fabric.path()),
                restconf.post("operations/daqfabric-backup:restore", "{\"input\":{\"backup\":\"\"}}"))) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(507);
            assertThat(refused.errors()).contains("resource-denied", " MiB are free on the file system with state/",
                "Free at least ");
        }
        final var partition = new RunPartition(restconf, "det", fabric.name()).prepared("");
        partition.ask("arm", ",\"accept-degraded\":true").orFail();
        partition.started(7);
        assertThat(partition.state()).isEqualTo("running");
        partition.ask("stop-run", "").orFail();
        partition.ask("release", "").orFail();
        assertThat(restconf.get(fabric.path() + "?content=config").orFail().body()).isEqualTo(configured);
        // what an operator needs then is a few bytes
        assertThat(watch.text("daqfabric:drain --yes p1s1")).doesNotContain("no configuration is stored");
        final var undrain = "{\"daqfabric:fabric\":[{\"name\":\"" + fabric.name()
            + "\",\"switch\":[{\"name\":\"p1s1\",\"admin-state\":\"in-service\"}]}]}";
        restconf.patch(fabric.path(), undrain).orFail();
        assertThat(restconf.patch(fabric.path(), undrain.replace("}]}]}", "}],\"mtu\":4000}]}")).status())
            .isEqualTo(507);

        disk.empty();
        await("writes").atMost(Duration.ofSeconds(10)).untilAsserted(() ->
            assertThat(restconf.put(fabric.path(), configured).status()).isEqualTo(204));
    }

    /**
     * The disk is full to the last byte, and free again: what was answered is there after a restart.
     *
     * @return what is to be looked at then
     */
    Runnable toTheLastByte() throws IOException {
        final var path = fabric.path() + "?content=config";
        await("what is told is stored").until(() -> restconf.get("data/daqfabric-store:alarms?content=config").body()
            .contains("daqring-drops"));
        final var configured = restconf.get(path).orFail().body();
        final var partition = new RunPartition(restconf, "full", fabric.name());
        try {
            disk.fillUp();
            AlarmWatch.awaitIn(restconf, "disk-space", "controller/disk", alarm ->
                alarm.get("perceived-severity").getAsString().equals("critical"));
            assertThat(restconf.put(fabric.path(), configured).status()).isEqualTo(507);
            final var isPrepared = CompletableFuture.supplyAsync(() -> partition.prepare("").status() == 200)
                .completeOnTimeout(false, 5, TimeUnit.SECONDS).join();
            assertThat(restconf.get(path).orFail().body()).isEqualTo(configured);
            return () -> {
                assertThat(restconf.get(path).orFail().body()).isEqualTo(configured);
                if (isPrepared) {
                    assertThat(partition.json().get("fabric").getAsString()).isEqualTo(fabric.name());
                }
                partition.ask("abort", "").orFail(); // what was not answered may have been stored
            };
        } finally {
            disk.reset();
        }
    }
}
