package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every edit an operator can make, each one PUT while every ROS and DCM of the prototype ping each other, and the way
 * back. The rows of the table in docs/edits.md are written to {@code target/edits.md} of this module.
 */
@ExtendWith(SharedController.class)
class EditsIT {
    private static final Path TABLE = Path.of("target/edits.md");
    private static final int PINGS_PER_SECOND = 10;
    private static FabricFile original;
    private static LabFabric fabric;

    static Stream<Arguments> edits() {
        final var edits = new LinkedHashMap<String, Consumer<FabricFile>>();
        edits.put("the same PUT again", file -> { });
        edits.put("a link's capacity", file -> file.linksOf("p1s1").get(0).addProperty("capacity", "5.0"));
        edits.put("a spine's name", file -> file.rename(Map.of("p1s1", "first")));
        edits.put("a leaf's name", file -> file.rename(Map.of("p1l1", "zz")));
        edits.put("the name of a rack's switch", file -> file.rename(Map.of("h1-1", "a-rack")));
        edits.put("the names of two spines swapped", file -> file.rename(Map.of("p1s1", "p1s2", "p1s2", "p1s1")));
        edits.put("names chained: spine, leaf, rack's switch",
            file -> file.rename(Map.of("p1s1", "p1l1", "p1l1", "h1-1", "h1-1", "last")));
        edits.put("the ids of two spines swapped",
            file -> FabricFile.renumber(FabricFile.entries(file.plane(1), "spine"), "id", id -> 3 - id));
        edits.put("the ids of the planes swapped",
            file -> FabricFile.renumber(FabricFile.entries(file.fabric(), "plane"), "id", id -> 3 - id));
        edits.put("the ids of the pods", EditsIT::renumberPods);
        edits.put("the names of all ROS, racks and DCMs", EditsIT::renameHosts);
        edits.put("a leaf's bridge", file -> bridge(file, "p1l1"));
        edits.put("a spine's bridge", file -> bridge(file, "p2s1"));
        edits.put("the bridges of both leaves of a pod", file -> {
            bridge(file, "p1l2");
            bridge(file, "p2l2");
        });
        edits.put("a spine leaves", file -> file.removeSpine(1, 2));
        edits.put("a leaf leaves", file -> file.removeLeaf(1, 2));
        edits.put("a leaf's bridge and its name", file -> {
            bridge(file, "p1l1");
            file.rename(Map.of("p1l1", "new-leaf", "p2l1", "p1l1"));
        });
        return edits.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    private static void renumberPods(final FabricFile file) {
        FabricFile.renumber(FabricFile.entries(file.fabric(), "pod"), "id", id -> id + 5);
        FabricFile.entries(file.fabric(), "plane").forEach(plane ->
            FabricFile.renumber(FabricFile.entries(plane, "leaf"), "pod", id -> id + 5));
    }

    private static void renameHosts(final FabricFile file) {
        final Consumer<JsonObject> rename = each -> each.addProperty("name", "new-" + each.get("name").getAsString());
        for (var pod : FabricFile.entries(file.fabric(), "pod")) {
            FabricFile.entries(pod, "ros").forEach(rename);
            for (var rack : FabricFile.entries(pod, "hlt-rack")) {
                rename.accept(rack);
                FabricFile.entries(rack, "dcm").forEach(rename);
            }
        }
    }

    private static void bridge(final FabricFile file, final String switchName) {
        file.switchNamed(switchName).addProperty("bridge", "br-new");
    }

    @BeforeAll
    static void bringUp(final Lab lab) throws IOException {
        original = lab.generate("edits", "--planes 2 --spines 2 --pods 2 --ros 3 --racks 3 --dcms 2").withSystemIds();
        fabric = lab.fabric(original).up();
        Files.deleteIfExists(TABLE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("edits")
    void loseNothing(final String what, final Consumer<FabricFile> edit) throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var edited = original.copy();
        edit.accept(edited);
        final int there = lost(edited);
        final int back = lost(original);
        Files.writeString(TABLE, "| %s | %d lost, and %d on the way back |%n".formatted(what, there, back),
            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        assertThat(there).as("lost on the way there").isZero();
        assertThat(back).as("lost on the way back").isZero();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A rack's switch has no other path: its own hosts are away while its bridge is made anew, and nobody else. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("rackEdits")
    void loseOnlyWhatHasNoOtherPath(final String what, final Consumer<FabricFile> edit) throws IOException {
        fabric.put(original).awaitPhase("converged");
        final var edited = original.copy();
        edit.accept(edited);
        final var others = original.hosts().values().stream().filter(host -> !host.edge().equals("h1-1"))
            .map(FabricFile.Host::name).toList();
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            change(edited);
            assertThat(ping.lost(Set.copyOf(others)::contains)).isZero();
        }
        // the DCMs of the lab's racks have their addresses at the bridge's own port, which has another name now
        fabric.assertReachable(Set.copyOf(others));
        change(original);
        fabric.assertAllReachable();
    }

    static Stream<Arguments> rackEdits() {
        final Consumer<FabricFile> edit = file -> bridge(file, "h1-1");
        return Stream.of(Arguments.of("the bridge of a rack's switch", edit));
    }

    private static int lost(final FabricFile next) {
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            change(next);
            return ping.lost(host -> true);
        }
    }

    private static void change(final FabricFile next) {
        fabric.put(next);
        await("the edit to be carried out").atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(100))
            .untilAsserted(() -> assertThat(hasTakenUp(next)).isTrue());
    }

    /** Whether the fabric has converged with these names, and every bridge is where it must be and nowhere else. */
    private static boolean hasTakenUp(final FabricFile next) {
        final var bridges = new HashMap<String, List<String>>();
        FabricFile.entries(next.fabric(), "switch").forEach(each -> bridges.put(each.get("system-id").getAsString(),
            List.of(each.has("bridge") ? each.get("bridge").getAsString() : "br-daq")));
        final var state = fabric.state();
        return state.phase().equals("converged") && state.switches().equals(Set.copyOf(next.switches()))
            && original.switches().stream()
                .allMatch(node -> fabric.bridges(node).equals(bridges.getOrDefault(node, List.of())));
    }
}
