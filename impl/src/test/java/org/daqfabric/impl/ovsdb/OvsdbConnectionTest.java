package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.junit.jupiter.api.Test;

/** How the driver copes with real Open vSwitch nodes that connect, disconnect, hang or have the same system-id. */
class OvsdbConnectionTest extends AbstractOvsNodeTest {
    /** A report has the node's own view of its OpenFlow connections and BFD sessions. */
    @Test
    void reportsHaveTheStateOfTheNode() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.bfd(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().untilAsserted(() -> {
            NodeReport report = driver.nodeReports().toCompletableFuture().get(5, TimeUnit.SECONDS).get(0);
            assertThat(report.node()).matches(each -> each.systemId().equals(NODE) && each.connected() && each.seen()
                && !each.silent() && each.ownLoopback() && each.peer().equals("127.0.0.1"));
            assertThat(report.node().interfaceTypes()).contains("internal");
            assertThat(report.node().openflow()).singleElement().satisfies(controller -> {
                assertThat(controller.target()).isEqualTo("tcp:127.0.0.1:6653");
                assertThat(controller.connected()).isFalse();
                assertThat(controller.error()).contains("refused");
            });
            assertThat(report.bfd().get("up1").state()).isEqualTo("down");
        });
        node.close();
        node = null;
        await().untilAsserted(() -> assertThat(driver.nodeReports().toCompletableFuture().get(5, TimeUnit.SECONDS))
            .singleElement().satisfies(report -> {
                assertThat(report.node().connected()).isFalse();
                assertThat(report.node().seen()).isTrue();
                assertThat(report.node().trouble()).isNotEmpty();
                assertThat(report.bfd()).isEmpty();
            }));
    }

    /** A node that lost nothing is sent nothing, whether it or the controller restarted. */
    @Test
    void anUnchangedNodeIsSentNothingAfterReconnection() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.bfd(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        String config = node.get("Open_vSwitch", ".", "next_cfg");

        node.stopDatabase();
        await().until(() -> !listener.isConnected(NODE));
        listener.forget(NODE, BRIDGE);
        node.startDatabase();
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));

        int port = port();
        driver.close();
        RecordingListener second = new RecordingListener();
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(port), second);
        driver.put(NODE, Optional.empty(), TestBridges.bridge(BRIDGE, Map.of("up1", TestBridges.bfd(1))));
        await().until(() -> second.port(NODE, BRIDGE, "up1") != null);
        // long enough for a late transaction, and for the search for undesired bridges
        await().during(Duration.ofSeconds(1)).until(() ->
            node.get("Open_vSwitch", ".", "next_cfg").equals(config));
        assertThat(second.port(NODE, BRIDGE, "up1")).isEqualTo(new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(listener.events()).contains("disconnected " + NODE);
    }

    /** Changes to a node that is not connected are made when it connects again. */
    @Test
    void changesWhileDisconnectedAreMadeOnReconnection() throws IOException {
        connectNode();
        driver.put(NODE, Optional.empty(), TestBridges.bridge("br-old", Map.of()));
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE + "\nbr-old"));
        node.stopDatabase();
        await().until(() -> !listener.isConnected(NODE));
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.device(3)));
        driver.remove(TestBridges.marked(NODE, "br-old"), Optional.empty());
        node.startDatabase();
        awaitPort("up1", new PortStatus(OptionalInt.of(3), true, ""));
        assertThat(node.vsctl("list-br")).isEqualTo(BRIDGE);
    }

    /** The last bridge of a node can be removed while it is not connected, too. */
    @Test
    void removalWhileDisconnectedIsDoneOnReconnection() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.stopDatabase();
        await().until(() -> !listener.isConnected(NODE));
        driver.remove(TestBridges.marked(NODE, BRIDGE), Optional.empty());
        node.startDatabase();
        await().until(() -> node.vsctl("list-br").isEmpty());
    }

    /** The node listens, and the driver connects to it. */
    @Test
    void theDriverConnectsToAListeningNode() throws IOException {
        node = new OvsNode(NODE, true, "ptcp:0:127.0.0.1");
        node.addDevice("up1");
        OvsdbAddress address = new OvsdbAddress("127.0.0.1", node.listeningPort());
        driver.put("other", Optional.of(address), TestBridges.bridge(BRIDGE, Map.of()));
        await().untilAsserted(() -> assertThat(listener.error("other", BRIDGE)).contains("system-id " + NODE));
        driver.remove(TestBridges.marked("other", BRIDGE), Optional.empty());

        driver.put(NODE, Optional.of(address), TestBridges.bridge(BRIDGE, Map.of("up1", TestBridges.device(1))));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(node.vsctl("get-controller", BRIDGE)).isEqualTo("tcp:127.0.0.1:6653");
        assertThat(listener.isConnected("other")).isFalse();

        driver.put("gone", Optional.of(new OvsdbAddress("127.0.0.1", 1)), TestBridges.bridge(BRIDGE, Map.of()));
        await().untilAsserted(() -> assertThat(listener.error("gone", BRIDGE)).contains("refused"));
    }

    /** The second of two live nodes with one system-id is refused; the first stays connected. */
    @Test
    void aSecondNodeWithTheSameSystemIdIsRefused() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        try (OvsNode twin = new OvsNode(NODE, false)) {
            twin.manager(port());
            await().during(Duration.ofSeconds(3)).until(() -> twin.vsctl("list-br").isEmpty());
        }
        assertThat(listener.events()).doesNotContain("disconnected " + NODE);
        assertThat(listener.isConnected(NODE)).isTrue();
    }

    /** A node that reconnects while its old connection hangs need not wait for that to time out. */
    @Test
    void aNewConnectionReplacesADeadOne() throws IOException {
        driver.close();
        // so long that only a new connection can reveal that the old one is dead
        driver = new OvsdbBridgeDriver(TestSettings.with(0,
            new Timing(Duration.ofMinutes(1), TestSettings.QUICK.identify(), Duration.ofMinutes(1),
            TestSettings.QUICK.duplicate(), TestSettings.QUICK.apply(), TestSettings.QUICK.orphans(),
            TestSettings.QUICK.retry(), TestSettings.QUICK.retryMost(), TestSettings.QUICK.dial(),
            TestSettings.QUICK.dialMost())), listener);
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.freezeDatabase();
        try (OvsNode returned = new OvsNode(NODE, false)) {
            returned.manager(port());
            await().until(() -> returned.vsctl("list-br").equals(BRIDGE));
            assertThat(listener.events()).contains("disconnected " + NODE);
        } finally {
            node.thawDatabase();
        }
    }

    /** A frozen node is detected even if no new connection comes. */
    @Test
    void aSilentNodeIsDisconnected() throws IOException {
        connectNode();
        node.freezeDatabase();
        await().until(() -> !listener.isConnected(NODE));
        node.thawDatabase();
        await().until(() -> listener.isConnected(NODE));
    }

    /** While nothing changes, no update arrives: neither statistics nor status. */
    @Test
    void aQuietNodeSendsNoUpdates() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.bfd(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        long before = driver.session(NODE).orElseThrow().updates();
        // Open vSwitch writes statistics every 5 s
        await().during(Duration.ofSeconds(6)).until(() ->
            driver.session(NODE).orElseThrow().updates() == before);
    }

    /** A node that lost its database gets everything back. */
    @Test
    void anEmptyNodeGetsEverythingBack() throws IOException {
        node = new OvsNode(NODE, false);
        node.manager(port());
        put(Map.of("up1", TestBridges.device(1)));
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.close();
        node = new OvsNode(NODE, false);
        node.manager(port());
        await().until(() -> node.vsctl("list-ports", BRIDGE).equals("up1"));
    }

    /** Whatever else connects to our port is disconnected, and a real node is still served. */
    @Test
    void hostilePeersDoNotAffectNodes() throws IOException {
        connectNode();
        List<HostilePeer> peers = List.of(
            new HostilePeer(port(), "GET / HTTP/1.1\r\n\r\n", 1, 0),
            new HostilePeer(port(), "", 0, 0),
            new HostilePeer(port(), "{\"method\":\"", 1, 0),
            new HostilePeer(port(), "{\"id\":1,\"result\":[{\"rows\":[1]}],\"error\":null}", 1, 0),
            new HostilePeer(port(), "{\"id\":1,\"result\":7,\"error\":null}", 1, 0),
            new HostilePeer(port(), "{\"id\":1,\"result\":[{\"rows\":[]}],\"error\":null}", 1, 0),
            new HostilePeer(port(), "{\"method\":\"update\",\"params\":null,\"id\":null}", 1, 0),
            new HostilePeer(port(), "[".repeat(1000), 1000, 0),
            new HostilePeer(port(), "{\"a\":[" + "1,".repeat(50_000), 1000, 0),
            new HostilePeer(port(), "{\"method\":\"echo\",\"params\":[\"" + "x".repeat(100_000) + "\"],\"id\":5}", 1000,
            0), new HostilePeer(port(), "{\"method\":\"echo\",\"params\":[],\"id\":\"x\"}   ", 1, 50));
        try {
            for (int round = 0; round < 5; round++) {
                int number = round + 1;
                put(Map.of("up" + round, TestBridges.device(number)));
                await().atMost(Duration.ofSeconds(2)).untilAsserted(() ->
                    assertThat(portStatus("up" + (number - 1))).isNotNull());
            }
            await().untilAsserted(() -> assertThat(peers).allMatch(HostilePeer::isEnded));
            assertThat(listener.events()).doesNotContain("disconnected " + NODE);
        } finally {
            peers.forEach(HostilePeer::close);
        }
    }
}
