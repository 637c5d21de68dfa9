package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What ports are beside what is declared. The interfaces of the lab say that they have 10 Gbps. */
@ExtendWith(SharedController.class)
class PortStateIT {
    /** A link that is declared faster than its ports are is reported, until what is declared is what is there. */
    @Test
    void portsSlowerThanDeclared(final Distribution controller, final Lab lab) {
        final var file = lab.generate("speed", "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 1");
        file.link("p1l1", "to-p1s1").addProperty("capacity", "25");
        file.fabric().addProperty("mtu", 4000);
        final var fabric = lab.converged(file);
        final var labels = new String[] {"fabric=\"" + fabric.name() + '"', "switch=\"p1l1\"", "port=\"to-p1s1\""};
        await("ports").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            // both ends of 3 links
            assertThat(FabricFile.entries(fabric.state().json(), "port")).hasSize(6).allSatisfy(port -> {
                assertThat(port.get("speed").getAsDouble()).isEqualTo(10);
                assertThat(port.get("duplex").getAsString()).isEqualTo("full");
                assertThat(port.get("mtu").getAsInt()).isEqualTo(4000);
            });
            final var scrape = Scrape.of(controller);
            assertThat(scrape.sum("daqfabric_port_speed_bytes_per_second", labels)).isEqualTo(1.25e9);
            assertThat(scrape.sum("daqfabric_port_fault", labels)).isEqualTo(1);
            assertThat(scrape.sum("daqfabric_port_fault", labels[0])).isEqualTo(2);
        });
        assertThat(FabricFile.entries(fabric.state().json(), "port")).filteredOn(port -> port.has("fault"))
            .extracting(PortStateIT::faultOf).containsExactlyInAnyOrder(
                "p1l1:to-p1s1: 10 Gbps where 25 Gbps are declared: use a card, transceiver and cable of that speed, or"
                    + " correct the capacity of link p1l1:to-p1s1",
                "p1s1:to-p1l1: 10 Gbps where 25 Gbps are declared: use a card, transceiver and cable of that speed, or"
                    + " correct the capacity of link p1l1:to-p1s1");
        try (var shell = new Shell(controller)) {
            assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " ")).contains(
                "WARNING port p1l1:to-p1s1 of " + fabric.name() + ": 10 Gbps where 25 Gbps are declared");
        }

        final var corrected = file.copy();
        corrected.link("p1l1", "to-p1s1").addProperty("capacity", "10");
        fabric.put(corrected).awaitState("no fault", state -> FabricFile.entries(state.json(), "port").stream()
            .noneMatch(port -> port.has("fault")));
        assertThat(Scrape.of(controller).sum("daqfabric_port_fault", labels[0])).isZero();
    }

    private static String faultOf(final JsonObject port) {
        return port.get("switch").getAsString() + ":" + port.get("port").getAsString() + ": "
            + port.get("fault").getAsString();
    }
}
