package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every accepted configuration is a version with its user, and can be compared, planned and configured again. */
@ExtendWith(SharedController.class)
class HistoryIT {
    private static final String RPC = "operations/daqfabric-operations:";

    private static JsonObject call(final Restconf restconf, final String rpc, final String input) {
        return restconf.post(RPC + rpc, "{\"input\":" + input.replace('\'', '"') + "}").orFail().json()
            .getAsJsonObject("daqfabric-operations:output");
    }

    /** The versions, when the newest is the one with a number. */
    private static List<JsonObject> versions(final Restconf restconf, final String fabric, final int newest) {
        await().atMost(10, TimeUnit.SECONDS).until(() -> {
            final var answer = restconf.post(RPC + "list-versions", "{\"input\":{\"fabric\":\"" + fabric + "\"}}");
            return answer.status() == 200 && version(answer.json().getAsJsonObject("daqfabric-operations:output")
                .getAsJsonArray("version").get(0).getAsJsonObject()) == newest;
        });
        return call(restconf, "list-versions", "{'fabric': '" + fabric + "'}").getAsJsonArray("version").asList()
            .stream().map(JsonElement::getAsJsonObject).toList();
    }

    private static int version(final JsonObject entry) {
        return entry.get("version").getAsInt();
    }

    private static String text(final JsonObject entry, final String leaf) {
        return entry.has(leaf) ? entry.get(leaf).getAsString() : "";
    }

    /** A drain of a link by PUT and its roll-back, then a refused write and the removal of the fabric. */
    @Test
    void aConfigurationIsRolledBack(final Lab lab, final Restconf restconf, final Distribution controller) {
        final var file = lab.generate("history", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        final var fabric = lab.converged(file);
        final var log = new ControllerLog(controller);
        final var first = versions(restconf, fabric.name(), 1).get(0);
        assertThat(text(first, "user")).isEqualTo("admin@sdn");
        assertThat(text(first, "summary")).startsWith("fabric added: 2 planes, ");

        final var drained = file.copy();
        drained.link("p1l1", "to-p1s1").addProperty("admin-state", "drained");
        restconf.because("the cable is changed").put(fabric.path(), drained.json()).orFail();
        final var second = versions(restconf, fabric.name(), 2).get(0);
        assertThat(text(second, "user")).isEqualTo("admin@sdn");
        assertThat(text(second, "reason")).isEqualTo("the cable is changed");
        assertThat(text(second, "summary")).isEqualTo("link p1l1:to-p1s1 drained");
        assertThat(restconf.get("data/daqfabric:fabrics?content=config").body()).doesNotContain("daqfabric-store");

        final var compared = call(restconf, "compare-versions", "{'fabric': '" + fabric.name() + "', 'from': 1}");
        assertThat(compared.getAsJsonArray("difference")).singleElement().satisfies(each ->
            assertThat(text(each.getAsJsonObject(), "text"))
                .isEqualTo("link p1l1:to-p1s1: admin-state in-service -> drained"));
        fabric.awaitPhase("converged");
        final var plan = call(restconf, "plan", "{'fabric': '" + fabric.name() + "', 'version': 1}");
        assertThat(plan.getAsJsonObject("after").get("utilisation").getAsDouble()).isEqualTo(1);

        final var back = call(restconf, "roll-back", "{'fabric': '" + fabric.name() + "', 'version': 1}");
        assertThat(text(back, "summary")).isEqualTo("link p1l1:to-p1s1 back in service");
        final var third = versions(restconf, fabric.name(), 3).get(0);
        assertThat(text(third, "user")).isEqualTo("admin@sdn");
        assertThat(text(third, "reason")).isEqualTo("roll-back to version 1");
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();

        final var bad = file.copy().addLink("p1s1", "x", "p1s2", "x");
        assertThat(restconf.because("a try").put(fabric.path(), bad.json()).status()).isEqualTo(400);
        await().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> assertThat(log.newEntries()).anyMatch(entry ->
            entry.isOurs() && entry.text().get(0).contains("Refused a write by admin@sdn (a try): ")));

        fabric.delete();
        final var removal = versions(restconf, fabric.name(), 4).get(0);
        assertThat(removal.has("removed")).isTrue();
        assertThat(text(removal, "user")).isEqualTo("admin@sdn");
    }
}
