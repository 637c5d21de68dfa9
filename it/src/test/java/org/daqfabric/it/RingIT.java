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

/** Daqrings on real switches: the Open vSwitch of {@code scripts/ovs} supports them, Debian's does not. */
@ExtendWith(SharedController.class)
class RingIT {
    private static final String SMALL = "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2";
    private static final List<String> LEAVES_AND_SPINES = List.of("p1s1", "p1s2", "p1l1", "p1l2", "p2s1", "p2s2",
        "p2l1", "p2l2");

    /** The policy for daqrings (where, and which size) can change under traffic without loss. */
    @Test
    void policyChangesWhilePacketsFlow(final Lab lab) {
        final var file = lab.generate("rings", SMALL);
        final var fabric = lab.fabric(file).upWithRings().put(withDaqrings(file, "all-switches", 4096))
            .awaitPhase("converged");
        fabric.assertAllReachable();
        // each leaf has one for each of the two DCMs of its pod; a spine has one for each DCM placed on it
        assertThat(rings(fabric, List.of("p1l1", "p1l2", "p2l1", "p2l2"))).allSatisfy((name, rows) ->
            assertThat(rows).as(name).hasSize(2));
        assertThat(rings(fabric, List.of("p1s1", "p1s2", "p2s1", "p2s2")).values().stream().mapToInt(Map::size).sum())
            .isEqualTo(4);
        assertStateAgrees(fabric);
        assertThat(fabric.verify().findings()).isEmpty();

        final var before = rings(fabric, LEAVES_AND_SPINES);
        final var ping = fabric.ping(50);
        try (ping) {
            putAndAwait(fabric, withDaqrings(file, "destination-leaf", 4096));
            assertThat(rings(fabric, List.of("p1s1", "p1s2", "p2s1", "p2s2")).values()).allMatch(Map::isEmpty);
            putAndAwait(fabric, withDaqrings(file, "none", 4096));
            assertThat(rings(fabric, LEAVES_AND_SPINES).values()).allMatch(Map::isEmpty);
            putAndAwait(fabric, withDaqrings(file, "all-switches", 4096));
            final var again = rings(fabric, LEAVES_AND_SPINES);
            assertThat(again.keySet()).isEqualTo(before.keySet());
            putAndAwait(fabric, withDaqrings(file, "all-switches", 100));
            await("the new size").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                final var resized = rings(fabric, LEAVES_AND_SPINES);
                assertThat(resized.values()).allSatisfy(rows -> assertThat(rows.values())
                    .allSatisfy(ring -> assertThat(ring).contains("ring-size=\"100\"")));
                // the rows are the same, only their options have changed
                resized.forEach((name, rows) -> assertThat(rows.keySet()).isEqualTo(again.get(name).keySet()));
            });
            ping.assertLostNothing();
        }
        assertStateAgrees(fabric);
        assertThat(fabric.verify().findings()).isEmpty();

        // statistics are shown after at most two rounds of polling
        await("statistics").atMost(Duration.ofSeconds(120)).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            final var shown = FabricFile.entries(fabric.state().json(), "daqring");
            assertThat(shown).isNotEmpty().allSatisfy(ring -> {
                assertThat(ring.get("dropped").getAsLong()).isZero();
                assertThat(ring.get("enqueued").getAsLong()).isGreaterThanOrEqualTo(ring.get("dequeued").getAsLong());
            });
            assertThat(shown).anySatisfy(ring -> assertThat(ring.get("dequeued").getAsLong()).isPositive());
        });
    }

    /** A cut link and a restarted switch are repaired with daqrings, too. */
    @Test
    void failuresAreRepairedWithRings(final Lab lab) {
        final var file = lab.generate("ringcut", SMALL);
        final var fabric = lab.fabric(file).upWithRings().put(withDaqrings(file, "all-switches", 4096))
            .awaitPhase("converged");
        fabric.cut("p1l2", "to-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l2", "to-p1s1");
        fabric.daqlab("restart", "p2l1", "--empty");
        await("rings again").atMost(Duration.ofSeconds(120)).untilAsserted(() ->
            assertThat(rings(fabric, List.of("p2l1")).get("p2l1")).hasSize(2));
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A switch without support for daqrings forwards without them and is reported. */
    @Test
    void switchesWithoutDaqringsForward(final Lab lab) {
        final var file = lab.generate("ringless", SMALL);
        final var fabric = lab.fabric(file).up().put(withDaqrings(file, "all-switches", 4096)).awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(fabric.state().switchNamed("p1l1").get("daqrings").getAsString()).isEqualTo("unsupported");
        assertThat(fabric.state().switchNamed("r1-1").get("daqrings").getAsString()).isEqualTo("0");
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.put(withDaqrings(file, "none", 4096)).awaitState("no daqrings wanted",
            state -> state.switchNamed("p1l1").get("daqrings").getAsString().equals("0"));
    }

    private static void putAndAwait(final LabFabric fabric, final FabricFile file) {
        final var before = fabric.state().generation();
        fabric.put(file);
        fabric.awaitState("the new policy", state -> state.phase().equals("converged")
            && (state.generation() > before || file.fabric().getAsJsonObject("policy").getAsJsonObject("daqring")
                .get("ring-size").getAsInt() != 4096));
    }

    private static FabricFile withDaqrings(final FabricFile file, final String on, final int size) {
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

    private static void assertStateAgrees(final LabFabric fabric) {
        rings(fabric, LEAVES_AND_SPINES).forEach((name, rows) ->
            assertThat(fabric.state().switchNamed(name).get("daqrings").getAsString()).as(name)
                .isEqualTo(Integer.toString(rows.size())));
    }
}
