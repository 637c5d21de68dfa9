package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A PMD thread that has no time left is told, with what to do. */
@Tag("alone") // its switches take whole processors
@ExtendWith(SharedController.class)
class PmdLoadIT {
    private static final String RACK = "h1-1";
    private static final String DCM = "h1-1d1";
    /** Open vSwitch takes 5 s to tell, and the controller reads every 10 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(180);

    /** The DCM is behind a device of DPDK that has a packet whenever it is asked. */
    @Test
    void busyThreadIsAFault(final Distribution controller, final Lab lab) {
        final var file = lab.generate("load", "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 1 --dcm-ports");
        file.fabric().addProperty("mtu", 4000);
        final var kernel = file.copy();
        final var port = file.dcm(DCM).get("port").getAsString();
        final var settings = new JsonObject();
        settings.addProperty("kind", "dpdk");
        settings.addProperty("devargs", "net_null0");
        file.dcm(DCM).add("port-settings", settings);
        final var dpdk = new JsonObject();
        dpdk.addProperty("pmd-cpus", "1");
        dpdk.addProperty("extra", "--no-huge --legacy-mem -m 512 --no-pci --no-telemetry --file-prefix=" + file.name());
        file.switchNamed(RACK).add("dpdk", dpdk);
        final var fabric = lab.fabric(file).upWithDpdk().put(file);

        await("a busy thread").atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).untilAsserted(() -> {
            fabric.tellLoad(RACK);
            assertThat(faults(fabric)).singleElement().asString().matches(
                "the PMD thread of processor 1, which polls queue 0, is busy for (9[5-9]|100) % of its time: give the"
                + " switch more processors of NUMA node 0 \\(pmd-cpus\\), and the port more queues \\(n-rxq\\)");
        });
        final var ofSwitch = new String[] {"fabric=\"" + fabric.name() + '"', "switch=\"" + RACK + '"'};
        final var scrape = Scrape.of(controller);
        assertThat(scrape.sum("daqfabric_pmd_thread_busy_ratio", ofSwitch)).isBetween(0.95, 1.0);
        assertThat(scrape.sum("daqfabric_queue_busy_ratio", ofSwitch)).isBetween(0.9, 1.0);
        assertThat(scrape.sum("daqfabric_port_fault", ofSwitch)).isEqualTo(1);
        try (var shell = new Shell(controller)) {
            assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " ")).contains(
                "WARNING port " + RACK + ':' + port + " of " + fabric.name() + ": the PMD thread of processor 1");
        }

        fabric.put(kernel);
        await("no thread").atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).untilAsserted(() -> {
            fabric.tellLoad(RACK);
            assertThat(faults(fabric)).isEmpty();
            assertThat(FabricFile.entries(fabric.state().json(), "port")).isNotEmpty()
                .noneMatch(each -> each.has("queue"));
        });
    }

    private static List<String> faults(final LabFabric fabric) {
        return FabricFile.entries(fabric.state().json(), "port").stream().filter(each -> each.has("fault"))
            .map(each -> each.get("fault").getAsString()).toList();
    }
}
