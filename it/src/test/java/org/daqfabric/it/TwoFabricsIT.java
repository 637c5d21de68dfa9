package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fabrics of one controller are independent, even with the same names and addresses in them. */
@ExtendWith(SharedController.class)
class TwoFabricsIT {
    private static final String SIZE = "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4";

    /** Changes and failures of one fabric cost the other no packet, and a deleted fabric leaves nothing behind. */
    @Test
    void otherFabricIsNotAffected(final Lab lab, final Restconf restconf) {
        final var neighbour = lab.converged(lab.generate("neighbour", SIZE));
        neighbour.assertAllReachable();
        final var before = neighbour.contents();
        final var state = neighbour.awaitState("all cables and ports known",
            now -> now.areAllCablesKnown() && now.areAllPortsKnown());
        final var file = lab.generate("busy", SIZE);
        final var busy = lab.fabric(file).up();
        try (var ping = neighbour.ping(10)) {
            busy.put(file).awaitPhase("converged");
            busy.assertAllReachable();
            busy.cut("p1l1", "to-p1s1");
            busy.assertAllReachable();
            busy.restore("p1l1", "to-p1s1");
            busy.put(file.copy().removeDcm("h1-1d4")).awaitState("one DCM less", now ->
                now.phase().equals("converged") && now.placement().size() == 7);
            busy.delete();
            busy.awaitGone();
            ping.assertLostNothing();
        }
        assertThat(restconf.get("data/daqfabric:fabrics?content=all").body()).doesNotContain(busy.name());
        assertThat(restconf.get("data/daqfabric-store:decisions?content=all").body()).doesNotContain(busy.name());
        assertThat(withoutLoads(neighbour.state())).isEqualTo(withoutLoads(state));
        neighbour.contents().forEach((name, now) -> before.get(name).assertUntouchedIn(now, name));

        // it can be added again, even while it is still being removed
        busy.put(file).awaitPhase("converged");
        busy.delete();
        busy.put(file);
        await("fabric that came back at once").atMost(Duration.ofSeconds(120)).untilAsserted(busy::assertAllReachable);
        busy.awaitPhase("converged");
    }

    /** The state without what links carry, which is measured from time to time. */
    private static JsonObject withoutLoads(final FabricState state) {
        final var copy = state.json().deepCopy();
        for (var link : FabricFile.entries(copy, "link")) {
            for (var direction : List.of("to-peer", "from-peer")) {
                link.getAsJsonObject(direction).remove("measured");
            }
        }
        return copy;
    }
}
