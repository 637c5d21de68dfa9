package org.daqfabric.it;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Daqrings on real switches: those of {@code scripts/ovs}, which know them, and Debian's, which do not. */
@ExtendWith(SharedController.class)
class RingIT {
    private static final String SMALL = "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2";
    private static final List<String> INSIDE = List.of("p1s1", "p1s2", "p1l1", "p1l2", "p2s1", "p2s2", "p2l1", "p2l2");

    /** Where rings stand, how large and how fast they are: all of it can change, and no packet is lost by it. */
    @Test
    void policyChangesWhilePacketsFlow(final Lab lab) {
        final var file = lab.generate("rings", SMALL);
        final var fabric = lab.fabric(file).upWithRings().put(with(file, "all-switches", 4096))
            .awaitPhase("converged");
        fabric.assertAllReachable();
        // each leaf has one for each of its pod's two DCMs; of the spines those on the primary planes of DCMs
        assertThat(rings(fabric, List.of("p1l1", "p1l2", "p2l1", "p2l2"))).allSatisfy((name, held) ->
            assertThat(held).as(name).hasSize(2));
        assertThat(rings(fabric, List.of("p1s1", "p1s2", "p2s1", "p2s2")).values().stream().mapToInt(Map::size).sum())
            .isEqualTo(4);
        assertAsShown(fabric);
        assertThat(fabric.verify().findings()).isEmpty();

        final var before = rings(fabric, INSIDE);
        final var ping = fabric.ping(50);
        try (ping) {
            change(fabric, with(file, "destination-leaf", 4096));
            assertThat(rings(fabric, List.of("p1s1", "p1s2", "p2s1", "p2s2")).values()).allMatch(Map::isEmpty);
            change(fabric, with(file, "none", 4096));
            assertThat(rings(fabric, INSIDE).values()).allMatch(Map::isEmpty);
            change(fabric, with(file, "all-switches", 4096));
            final var again = rings(fabric, INSIDE);
            assertThat(again.keySet()).isEqualTo(before.keySet());
            change(fabric, with(file, "all-switches", 100));
            await("the new size").atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                final var resized = rings(fabric, INSIDE);
                assertThat(resized.values()).allSatisfy(held -> assertThat(held.values())
                    .allSatisfy(ring -> assertThat(ring).contains("ring-size=\"100\"")));
                // the same rows: their options have changed in place
                resized.forEach((name, held) -> assertThat(held.keySet()).isEqualTo(again.get(name).keySet()));
            });
            ping.assertLostNothing();
        }
        assertAsShown(fabric);
        assertThat(fabric.verify().findings()).isEmpty();

        // what packets went through is counted, and shown within two rounds of reading
        await("statistics").atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            final var shown = FabricFile.entries(fabric.state().json(), "daqring");
            assertThat(shown).isNotEmpty().allSatisfy(ring -> {
                assertThat(ring.get("dropped").getAsLong()).isZero();
                assertThat(ring.get("enqueued").getAsLong()).isGreaterThanOrEqualTo(ring.get("dequeued").getAsLong());
            });
            assertThat(shown).anySatisfy(ring -> assertThat(ring.get("dequeued").getAsLong()).isPositive());
        });
    }

    /** A cut and a restart of a switch with rings are repaired as without. */
    @Test
    void failuresAreRepairedWithRings(final Lab lab) {
        final var file = lab.generate("ringcut", SMALL);
        final var fabric = lab.fabric(file).upWithRings().put(with(file, "all-switches", 4096))
            .awaitPhase("converged");
        fabric.cut("p1l2", "to-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l2", "to-p1s1");
        fabric.daqlab("restart", "p2l1", "--empty");
        await("rings again").atMost(Duration.ofSeconds(40)).untilAsserted(() ->
            assertThat(rings(fabric, List.of("p2l1")).get("p2l1")).hasSize(2));
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A switch that knows no daqrings forwards without, and says so. */
    @Test
    void switchesWithoutRingsForwardAllTheSame(final Lab lab) {
        final var file = lab.generate("ringless", SMALL);
        final var fabric = lab.fabric(file).up().put(with(file, "all-switches", 4096)).awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(fabric.state().switchNamed("p1l1").get("daqrings").getAsString()).isEqualTo("unsupported");
        assertThat(fabric.state().switchNamed("r1-1").get("daqrings").getAsString()).isEqualTo("0");
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.put(with(file, "none", 4096)).awaitState("no daqrings wanted",
            state -> state.switchNamed("p1l1").get("daqrings").getAsString().equals("0"));
    }

    private static void change(final LabFabric fabric, final FabricFile file) {
        final var before = fabric.state().generation();
        fabric.put(file);
        fabric.awaitState("the new policy", state -> state.phase().equals("converged")
            && (state.generation() > before || file.fabric().getAsJsonObject("policy").getAsJsonObject("daqring")
                .get("ring-size").getAsInt() != 4096));
    }

    private static FabricFile with(final FabricFile file, final String on, final int size) {
        final var copy = file.copy();
        final var daqring = new JsonObject();
        daqring.addProperty("on", on);
        daqring.addProperty("ring-size", size);
        copy.fabric().getAsJsonObject("policy").add("daqring", daqring);
        return copy;
    }

    /** Uuid and options of the rows of all daqrings, by switch. */
    private static Map<String, Map<String, String>> rings(final LabFabric fabric, final List<String> switches) {
        return switches.stream().collect(toMap(name -> name, name -> fabric.vsctl(name, "--format=csv", "--no-headings",
            "--columns=_uuid,options", "find", "Interface", "type=daqring").stream()
            .map(line -> line.replace("\"\"", "\"").split(",", 2)).collect(toMap(row -> row[0], row -> row[1])),
            (a, b) -> a, TreeMap::new));
    }

    private static void assertAsShown(final LabFabric fabric) {
        rings(fabric, INSIDE).forEach((name, held) ->
            assertThat(fabric.state().switchNamed(name).get("daqrings").getAsString()).as(name)
                .isEqualTo(Integer.toString(held.size())));
    }
}
