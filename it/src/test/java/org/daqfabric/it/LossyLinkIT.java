package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A link that loses packets is not used while the leaf has another one, and is used again when it loses none. */
@ExtendWith(SharedController.class)
class LossyLinkIT {
    private static final String SENDER = "p1l1:to-p1s1";

    @Test
    void lossyLinkIsHeldBack(final Distribution controller, final Lab lab) throws Exception {
        final var file = lab.generate("avoided", "--planes 1 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        final var fabric = lab.fabric(file).up();
        try (var cable = new LossyCable(fabric)) {
            fabric.put(file).awaitPhase("converged");
            final var resource = "fabric/" + fabric.name() + "/link/" + SENDER;
            final var traffic = new ProcessBuilder(Lab.command("probe", "--fabric", fabric.name(), "--rate", "2000",
                "r1-1", "h2-1d1", "r1-1", "h2-1d2")).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            try {
                cable.dropFrames("numgen random mod 5 < 1");
                fabric.awaitState("the link to be held back", LossyLinkIT::isHeldBack);
                AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, false);
            } finally {
                traffic.toHandle().destroy();
                traffic.waitFor();
            }
            fabric.awaitState("no DCM on its spine",
                state -> state.dcmsOfSpines().get(new FabricState.Place(1, 1)) == 0);
            assertThat(lost(fabric)).as("packets that do not take the link").isZero();
            assertThat(isHeldBack(fabric.state())).isTrue();
            assertThat(cable.dropNothing()).isPositive();
            fabric.awaitState("the link to be used", state -> !isHeldBack(state) && state.phase().equals("converged"));
            AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, true);
            assertThat(lost(fabric)).isZero();
        }
    }

    private static boolean isHeldBack(final FabricState state) {
        return FabricFile.entries(state.json(), "link").stream()
            .filter(each -> SENDER.equals(each.get("switch").getAsString() + ":" + each.get("port").getAsString()))
            .map(each -> each.get("held-back")).anyMatch(held -> held != null && held.getAsBoolean());
    }

    /** How many packets are lost of some to both DCMs. */
    private static int lost(final LabFabric fabric) {
        final List<JsonObject> pairs = FabricFile.entries(JsonParser.parseString(Lab.tryDaqlab("probe", "--fabric",
            fabric.name(), "--rate", "200", "--duration", "3", "--json", "r1-1", "h2-1d1", "r1-1", "h2-1d2").output())
            .getAsJsonObject(), "pairs");
        assertThat(pairs).hasSize(2);
        return pairs.stream().mapToInt(each -> each.get("lost").getAsInt()).sum();
    }
}
