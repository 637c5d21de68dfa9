package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What fabrics leave on nodes is removed, whatever happens to the controller meanwhile; the rest is left alone. */
@ExtendWith(SharedController.class)
class RemovalIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final String SIZE = "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2";

    /** A fabric is deleted while a node is away, the controller is killed, and then the node returns. */
    @Test
    void restartedControllerRemovesWhatIsLeft(final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("removed", SIZE));
        fabric.daqlab("isolate", "p1s1");
        fabric.awaitState("p1s1 away", state -> !state.switchNamed("p1s1").get("ovsdb-connected").getAsBoolean());
        fabric.delete();
        await("the others").atMost(TIMEOUT).untilAsserted(() -> assertThat(fabric.file().switches())
            .filteredOn(name -> !name.equals("p1s1")).allMatch(name -> fabric.bridges(name).isEmpty()));
        assertThat(fabric.bridges("p1s1")).containsExactly("br-daq");
        await("one pending removal").atMost(TIMEOUT).untilAsserted(() ->
            assertThat(pendingOf(fabric, controller.restconf())).containsExactly(fabric.name() + ".p1s1"));

        final var resource = "node/" + fabric.name() + ".p1s1/br-daq/" + fabric.name();
        AlarmWatch.awaitIn(controller.restconf(), "bridge-not-removed", resource, false);

        controller.kill();
        controller.start();
        await("it is still known").atMost(TIMEOUT).untilAsserted(() ->
            assertThat(pendingOf(fabric, controller.restconf())).containsExactly(fabric.name() + ".p1s1"));
        assertThat(fabric.bridges("p1s1")).containsExactly("br-daq");
        // it may have been killed before it stored the alarm; then it is raised once more
        AlarmWatch.awaitIn(controller.restconf(), "bridge-not-removed", resource, false);
        fabric.daqlab("rejoin", "p1s1");
        await("p1s1 cleaned").atMost(TIMEOUT).untilAsserted(() -> assertThat(fabric.bridges("p1s1")).isEmpty());
        for (var table : List.of("Bridge", "Port", "Interface", "Controller")) {
            assertThat(fabric.vsctl("p1s1", "--bare", "--columns=_uuid", "list", table)).as(table).isEmpty();
        }
        AlarmWatch.awaitIn(controller.restconf(), "bridge-not-removed", resource, true);
        await("nothing pending").atMost(TIMEOUT).untilAsserted(() ->
            assertThat(pendingOf(fabric, controller.restconf())).isEmpty());
        assertThat(controller.restconf().get("data/daqfabric-store:removals?content=all").body())
            .doesNotContain(fabric.name());
    }

    /** Bridges that no fabric has are listed and removed on request; those of a fabric are not. */
    @Test
    void orphansAreRemovedOnRequest(final Lab lab, final Restconf restconf) {
        final var fabric = lab.converged(lab.generate("orphan", SIZE));
        final var node = fabric.name() + ".p1s1";
        fabric.vsctl("p1s1", "add-br", "br-old", "--", "set", "bridge", "br-old", "datapath_type=netdev",
            "external_ids:daqfabric=old");
        await("the orphan").atMost(TIMEOUT).untilAsserted(() ->
            assertThat(restconf.post("operations/daqfabric-operations:orphans", "{\"input\":{}}").orFail().body())
                .contains("\"br-old\"").doesNotContain("\"br-daq\""));

        assertThat(remove(restconf, node, "br-daq").body()).contains("belongs to fabric " + fabric.name());
        assertThat(remove(restconf, node, "br-ex").body()).contains("has no bridge br-ex");
        assertThat(remove(restconf, node, "br-old").orFail().body()).contains("\"removed\":true");
        assertThat(fabric.bridges("p1s1")).containsExactly("br-daq");
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();
    }

    private static Restconf.Answer remove(final Restconf restconf, final String node, final String bridge) {
        return restconf.post("operations/daqfabric-operations:remove-orphans",
            "{\"input\":{\"bridge\":[{\"system-id\":\"" + node + "\",\"bridge\":\"" + bridge + "\"}]}}");
    }

    /** The nodes from which something of a fabric is still to be removed. */
    private static List<String> pendingOf(final LabFabric fabric, final Restconf restconf) {
        final var answer = restconf.get("data/daqfabric:pending-removals?content=nonconfig");
        final var nodes = new ArrayList<String>();
        if (answer.status() == 200) {
            for (JsonElement each : answer.json().getAsJsonObject("daqfabric:pending-removals")
                    .getAsJsonArray("removal")) {
                if (each.getAsJsonObject().get("fabric").getAsString().equals(fabric.name())) {
                    nodes.add(each.getAsJsonObject().get("system-id").getAsString());
                }
            }
        }
        return nodes;
    }
}
