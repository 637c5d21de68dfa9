package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.function.BiFunction;

/** A fabric of a pod and two planes whose ports Open vSwitch polls, on three nodes: every instance costs a thread. */
final class PolledPorts {
    static final String ROS = "r1-1";
    static final String RACK = "h1-1";
    /** The leaves and spines, which share a node. */
    private static final String[] CORE = { "p1l1", "p2l1", "p1s1", "p2s1" };
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** Sends an ICMP echo request that may not be fragmented, and prints how many bytes of data came back. */
    private static final String ECHO = """
        import socket, struct
        s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
        s.setsockopt(0, 10, 2)
        s.settimeout(2)
        s.bind(("%s", 0))
        data = b"d" * %d
        head = lambda sum: struct.pack(">BBHHH", 8, 0, sum, 77, 1)
        words = struct.unpack(">%%dH" %% ((len(data) + 8) // 2), head(0) + data)
        total = sum(words)
        while total > 0xffff:
            total = (total & 0xffff) + (total >> 16)
        s.sendto(head(~total & 0xffff) + data, ("%s", 0))
        while True:
            answer = s.recv(65535)[20:]
            if answer[0] == 0 and answer[4:8] == head(0)[4:8]:
                print(len(answer) - 8)
                break
        """;

    private PolledPorts() {
    }

    /**
     * The fabric with an MTU.
     *
     * @param settings of a port, by its switch and name
     */
    static FabricFile file(final Lab lab, final String name, final int mtu,
            final BiFunction<String, String, JsonObject> settings) {
        final var file = lab.generate(name, "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2");
        SharedNodesIT.onOneNode(file, CORE);
        file.fabric().addProperty("mtu", mtu);
        for (var link : FabricFile.entries(file.fabric(), "link")) {
            link.add("port-settings", settings.apply(link.get("switch").getAsString(),
                link.get("port").getAsString()));
            link.add("peer-port-settings", settings.apply(link.get("peer-switch").getAsString(),
                link.get("peer-port").getAsString()));
        }
        final var protection = new JsonObject();
        protection.addProperty("bfd", true);
        protection.addProperty("bfd-interval", 300);
        file.fabric().getAsJsonObject("policy").add("protection", protection);
        return file;
    }

    /** One switch of each node. */
    static String[] nodes() {
        return new String[] { CORE[0], ROS, RACK };
    }

    /** PMD threads sleep when nothing arrives, or the tests' two processors would do nothing else. */
    static void sleepWhenIdle(final LabFabric fabric) {
        for (var node : nodes()) {
            fabric.vsctl(node, "set", "Open_vSwitch", ".", "other_config:pmd-maxsleep=200");
        }
    }

    /** Every ROS and DCM answer each other with packets of so many bytes that no switch may fragment. */
    static void assertAllAnswer(final LabFabric fabric, final int mtu) {
        final int data = mtu - 28;
        for (var from : fabric.file().hosts().values()) {
            for (var to : fabric.file().hosts().values()) {
                if (from.isDcm() != to.isDcm()) {
                    await(from.name() + " -> " + to.name()).atMost(PATIENCE).untilAsserted(() ->
                        assertThat(fabric.daqlab("exec", from.edge(), "--", "python3", "-c",
                            ECHO.formatted(from.address(), data, to.address())).strip())
                            .isEqualTo(String.valueOf(data)));
                }
            }
        }
    }

    /** The type and OpenFlow number of a port. */
    static String port(final LabFabric fabric, final String switchName, final String port) {
        return String.join(" ", fabric.vsctl(switchName, "get", "Interface", port, "type", "ofport"));
    }

    /** Nothing of the fabric is left in a node's database. */
    static void assertNothingLeft(final LabFabric fabric) {
        for (var node : nodes()) {
            await("settings of " + node).atMost(PATIENCE).untilAsserted(() -> {
                assertThat(fabric.vsctl(node, "get", "Open_vSwitch", ".", "other_config"))
                    .containsExactly("{pmd-maxsleep=\"200\"}");
                assertThat(fabric.vsctl(node, "get", "Open_vSwitch", ".", "external_ids"))
                    .noneMatch(ids -> ids.contains("daqfabric"));
            });
        }
    }
}
