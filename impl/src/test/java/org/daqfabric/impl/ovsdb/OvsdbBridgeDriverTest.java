package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The driver against real Open vSwitch nodes. */
@Tag("root")
class OvsdbBridgeDriverTest {
    static final Timing QUICK = new Timing(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(10),
        Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMillis(200),
        Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMillis(500));
    private static final String NODE = "leaf-1-1";
    private static final String BRIDGE = "br-daq";

    private final RecordingListener listener = new RecordingListener();
    private OvsdbBridgeDriver driver;
    private OvsNode node;

    @BeforeEach
    void startDriver() throws IOException {
        driver = new OvsdbBridgeDriver(settings(0), listener);
    }

    @AfterEach
    void endAll() {
        if (node != null) {
            node.close();
        }
        driver.close();
        assertThat(driver.isEnded()).isTrue();
    }

    static OvsdbSettings settings(int port) {
        return new OvsdbSettings(Optional.of(loopback(port)),
            OvsdbSettings.OPENFLOW_PORT, Set.of(), Optional.empty(), Limits.USUAL, QUICK);
    }

    /** The whole of zero touch: a manager and a system-id, and the bridge is there with all its columns. */
    @Test
    void aBridgeComesUpWithAllColumns() throws IOException {
        node = new OvsNode(NODE);
        node.addDevice("up1");
        node.manager(port());
        await().until(() -> listener.isConnected(NODE));
        assertThat(listener.interfaceTypes(NODE)).contains("internal", "patch");

        driver.put(NODE, Optional.empty(), Wishes.bridge(BRIDGE, Map.of("up1", Wishes.bfd(7))));

        awaitPort("up1", new PortStatus(OptionalInt.of(7), true, ""));
        assertThat(listener.error(NODE, BRIDGE)).isEmpty();
        assertThat(node.get("Bridge", BRIDGE, "fail_mode")).isEqualTo("secure");
        assertThat(node.get("Bridge", BRIDGE, "protocols")).isEqualTo("[OpenFlow13]");
        assertThat(node.get("Bridge", BRIDGE, "datapath_type")).isEqualTo("netdev");
        assertThat(node.get("Bridge", BRIDGE, "datapath_id")).isEqualTo("0000020000000001");
        assertThat(node.get("Bridge", BRIDGE, "other_config"))
            .isEqualTo("{datapath-id=0000020000000001, disable-in-band=true, hwaddr=02:00:00:00:00:01}");
        assertThat(node.get("Bridge", BRIDGE, "external_ids")).isEqualTo("{daqfabric=atlas}");
        assertThat(node.vsctl("get-controller", BRIDGE)).isEqualTo("tcp:127.0.0.1:6653");
        assertThat(node.get("Controller", BRIDGE, "connection_mode")).isEqualTo("out-of-band");
        assertThat(node.get("Controller", BRIDGE, "max_backoff")).isEqualTo("1000");
        assertThat(node.get("Interface", "up1", "ofport_request")).isEqualTo("7");
        assertThat(node.get("Interface", "up1", "bfd")).isEqualTo("{enable=true, min_tx=100}");
        assertThat(node.get("Interface", BRIDGE, "mac_in_use")).isEqualTo("02:00:00:00:00:01");
    }

    /** What an examination asks: the node's own view of its OpenFlow connections and BFD sessions. */
    @Test
    void aNodeTellsHowItIs() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", Wishes.bfd(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().untilAsserted(() -> {
            NodeReport report = driver.examine().toCompletableFuture().get(5, TimeUnit.SECONDS).get(0);
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
        await().untilAsserted(() -> assertThat(driver.examine().toCompletableFuture().get(5, TimeUnit.SECONDS))
            .singleElement().satisfies(report -> {
                assertThat(report.node().connected()).isFalse();
                assertThat(report.node().seen()).isTrue();
                assertThat(report.node().trouble()).isNotEmpty();
                assertThat(report.bfd()).isEmpty();
            }));
    }

    /** A device that is not there yet is named as the error, and the port mends by itself when it comes. */
    @Test
    void aMissingDeviceIsReportedAndMends() throws IOException {
        connectNode();
        put(Map.of("up1", Wishes.device(1)));
        await().untilAsserted(() -> {
            assertThat(portStatus("up1").number()).isEmpty();
            assertThat(portStatus("up1").error()).contains("up1").contains("No such device");
        });

        node.addDevice("up1");

        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
    }

    /** A node without our daqring port says so, and its other ports work. */
    @Test
    void anUnknownInterfaceTypeIsReported() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("ring1", Wishes.port(100, "daqring", Map.of("ring-size", "64")), "up1", Wishes.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().untilAsserted(() -> {
            assertThat(portStatus("ring1").number()).isEmpty();
            assertThat(portStatus("ring1").error()).isNotEmpty();
        });
        assertThat(listener.interfaceTypes(NODE)).doesNotContain("daqring");
    }

    /** Carrier and administrative state are told in both directions. */
    @Test
    void aPortThatGoesDownIsReported() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", Wishes.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        node.ip("link", "set", "up1-far", "down");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), false, ""));
        node.ip("link", "set", "up1-far", "up");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        node.ip("link", "set", "up1", "down");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), false, ""));
    }

    /** Ports that are no longer wanted go, changed ones change where they are. */
    @Test
    void portsFollowTheWish() throws IOException {
        connectNode();
        node.addDevice("up1");
        node.addDevice("up2");
        put(Map.of("up1", Wishes.device(1), "up2", Wishes.device(2)));
        awaitPort("up2", new PortStatus(OptionalInt.of(2), true, ""));
        String uuid = node.get("Interface", "up2", "_uuid");

        put(Map.of("up2", Wishes.bfd(5)));

        awaitPort("up2", new PortStatus(OptionalInt.of(5), true, ""));
        assertThat(node.vsctl("list-ports", BRIDGE)).isEqualTo("up2");
        assertThat(node.get("Interface", "up2", "_uuid")).isEqualTo(uuid);
        assertThat(node.get("Interface", "up2", "bfd")).isEqualTo("{enable=true, min_tx=100}");
        assertThat(listener.heard(NODE, BRIDGE).orElseThrow().ports()).containsOnlyKeys("up2");
    }

    /** What others put into our bridge, and what they made beside it, stays. */
    @Test
    void foreignPortsAndKeysAreKept() throws IOException {
        connectNode();
        node.vsctl("add-br", "br-ex", "--", "set", "Bridge", "br-ex", "datapath_type=netdev");
        node.addDevice("up1");
        node.addDevice("eth9");
        node.vsctl("add-port", "br-ex", "up1");
        put(Map.of("up1", Wishes.device(1)));
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).contains("bridge br-ex"));
        assertThat(portStatus("up1").error()).contains("br-ex");
        assertThat(node.vsctl("port-to-br", "up1")).isEqualTo("br-ex");

        node.vsctl("add-port", BRIDGE, "eth9", "--", "set", "Bridge", BRIDGE, "other_config:theirs=1",
            "external_ids:theirs=2", "fail_mode=standalone", "--", "del-port", "up1");

        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(listener.error(NODE, BRIDGE)).isEmpty();
        assertThat(node.get("Bridge", BRIDGE, "fail_mode")).isEqualTo("secure");
        put(Map.of());
        await().until(() -> node.vsctl("list-ports", BRIDGE).equals("eth9"));
        assertThat(node.get("Bridge", BRIDGE, "other_config")).contains("theirs=1");
        assertThat(node.get("Bridge", BRIDGE, "external_ids")).contains("theirs=2");

        driver.remove(NODE, BRIDGE);
        await().until(() -> node.vsctl("list-br").equals("br-ex"));
    }

    /** Nothing of a bridge is left in any table. */
    @Test
    void removalLeavesNothing() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", Wishes.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        driver.remove(NODE, BRIDGE);
        await().until(() -> node.vsctl("list-br").isEmpty());
        for (String table : Set.of("Bridge", "Port", "Interface", "Controller")) {
            assertThat(node.vsctl("--bare", "--columns=_uuid", "list", table)).as(table).isEmpty();
        }
    }

    /** An operator's mistake is mended at once. */
    @Test
    void aBridgeDeletedByHandComesBack() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        String uuid = node.get("Bridge", BRIDGE, "_uuid");
        node.vsctl("del-br", BRIDGE);
        await().until(() -> node.vsctl("list-br").equals(BRIDGE)
            && !node.get("Bridge", BRIDGE, "_uuid").equals(uuid));
    }

    /** A node that lost nothing is sent nothing, whoever restarted. */
    @Test
    void anUnchangedNodeIsSentNothingAfterReconnection() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", Wishes.bfd(1)));
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
        driver = new OvsdbBridgeDriver(settings(port), second);
        driver.put(NODE, Optional.empty(), Wishes.bridge(BRIDGE, Map.of("up1", Wishes.bfd(1))));
        await().until(() -> second.port(NODE, BRIDGE, "up1") != null);
        // long enough for a late transaction, and for bridges nobody mentions to be looked for
        await().during(Duration.ofSeconds(1)).until(() ->
            node.get("Open_vSwitch", ".", "next_cfg").equals(config));
        assertThat(second.port(NODE, BRIDGE, "up1")).isEqualTo(new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(listener.events()).contains("disconnected " + NODE);
    }

    /** What was asked while the node was away is done when it returns. */
    @Test
    void changesWhileAwayAreMadeOnReturn() throws IOException {
        connectNode();
        driver.put(NODE, Optional.empty(), Wishes.bridge("br-old", Map.of()));
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE + "\nbr-old"));
        node.stopDatabase();
        await().until(() -> !listener.isConnected(NODE));
        node.addDevice("up1");
        put(Map.of("up1", Wishes.device(3)));
        driver.remove(NODE, "br-old");
        node.startDatabase();
        awaitPort("up1", new PortStatus(OptionalInt.of(3), true, ""));
        assertThat(node.vsctl("list-br")).isEqualTo(BRIDGE);
    }

    /** The last bridge of a node can be removed while it is away, too. */
    @Test
    void removalWhileAwayIsDoneOnReturn() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.stopDatabase();
        await().until(() -> !listener.isConnected(NODE));
        driver.remove(NODE, BRIDGE);
        node.startDatabase();
        await().until(() -> node.vsctl("list-br").isEmpty());
    }

    /** A controller that lost its data must not tear down a running detector. */
    @Test
    void bridgesNobodyMentionsStayOnAnUnknownNodeAndGoWithinAKnownFabric() throws IOException {
        connectNode();
        for (String fabric : Set.of("atlas", "cms")) {
            node.vsctl("--no-wait", "add-br", "br-" + fabric, "--", "br-set-external-id", "br-" + fabric, "daqfabric",
                fabric);
        }
        await().during(Duration.ofSeconds(1)).until(() -> node.vsctl("list-br").equals("br-atlas\nbr-cms"));
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals("br-cms\n" + BRIDGE));
    }

    /** The node is the one that listens. */
    @Test
    void aListeningNodeIsConnectedTo() throws IOException {
        node = new OvsNode(NODE, true, "ptcp:0:127.0.0.1");
        node.addDevice("up1");
        OvsdbAddress address = new OvsdbAddress("127.0.0.1", node.listeningPort());
        driver.put("other", Optional.of(address), Wishes.bridge(BRIDGE, Map.of()));
        await().untilAsserted(() -> assertThat(listener.error("other", BRIDGE)).contains("system-id " + NODE));
        driver.remove("other", BRIDGE);

        driver.put(NODE, Optional.of(address), Wishes.bridge(BRIDGE, Map.of("up1", Wishes.device(1))));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(node.vsctl("get-controller", BRIDGE)).isEqualTo("tcp:127.0.0.1:6653");
        assertThat(listener.isConnected("other")).isFalse();

        driver.put("gone", Optional.of(new OvsdbAddress("127.0.0.1", 1)), Wishes.bridge(BRIDGE, Map.of()));
        await().untilAsserted(() -> assertThat(listener.error("gone", BRIDGE)).contains("refused"));
    }

    /** The second of two living nodes of one name is turned away; the first keeps its place. */
    @Test
    void aSecondNodeWithTheSameSystemIdIsTurnedAway() throws IOException {
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

    /** A node that comes back while its old connection hangs need not wait for that one's end. */
    @Test
    void aNewConnectionWinsOverADeadOne() throws IOException {
        driver.close();
        // only the newcomer's arrival can find the old one dead
        driver = new OvsdbBridgeDriver(new OvsdbSettings(Optional.of(loopback(0)), OvsdbSettings.OPENFLOW_PORT,
            Set.of(), Optional.empty(), Limits.USUAL, new Timing(Duration.ofMinutes(1), QUICK.identify(),
            Duration.ofMinutes(1), QUICK.duplicate(), QUICK.apply(), QUICK.orphans(), QUICK.retry(),
            QUICK.retryMost(), QUICK.dial(), QUICK.dialMost())), listener);
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

    /** A frozen node is noticed without a newcomer. */
    @Test
    void aSilentNodeIsDisconnected() throws IOException {
        connectNode();
        node.freezeDatabase();
        await().until(() -> !listener.isConnected(NODE));
        node.thawDatabase();
        await().until(() -> listener.isConnected(NODE));
    }

    /** Nothing changes, nothing comes: no statistics, no status. */
    @Test
    void aQuietNodeSendsNoUpdates() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", Wishes.bfd(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        long before = driver.session(NODE).orElseThrow().updates();
        // Open vSwitch writes statistics every 5 s
        await().during(Duration.ofSeconds(6)).until(() ->
            driver.session(NODE).orElseThrow().updates() == before);
    }

    /** The database takes a change that nobody carries out. */
    @Test
    void aDeadVswitchdIsReported() throws IOException {
        connectNode();
        node.stopSwitching();
        put(Map.of());
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).contains("ovs-vswitchd"));
        node.startSwitching();
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).isEmpty());
    }

    /** A moved controller is followed. */
    @Test
    void controllersFollowTheManagers() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.vsctl("--no-wait", "set-manager", "tcp:127.0.0.1:" + port(), "tcp:127.0.0.2:1");
        await().untilAsserted(() -> assertThat(node.vsctl("get-controller", BRIDGE))
            .isEqualTo("tcp:127.0.0.1:6653\ntcp:127.0.0.2:6653"));
    }

    /** A node that lost its database gets everything back. */
    @Test
    void anEmptyNodeGetsEverythingBack() throws IOException {
        node = new OvsNode(NODE, false);
        node.manager(port());
        put(Map.of("up1", Wishes.device(1)));
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.close();
        node = new OvsNode(NODE, false);
        node.manager(port());
        await().until(() -> node.vsctl("list-ports", BRIDGE).equals("up1"));
    }

    /** Whatever else connects to our port, a real node works on, and the rest ends. */
    @Test
    void hostilePeersDisturbNobody() throws IOException {
        connectNode();
        List<Hostile> peers = List.of(
            new Hostile(port(), "GET / HTTP/1.1\r\n\r\n", 1, 0),
            new Hostile(port(), "", 0, 0),
            new Hostile(port(), "{\"method\":\"", 1, 0),
            new Hostile(port(), "{\"id\":1,\"result\":[{\"rows\":[1]}],\"error\":null}", 1, 0),
            new Hostile(port(), "{\"id\":1,\"result\":7,\"error\":null}", 1, 0),
            new Hostile(port(), "{\"id\":1,\"result\":[{\"rows\":[]}],\"error\":null}", 1, 0),
            new Hostile(port(), "{\"method\":\"update\",\"params\":null,\"id\":null}", 1, 0),
            new Hostile(port(), "[".repeat(1000), 1000, 0),
            new Hostile(port(), "{\"a\":[" + "1,".repeat(50_000), 1000, 0),
            new Hostile(port(), "{\"method\":\"echo\",\"params\":[\"" + "x".repeat(100_000) + "\"],\"id\":5}", 1000, 0),
            new Hostile(port(), "{\"method\":\"echo\",\"params\":[],\"id\":\"x\"}   ", 1, 50));
        try {
            for (int round = 0; round < 5; round++) {
                int number = round + 1;
                put(Map.of("up" + round, Wishes.device(number)));
                await().atMost(Duration.ofSeconds(2)).untilAsserted(() ->
                    assertThat(portStatus("up" + (number - 1))).isNotNull());
            }
            await().untilAsserted(() -> assertThat(peers).allMatch(Hostile::isEnded));
            assertThat(listener.events()).doesNotContain("disconnected " + NODE);
        } finally {
            peers.forEach(Hostile::close);
        }
    }

    private void connectNode() throws IOException {
        node = new OvsNode(NODE);
        node.manager(port());
        await().until(() -> listener.isConnected(NODE));
    }

    private PortStatus portStatus(String port) {
        PortStatus status = listener.port(NODE, BRIDGE, port);
        assertThat(status).as(port).isNotNull();
        return status;
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private int port() {
        return driver.listenAddress().orElseThrow().getPort();
    }

    private void put(Map<String, Port> ports) {
        Bridge bridge = Wishes.bridge(BRIDGE, ports);
        driver.put(NODE, Optional.empty(), bridge);
    }

    private void awaitPort(String name, PortStatus expected) {
        await().untilAsserted(() -> assertThat(listener.port(NODE, BRIDGE, name)).isEqualTo(expected));
    }
}
