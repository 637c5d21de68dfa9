package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that runs switches of one fabric or two. */
class SeveralBridgesOnANodeTest {
    private static final Map<String, String> RING = Map.of("ring-size", "4096");

    private final RecordingListener listener = new RecordingListener();
    private final MemoryDatabase database = new MemoryDatabase("node");
    private final Bridge leaf = TestBridges.bridge("x", "leaf", Map.of("to-spine", TestBridges.bfd(1),
        "ring-10.1.0.1-leaf", TestBridges.port(10_000, "daqring", RING)));
    private final Bridge spine = TestBridges.bridge("x", "spine", Map.of("to-leaf", TestBridges.bfd(1),
        "ring-10.1.0.1-spine", TestBridges.port(10_000, "daqring", RING)));
    private final Bridge other = TestBridges.bridge("y", "other", Map.of("to-other", TestBridges.bfd(1),
        "ring-10.1.0.1-other", TestBridges.port(10_000, "daqring", RING)));
    private OvsdbBridgeDriver driver;
    private FakeNode node;

    @BeforeEach
    void startDriver() throws IOException {
        driver = driver();
    }

    private OvsdbBridgeDriver driver() throws IOException {
        return new OvsdbBridgeDriver(new OvsdbSettings(
            Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), OvsdbSettings.OPENFLOW_PORT,
            Set.of("tcp:192.0.2.1:6653"), Optional.empty(), Limits.USUAL, TestSettings.QUICK), listener);
    }

    private void connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), driver.listenAddress().orElseThrow().getPort());
        node = new FakeNode(socket, database, FakeNode.Habit.NONE);
    }

    @AfterEach
    void endAll() throws IOException {
        if (node != null) {
            node.close();
        }
        driver.close();
    }

    /** Each bridge has ports, daqrings, BFD, settings and OpenFlow controllers of its own. */
    @Test
    void bridgesAreMadeSideBySide() throws IOException {
        put(leaf);
        put(spine);
        put(other);
        connect();
        await().until(() -> isDone(leaf) && isDone(spine) && isDone(other));
        assertThat(node.bridges()).containsExactly("leaf", "other", "spine");
        assertThat(node.rows("Controller").values()).hasSize(3).allSatisfy(row ->
            assertThat(row.get("target").getAsString()).isEqualTo("tcp:192.0.2.1:6653"));
        assertThat(names("Interface")).containsExactly("leaf", "other", "ring-10.1.0.1-leaf", "ring-10.1.0.1-other",
            "ring-10.1.0.1-spine", "spine", "to-leaf", "to-other", "to-spine");
        assertThat(node.rows("Interface").values()).filteredOn(row -> row.has("bfd")
            && OvsdbValues.map(row, "bfd").containsKey("enable")).hasSize(3);
        assertThat(OvsdbValues.map(row("Bridge", "other"), "external_ids")).containsEntry(BridgePlan.MARK, "y");
    }

    /** A bridge that is removed takes nothing from the others, of its own fabric or another. */
    @Test
    void oneIsRemovedAndTheOthersStay() throws IOException {
        put(leaf);
        put(spine);
        put(other);
        connect();
        await().until(() -> isDone(leaf) && isDone(spine) && isDone(other));
        Map<String, Map<String, JsonObject>> before = new TreeMap<>();
        for (String table : Set.of("Bridge", "Port", "Interface", "Controller")) {
            before.put(table, node.rows(table));
        }
        remove(spine, Optional.empty());
        await().until(() -> !node.bridges().contains("spine"));
        remove(leaf, Optional.empty());
        await().until(() -> !node.bridges().contains("leaf"));
        assertThat(names("Interface")).containsExactly("other", "ring-10.1.0.1-other", "to-other");
        before.forEach((table, rows) -> assertThat(rows.entrySet()).as(table)
            .containsAll(node.rows(table).entrySet()));
        assertThat(driver.compare("other", "node", "other").toCompletableFuture().join()).isEmpty();
    }

    /** Ports that rules may still need stay until the bridge is wanted without further ones. */
    @Test
    void surplusPortsStayAsLongAsTheyMay() throws IOException {
        put(leaf);
        connect();
        await().until(() -> isDone(leaf));
        Bridge without = leaf.withPorts(new TreeMap<>());
        put(without.with(new TreeMap<>(), true));
        put(spine);
        await().until(() -> isDone(spine));
        assertThat(names("Port")).contains("to-spine", "ring-10.1.0.1-leaf");
        put(without);
        await().until(() -> !names("Port").contains("to-spine") && !names("Port").contains("ring-10.1.0.1-leaf"));
    }

    /** A restarted controller that reads one fabric later than the other leaves its bridges, and changes nothing. */
    @Test
    void bridgesOfAFabricThatIsReadLaterStay() throws IOException {
        put(leaf);
        put(other);
        connect();
        await().until(() -> isDone(leaf) && isDone(other));
        int transactions = node.transactions();
        node.close();
        driver.close();
        listener.forget("node", "leaf");
        listener.forget("node", "other");

        driver = driver();
        put(leaf);
        connect();
        await().until(() -> isDone(leaf));
        await().during(TestSettings.QUICK.orphans().multipliedBy(3)).until(() -> node.bridges().contains("other"));
        put(other);
        await().until(() -> isDone(other));
        assertThat(node.transactions()).isZero();
        assertThat(transactions).isPositive();
    }

    /** A bridge of a fabric that is known here goes if nobody asks for it; that of another fabric stays. */
    @Test
    void onlyOrphansOfTheFabricAreRemoved() throws IOException {
        put(leaf);
        put(spine);
        put(other);
        connect();
        await().until(() -> isDone(leaf) && isDone(spine) && isDone(other));
        node.close();
        driver.close();

        driver = driver();
        put(leaf);
        connect();
        await().until(() -> !node.bridges().contains("spine"));
        assertThat(node.bridges()).containsExactly("leaf", "other");
    }

    /** The controller connects to a node as long as any of its switches says where it listens. */
    @Test
    void oneAddressServesAllBridges() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Optional<OvsdbAddress> address =
                Optional.of(new OvsdbAddress("127.0.0.1", listening.getLocalPort()));
            driver.put("node", address, leaf);
            node = new FakeNode(listening.accept(), database, FakeNode.Habit.NONE);
            await().until(() -> isDone(leaf));
            put(other);
            await().until(() -> isDone(other));
            driver.put("node", address, spine);
            await().until(() -> isDone(spine));
            // the one that said it first is removed
            remove(leaf, address);
            await().until(() -> !node.bridges().contains("leaf"));
            put(TestBridges.bridge("y", "other", Map.of("to-other", TestBridges.device(7))));
            await().until(() -> node.rows("Interface").values().stream().anyMatch(row ->
                row.has("ofport_request") && row.get("ofport_request").getAsInt() == 7));
            assertThat(node.isEnded()).isFalse();
            // nobody says it any more: no fabric knows that the node listens
            put(spine);
            await().until(node::isEnded);
        }
    }

    /** The last bridge is removed over the connection that its switch told of; then the connection ends. */
    @Test
    void lastBridgeIsRemovedBeforeTheConnectionEnds() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Optional<OvsdbAddress> address = Optional.of(new OvsdbAddress("127.0.0.1", listening.getLocalPort()));
            driver.put("node", address, leaf);
            node = new FakeNode(listening.accept(), database, FakeNode.Habit.NONE);
            await().until(() -> isDone(leaf));
            remove(leaf, address);
            await().until(node::isEnded);
            assertThat(node.bridges()).isEmpty();
        }
    }

    private void remove(Bridge bridge, Optional<OvsdbAddress> address) {
        driver.remove(new MarkedBridge("node", bridge.name(), bridge.fabric()), address);
    }

    private void put(Bridge bridge) {
        driver.put("node", Optional.empty(), bridge);
    }

    private boolean isDone(Bridge bridge) {
        return listener.heard("node", bridge.name()).filter(heard -> heard.error().isEmpty()
            && heard.ports().keySet().equals(bridge.ports().keySet())
            && heard.ports().values().stream().allMatch(port -> port.number().isPresent())).isPresent();
    }

    private Set<String> names(String table) {
        Set<String> names = new TreeSet<>();
        node.rows(table).values().forEach(row -> names.add(row.get("name").getAsString()));
        return names;
    }

    private JsonObject row(String table, String name) {
        return node.rows(table).values().stream().filter(row -> row.get("name").getAsString().equals(name)).findFirst()
            .orElseThrow();
    }
}
