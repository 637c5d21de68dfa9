package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.it.FabricFile.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that run several switches, of one fabric and of a second one with the same addresses. */
@ExtendWith(SharedController.class)
class SharedNodesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final List<String> SHARED = List.of("p1s1", "p1l1", "p1s2", "p2s2");
    /** Prints 111 (connection refused) if the other end answers. */
    private static final String CONNECT = "import socket; s = socket.socket(); s.settimeout(1); s.bind(('%s', 0)); "
        + "print(s.connect_ex(('%s', 9)))";

    /**
     * A node is a spine and a leaf at once, another a spine of two planes. A second fabric comes to the nodes of all
     * leaves and spines, and the first one leaves; neither costs the other a packet, though both have daqrings for the
     * same addresses.
     */
    @Test
    void fabricsShareNodes(final Lab lab, final Distribution controller) {
        final var file = lab.generate("shared", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        file.fabric().getAsJsonObject("policy").add("daqring", allSwitches());
        onOneNode(file, "p1s1", "p1l1");
        onOneNode(file, "p1s2", "p2s2");
        final var twin = twin(file);
        final var fabric = lab.fabric(together(file, twin)).upWithRings().put(file).awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(fabric.bridges("p1s1")).containsExactlyInAnyOrder("br-p1s1", "br-p1l1");
        assertThat(fabric.bridges("p1l1")).isEqualTo(fabric.bridges("p1s1"));
        assertThat(fabric.verify().findings()).isEmpty();

        // a link between two bridges of a node, and all bridges of a node at once
        fabric.cut("p1l1", "p1l1-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l1", "p1l1-p1s1");
        fabric.daqlab("restart", "p1l1", "--empty");
        awaitBridges(fabric, "br-p1s1", "br-p1l1");
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();

        try (var other = new LabFabric(controller, twin)) {
            try (var ping = fabric.ping(10)) {
                other.put(twin);
                configureHosts(fabric, twin);
                other.awaitPhase("converged");
                assertAllReach(fabric, twin);
                assertThat(fabric.bridges("p1s1"))
                    .containsExactlyInAnyOrder("br-p1s1", "br-p1l1", "br-yp1s1", "br-yp1l1");
                assertThat(fabric.state().switchNamed("p1l1").get("daqrings").getAsInt()).isEqualTo(2)
                    .isEqualTo(other.state().switchNamed("yp1l1").get("daqrings").getAsInt());
                assertThat(fabric.verify().findings()).isEmpty();
                assertThat(other.verify().findings()).isEmpty();
                other.delete();
                awaitBridges(fabric, "br-p1s1", "br-p1l1");
                ping.assertLostNothing();
            }
            assertThat(fabric.verify().findings()).isEmpty();

            other.put(twin);
            configureHosts(fabric, twin);
            other.awaitPhase("converged");
            fabric.delete();
            awaitBridges(fabric, "br-yp1s1", "br-yp1l1");
            assertAllReach(fabric, twin);
            assertThat(other.verify().findings()).isEmpty();
            assertThat(other.state().phase()).isEqualTo("converged");
            other.delete();
            awaitBridges(fabric);
            await("all bridges to be gone").atMost(PATIENCE).until(() ->
                twin.switches().stream().allMatch(each -> fabric.bridges(each).isEmpty()));
        }
    }

    /** One of the switches of a node leaves the fabric, and the others notice nothing. */
    @Test
    void oneSwitchOfANodeIsRemoved(final Lab lab) {
        final var file = lab.generate("leaves", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        onOneNode(file, SHARED.toArray(String[]::new));
        final var fabric = lab.converged(file);
        fabric.assertAllReachable();
        try (var ping = fabric.ping(10)) {
            fabric.put(file.copy().removeSpine(1, 2)).awaitState("a spine less", state ->
                state.phase().equals("converged") && fabric.bridges("p1s2").size() == 3);
            ping.assertLostNothing();
        }
        assertThat(fabric.bridges("p1s1")).containsExactlyInAnyOrder("br-p1s1", "br-p1l1", "br-p2s2");
        fabric.assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.put(file).awaitState("the spine again", state -> state.phase().equals("converged")
            && fabric.bridges("p1s2").size() == 4);
        fabric.assertAllReachable();
    }

    /** Waits until the node of the first spine has these bridges and no other. */
    private static void awaitBridges(final LabFabric fabric, final String... names) {
        await("bridges of p1s1").atMost(PATIENCE).untilAsserted(() ->
            assertThat(fabric.bridges("p1s1")).containsExactlyInAnyOrder(names));
    }

    private static JsonObject allSwitches() {
        final var daqring = new JsonObject();
        daqring.addProperty("on", "all-switches");
        return daqring;
    }

    /** Puts switches on the node of the first of them, each as a bridge with ports of its own name. */
    static void onOneNode(final FabricFile file, final String... names) {
        final var node = file.switchNamed(names[0]).get("system-id").getAsString();
        for (var name : names) {
            file.switchNamed(name).addProperty("system-id", node);
            file.switchNamed(name).addProperty("bridge", "br-" + name);
            rename(file, "switch", "port", name);
            rename(file, "peer-switch", "peer-port", name);
        }
    }

    /** The ports of a switch are named after both ends of the cable. */
    private static void rename(final FabricFile file, final String end, final String port, final String name) {
        FabricFile.entries(file.fabric(), "link").stream().filter(link -> link.get(end).getAsString().equals(name))
            .forEach(link -> link.addProperty(port, name + link.get(port).getAsString().substring("to".length())));
    }

    /** A fabric with the same addresses, leaves and spines on the same nodes, and edge switches on nodes of its own. */
    private static FabricFile twin(final FabricFile file) {
        final var twin = file.copy();
        twin.fabric().addProperty("name", file.name() + "-y");
        final var edges = file.hosts().values().stream().map(Host::edge).collect(Collectors.toSet());
        final var users = new ArrayList<JsonObject>();
        for (var plane : FabricFile.entries(twin.fabric(), "plane")) {
            users.addAll(FabricFile.entries(plane, "spine"));
            users.addAll(FabricFile.entries(plane, "leaf"));
        }
        for (var pod : FabricFile.entries(twin.fabric(), "pod")) {
            users.addAll(FabricFile.entries(pod, "ros"));
            users.addAll(FabricFile.entries(pod, "hlt-rack"));
        }
        users.forEach(user -> prefix(user, "switch"));
        for (var link : FabricFile.entries(twin.fabric(), "link")) {
            for (var leaf : List.of("switch", "peer-switch", "port", "peer-port")) {
                prefix(link, leaf);
            }
        }
        for (var each : FabricFile.entries(twin.fabric(), "switch")) {
            if (edges.contains(each.get("name").getAsString())) {
                each.addProperty("system-id", each.get("system-id").getAsString() + "-y");
            }
            prefix(each, "name");
            each.addProperty("bridge", "br-" + each.get("name").getAsString());
        }
        return twin;
    }

    private static void prefix(final JsonObject node, final String leaf) {
        node.addProperty(leaf, "y" + node.get(leaf).getAsString());
    }

    /** The first fabric with the switches and cables of the second, whose hosts the lab knows nothing of. */
    private static FabricFile together(final FabricFile file, final FabricFile twin) {
        final var all = file.copy();
        for (var list : Set.of("switch", "link")) {
            all.fabric().getAsJsonArray(list).addAll(twin.copy().fabric().getAsJsonArray(list));
        }
        return all;
    }

    /** Addresses on the bridges of the twin's edge switches, as the lab gives them to those it knows. */
    private static void configureHosts(final LabFabric fabric, final FabricFile twin) {
        for (var host : twin.hosts().values()) {
            final var bridge = "br-" + host.edge();
            await("address of " + host.name()).atMost(PATIENCE).untilAsserted(() -> {
                fabric.daqlab("exec", host.edge(), "--", "ip", "link", "set", bridge, "arp", "off", "up");
                fabric.daqlab("exec", host.edge(), "--", "ip", "addr", "replace", host.address() + "/32", "dev",
                    bridge);
                fabric.daqlab("exec", host.edge(), "--", "ip", "route", "replace", "default", "dev", bridge);
            });
        }
    }

    private static void assertAllReach(final LabFabric fabric, final FabricFile twin) {
        for (var from : twin.hosts().values()) {
            for (var to : twin.hosts().values()) {
                if (from.isDcm() != to.isDcm()) {
                    await(from.name() + " -> " + to.name()).atMost(PATIENCE).untilAsserted(() ->
                        assertThat(fabric.daqlab("exec", from.edge(), "--", "python3", "-c",
                            CONNECT.formatted(from.address(), to.address())).strip()).isEqualTo("111"));
                }
            }
        }
    }
}
