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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every edit an operator can make, each one PUT while every ROS and DCM of the prototype ping each other, and the way
 * back. The rows of the table in docs/edits.md are written to {@code target/edits.md} of this module.
 */
@Tag("long") // makes each edit under traffic
@ExtendWith(SharedController.class)
class EditsIT {
    private static final Path TABLE = Path.of("target/edits.md");
    private static final int PINGS_PER_SECOND = 10;
    /** Edits that change nothing in a switch, are part of another one or like it. */
    private static final Set<String> LEFT_OUT = Set.of("the same PUT again", "a link's capacity",
        "a node's dial address", "a spine's name", "a leaf's name", "the name of a rack's switch",
        "the names of two spines swapped", "the ids of the planes swapped", "the ids of the pods", "a leaf's bridge",
        "a spine's bridge", "a ROS's address");
    private static final boolean ALL = Boolean.getBoolean("daqfabric.long");
    private static final Logger LOG = LoggerFactory.getLogger(EditsIT.class);

    private static FabricFile original;
    private static LabFabric fabric;

    static Stream<Arguments> edits() {
        final var edits = new LinkedHashMap<String, Consumer<FabricFile>>();
        edits.put("the same PUT again", file -> { });
        edits.put("a link's capacity", file -> file.linksOf("p1s1").get(0).addProperty("capacity", "5.0"));
        edits.put("a node's dial address",
            file -> file.switchNamed("p1s1").addProperty("ovsdb-address", "172.31.255.254"));
        edits.put("a node's certificate name",
            file -> file.switchNamed("p1s1").addProperty("certificate-name", "host.example"));
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
        edits.put("a leaf's bridge and its name", file -> {
            bridge(file, "p1l1");
            file.rename(Map.of("p1l1", "new-leaf", "p2l1", "p1l1"));
        });
        edits.put("a spine's bridge and its name", file -> {
            bridge(file, "p1s1");
            file.rename(Map.of("p1s1", "new-spine", "p1s2", "p1s1"));
        });
        if (!ALL) {
            LOG.info("edits are left out that make test-long makes (-Ddaqfabric.long=true): {}", LEFT_OUT);
        }
        return edits.entrySet().stream().filter(each -> isMade(each.getKey()))
            .map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    private static boolean isMade(final String edit) {
        return ALL || !LEFT_OUT.contains(edit);
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
        original = lab.generate("edits", "--planes 2 --spines 2 --pods 2 --ros 3 --racks 3 --dcms 2");
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
        final int there = lost(edited, host -> true);
        final int back = lost(original, host -> true);
        assertNothingLost(what, "", there, back);
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** What an edit takes somewhere else where the lab does not follow: those hosts are away, and nobody else. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("editsOfHosts")
    void loseOnlyWhatHasNoOtherPath(final String what, final Set<String> away, final Consumer<FabricFile> edit)
            throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var edited = original.copy();
        edit.accept(edited);
        final var others = original.hosts().values().stream()
            .filter(host -> !away.contains(host.name()) && !away.contains(host.edge()))
            .map(FabricFile.Host::name).collect(Collectors.toSet());
        final int there = lost(edited, others::contains);
        fabric.assertReachable(others);
        final int back = lost(original, others::contains);
        fabric.assertAllReachable();
        assertNothingLost(what, "of all others ", there, back);
    }

    static Stream<Arguments> editsOfHosts() {
        return Stream.of(
            // the DCMs of the lab's racks have their addresses at the bridge's own port, which gets another name
            Arguments.of("the bridge of a rack's switch", Set.of("h1-1"), edit(file -> bridge(file, "h1-1"))),
            Arguments.of("a DCM's address", Set.of("h1-1d1"),
                edit(file -> file.dcm("h1-1d1").addProperty("address", "10.2.9.9"))),
            Arguments.of("a ROS's address", Set.of("r1-1"),
                edit(file -> file.ros("r1-1").addProperty("address", "10.1.9.9"))),
            Arguments.of("addresses of two DCMs swapped", Set.of("h1-1d1", "h2-1d1"), edit(file -> {
                final var first = file.dcm("h1-1d1").get("address");
                file.dcm("h1-1d1").add("address", file.dcm("h2-1d1").get("address"));
                file.dcm("h2-1d1").add("address", first);
            })),
            Arguments.of("a rack's switch becomes that of a ROS", Set.of("h1-1"), edit(EditsIT::makeRos)),
            Arguments.of("a DCM to another rack", Set.of("h1-1d1"), edit(file -> {
                final var moved = file.dcm("h1-1d1");
                file.removeDcm("h1-1d1").rack("h2-1").getAsJsonArray("dcm").add(moved);
            }))).filter(each -> isMade((String) each.get()[0]));
    }

    private static Consumer<FabricFile> edit(final Consumer<FabricFile> edit) {
        return edit;
    }

    /** The ROS has the address of one of the DCMs that the rack had. */
    private static void makeRos(final FabricFile file) {
        final var ros = new JsonObject();
        ros.addProperty("name", "r-new");
        ros.addProperty("switch", "h1-1");
        ros.add("address", file.dcm("h1-1d1").get("address"));
        final var racks = file.pod(1).getAsJsonArray("hlt-rack");
        racks.remove(file.rack("h1-1"));
        file.pod(1).getAsJsonArray("ros").add(ros);
    }

    /** A spine is taken out and put back with another bridge, before packets have left the first one. */
    @Test
    void aSpineIsBackAtOnceWithAnotherBridge() throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var edited = original.copy();
        bridge(edited, "p2s2");
        final int there;
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            fabric.put(original.copy().removeSpine(2, 2));
            change(edited);
            there = ping.lost(host -> true);
        }
        final int back = lost(original, host -> true);
        assertNothingLost("a spine leaves and is back at once with another bridge", "", there, back);
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A spine leaves for another fabric, which has it before the first one has removed its bridge, and comes back. */
    @Test
    void aSpineGoesToAnotherFabric(final Distribution controller) throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var other = FabricFile.parse("""
            {"daqfabric:fabric": [{"name": "edits-other", "plane": [{"id": 1, "spine": [{"id": 1, "switch": "p1s2"}]}],
            "switch": [{"name": "p1s2", "system-id": "%s"}]}]}""".formatted(systemId("p1s2")));
        try (var second = new LabFabric(controller, other)) {
            final int there;
            try (var ping = fabric.ping(PINGS_PER_SECOND)) {
                fabric.put(original.copy().removeSpine(1, 2));
                second.put(other);
                await("the bridge to be the other fabric's").atMost(Duration.ofMinutes(2))
                    .until(() -> mark("p1s2").equals(other.name()));
                fabric.awaitPhase("converged");
                second.awaitPhase("converged");
                there = ping.lost(host -> true);
            }
            assertThat(mark("p1s2")).as("is left alone").isEqualTo(other.name());
            final int back;
            try (var ping = fabric.ping(PINGS_PER_SECOND)) {
                second.delete();
                change(original);
                assertThat(mark("p1s2")).isEqualTo(original.name());
                back = ping.lost(host -> true);
            }
            assertNothingLost("a spine to another fabric", "", there, back);
            assertThat(fabric.verify().findings()).isEmpty();
        }
    }

    /** The fabric that made the bridge of a node; empty if it has none. */
    private static String mark(final String node) {
        return fabric.bridges(node).isEmpty() ? ""
            : String.join("", fabric.vsctl(node, "br-get-external-id", "br-daq", "daqfabric"));
    }

    /** A leaf gets another node, which does not connect: the fabric goes on without it. */
    @Test
    void aLeafMovesToANodeThatIsNotThere() throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var edited = original.copy();
        edited.switchNamed("p1l1").addProperty("system-id", "elsewhere");
        final int there;
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            fabric.put(edited);
            await("the old node to have no bridge").atMost(Duration.ofMinutes(2))
                .until(() -> fabric.bridges("p1l1").isEmpty());
            there = ping.lost(host -> true);
        }
        assertThat(fabric.state().phase()).isEqualTo("waiting");
        final int back = lost(original, host -> true);
        assertNothingLost("a leaf's system-id", "", there, back);
    }

    /** The controller is killed before the leaf that moves has been left by all packets, and started again. */
    @Test
    void aControllerIsKilledWhileALeafMoves(final Distribution controller) throws IOException {
        fabric.put(original).awaitPhase("converged");
        fabric.assertAllReachable();
        final var edited = original.copy();
        bridge(edited, "p1l1");
        final int there;
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            fabric.put(edited);
            controller.kill();
            assertThat(fabric.bridges("p1l1")).as("the leaf has not moved yet").containsExactly("br-daq");
            controller.start();
            // a write that was answered a moment before the kill is not always there afterwards
            fabric.put(edited);
            awaitTakenUp(edited);
            there = ping.lost(host -> true);
        }
        final int back = lost(original, host -> true);
        assertNothingLost("a leaf's bridge, the controller killed", "", there, back);
        assertThat(fabric.verify().findings()).isEmpty();
    }

    private static int lost(final FabricFile next, final Predicate<String> hosts) {
        try (var ping = fabric.ping(PINGS_PER_SECOND)) {
            change(next);
            return ping.lost(hosts);
        }
    }

    /** Writes a row of the table first, which shows what was lost. */
    private static void assertNothingLost(final String what, final String of, final int there, final int back)
            throws IOException {
        Files.writeString(TABLE, "| %s | %s%d lost, and %d on the way back |%n".formatted(what, of, there, back),
            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        assertThat(there).as("lost on the way there").isZero();
        assertThat(back).as("lost on the way back").isZero();
    }

    private static void change(final FabricFile next) {
        fabric.put(next);
        awaitTakenUp(next);
    }

    private static void awaitTakenUp(final FabricFile next) {
        await("the edit to be carried out").atMost(Duration.ofMinutes(2)).pollInterval(Polls.GROWING)
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
                .allMatch(node -> fabric.bridges(node).equals(bridges.getOrDefault(systemId(node), List.of())));
    }

    private static String systemId(final String node) {
        return original.switchNamed(node).get("system-id").getAsString();
    }
}
