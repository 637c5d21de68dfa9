package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.async.LogLines;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.controller.spi.Installation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver against in-memory nodes: rare behaviour, and large numbers of nodes. */
class FakeNodesTest {
    private static final Logger LOG = LoggerFactory.getLogger(FakeNodesTest.class);
    private static final int PORTS = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final RecordingListener listener = new RecordingListener();
    private final List<FakeNode> nodes = new ArrayList<>();
    private OvsdbBridgeDriver driver;

    @BeforeEach
    void startDriver() throws IOException {
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(0), listener);
    }

    private void restartDriver(OvsdbSettings.Timing timing) throws IOException {
        driver.close();
        OvsdbSettings usual = TestSettings.listeningOn(0);
        driver = new OvsdbBridgeDriver(new OvsdbSettings(usual.listen(), usual.openFlowPort(), usual.controllers(),
            usual.tls(), usual.limits(), timing), listener);
    }

    @AfterEach
    void endAll() throws IOException {
        for (FakeNode node : nodes) {
            node.close();
        }
        driver.close();
        assertThat(driver.isTerminated()).isTrue();
    }

    /** A fabric that starts as a whole must not have to wait for its controller. */
    @ParameterizedTest(name = "{0} nodes")
    @ValueSource(ints = {20, 20, 200, 200, 200})
    void manyNodesAtOnceGetTheirBridges(int count) throws IOException {
        // no node may be disconnected for being slow on a busy machine
        restartDriver(OvsdbSettings.Timing.USUAL);
        TreeMap<String, Port> ports = new TreeMap<>();
        for (int port = 1; port <= PORTS; port++) {
            ports.put("up" + port, TestBridges.bfd(port));
        }
        for (int node = 0; node < count; node++) {
            driver.put("node-" + node, Optional.empty(), TestBridges.bridge("br-daq", ports));
        }
        long began = System.nanoTime();
        for (int node = 0; node < count; node++) {
            connect("node-" + node, FakeNode.Habit.NONE);
        }
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5)).until(() -> nodes.stream().allMatch(node ->
            node.bridges().contains("br-daq")));
        LOG.info("{} nodes with {} ports each: {} ms", count, PORTS, (System.nanoTime() - began) / 1_000_000);
        await().atMost(TIMEOUT).until(() -> nodes.stream().allMatch(node -> node.transactions() == 1)
            && new PortStatus(OptionalInt.of(PORTS), true, "")
            .equals(listener.port("node-" + (count - 1), "br-daq", "up" + PORTS)));
    }

    /** A node that answers before it sends the update is not sent the change again. */
    @Test
    void theOrderOfAnswerAndUpdateDoesNotMatter() throws IOException {
        FakeNode node = connect("a", FakeNode.Habit.ANSWERS_FIRST);
        for (int port = 1; port <= PORTS; port++) {
            driver.put("a", Optional.empty(),
                TestBridges.bridge("br-daq", Map.of("up" + port, TestBridges.device(port))));
            int number = port;
            await().pollInterval(Duration.ofMillis(2)).until(() -> new PortStatus(OptionalInt.of(number), true, "")
                .equals(listener.port("a", "br-daq", "up" + number)));
        }
        assertThat(node.transactions()).isEqualTo(PORTS);
    }

    /** A member of a cluster that stands by, or is not certain to be active, watches nodes but changes none. */
    @Test
    void nodesAreChangedOnlyWithPermission() throws IOException {
        driver.close();
        AtomicBoolean mayChange = new AtomicBoolean();
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(0), listener, mayChange::get,
            () -> Installation.UNKNOWN);
        driver.put("a", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        FakeNode node = connect("a", FakeNode.Habit.NONE);
        // the node has been read, and its state reported
        await().until(() -> listener.error("a", "br-daq") != null);
        assertThat(node.transactions()).isZero();
        mayChange.set(true);
        driver.resume();
        await().until(() -> node.bridges().contains("br-daq"));
        int before = node.transactions();

        driver.relinquish();
        driver.put("b", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        FakeNode other = connect("b", FakeNode.Habit.NONE);
        await().until(() -> other.bridges().contains("br-daq"));
        assertThat(node.bridges()).contains("br-daq");
        assertThat(node.transactions()).isEqualTo(before);
    }

    /** Until it is taken over; that is for OpenFlow, too. */
    @Test
    void aBridgeOfAnotherInstallationIsLeftAlone() throws IOException {
        driver.close();
        AtomicReference<Installation> own = new AtomicReference<>(Installation.of("a"));
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(0), listener, () -> true, own::get);
        driver.put("a", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        FakeNode node = connect("a", FakeNode.Habit.NONE);
        await().until(() -> "".equals(listener.error("a", "br-daq")));
        assertThat(driver.isOthers(TestBridges.DATAPATH_ID)).isFalse();
        final int before = node.transactions();
        own.set(Installation.of("b"));
        driver.resume();
        await().until(() -> driver.isOthers(TestBridges.DATAPATH_ID));
        await().untilAsserted(() -> assertThat(listener.error("a", "br-daq"))
            .contains("installation of daqfabric (a)"));
        driver.put("a", Optional.empty(), TestBridges.bridge("br-daq", Map.of("up1", TestBridges.device(1))));
        await().until(() -> listener.port("a", "br-daq", "up1") != null);
        assertThat(node.transactions()).isEqualTo(before);
        assertThat(driver.isOthers(TestBridges.DATAPATH_ID)).isTrue();
        own.set(Installation.of("b").takenOver(List.of("a")));
        driver.resume();
        await().until(() -> node.transactions() > before && !driver.isOthers(TestBridges.DATAPATH_ID));
    }

    /** A refusal is reported in the words of the database, and affects no other bridge. */
    @Test
    void aRefusedBridgeDoesNotKeepOthersFromBeingMade() throws IOException {
        driver.put("a", Optional.empty(), TestBridges.bridge("bad", Map.of()));
        driver.put("a", Optional.empty(), TestBridges.bridge("good", Map.of()));
        FakeNode node = connect("a", FakeNode.Habit.REFUSES_BAD);
        await().until(() -> node.bridges().contains("good"));
        await().untilAsserted(() -> assertThat(listener.error("a", "bad"))
            .contains("constraint violation").contains("bad is bad"));
        await().untilAsserted(() -> assertThat(listener.error("a", "good")).isEmpty());
        int before = node.transactions();
        await().during(Duration.ofMillis(500)).until(() -> node.transactions() <= before + 3);
    }

    /** Reports do not wait for a node that hangs, and ask none in no fabric; refused peers have their reason. */
    @Test
    void reportsDoNotWaitForNodesThatHang() throws Exception {
        restartDriver(OvsdbSettings.Timing.USUAL);
        connect("a", FakeNode.Habit.HANGS);
        connect("idle", FakeNode.Habit.HANGS);
        await().until(() -> listener.isConnected("a") && listener.isConnected("idle"));
        driver.put("a", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        driver.put("never", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        connect("", FakeNode.Habit.NONE);
        await().until(() -> !driver.refusedPeers().isEmpty());
        assertThat(driver.refusedPeers()).hasEntrySatisfying("127.0.0.1", reason ->
            assertThat(reason).contains("it has no system-id"));

        assertThat(driver.nodeReports().toCompletableFuture().get(10, TimeUnit.SECONDS)).extracting(NodeReport::node)
            .extracting("systemId", "connected", "silent", "seen")
            .containsExactlyInAnyOrder(tuple("a", true, true, true), tuple("idle", true, false, true),
                tuple("never", false, false, false));
    }

    /** A node that does not answer is disconnected, and configured when it connects again. */
    @Test
    void anUnansweredTransactionEndsTheConnection() throws IOException {
        OvsdbSettings.Timing quick = TestSettings.QUICK;
        restartDriver(new OvsdbSettings.Timing(quick.probe(), quick.identify(),
            Duration.ofMillis(500), quick.duplicate(), quick.apply(), quick.orphans(), quick.retry(),
            quick.retryMost(), quick.dial(), quick.dialMost()));
        FakeNode node = connect("a", FakeNode.Habit.NEVER_ANSWERS);
        driver.put("a", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        await().until(node::isEnded);
        FakeNode again = connect("a", FakeNode.Habit.NONE);
        await().until(() -> again.bridges().contains("br-daq"));
    }

    /** The limit on the size of a message also applies to identified nodes. */
    @Test
    void anIdentifiedNodeThatFloodsIsDisconnected() throws IOException {
        FakeNode flooding = connect("flooding", FakeNode.Habit.NONE);
        await().until(() -> listener.isConnected("flooding"));
        FakeNode other = connect("other", FakeNode.Habit.NONE);
        byte[] piece = "1,".repeat(1 << 19).getBytes(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(() -> {
            try {
                flooding.send("{\"a\":[".getBytes(StandardCharsets.UTF_8));
                for (int at = 0; at < 100; at++) {
                    flooding.send(piece);
                }
            } catch (IOException e) {
                // disconnected by the driver
            }
        });
        driver.put("other", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        await().until(() -> other.bridges().contains("br-daq"));
        await().until(() -> !listener.isConnected("flooding"));
        assertThat(listener.isConnected("other")).isTrue();
    }

    /** After a restart, nodes may connect before the configuration shows whether they are in a fabric. */
    @Test
    void nodesInNoFabricAreLoggedOnlyOnceTheConfigurationIsKnown() throws IOException {
        try (LogLines log = new LogLines()) {
            listener.expectAll(true);
            connect("early", FakeNode.Habit.NONE);
            await().until(() -> listener.isConnected("early"));
            await().during(TestSettings.QUICK.orphans().multipliedBy(3)).until(() ->
                log.with("early is in no fabric").isEmpty());
            listener.expectAll(false);
            await().until(() -> log.with("early is in no fabric").size() == 1);
        }
    }

    /** Silent peers cannot use up the limit on unidentified connections. */
    @Test
    void silentPeersDoNotKeepNodesOut() throws IOException {
        int unidentified = TestSettings.listeningOn(0).limits().places().strangers();
        List<HostilePeer> silent = new ArrayList<>();
        try {
            for (int at = 0; at < unidentified + 50; at++) {
                silent.add(new HostilePeer(driver.listenAddress().orElseThrow().getPort(), "", 0, 0));
            }
            connect("a", FakeNode.Habit.NONE);
            await().until(() -> listener.isConnected("a"));
            assertThat(silent.stream().filter(HostilePeer::isEnded).count()).isGreaterThanOrEqualTo(50);
            await().until(() -> silent.stream().allMatch(HostilePeer::isEnded));
            assertThat(listener.isConnected("a")).isTrue();
        } finally {
            silent.forEach(HostilePeer::close);
        }
    }

    /** Nor can those of a node that was taken over: one that the controller has not met is in at its first try. */
    @Test
    void silentPeersOfANodeDoNotKeepOthersOut() throws IOException {
        restartDriver(OvsdbSettings.Timing.USUAL);
        InetAddress taken = InetAddress.getByName("127.0.0.66");
        driver.wantedAddresses().add(taken);
        int unidentified = TestSettings.listeningOn(0).limits().places().strangers();
        List<HostilePeer> silent = new ArrayList<>();
        try {
            for (int at = 0; at < unidentified + 48; at++) {
                silent.add(HostilePeer.silent(taken, driver.listenAddress().orElseThrow().getPort()));
            }
            await().until(() -> driver.refusals().get("strangers") == 48);
            FakeNode fresh = connect("fresh", FakeNode.Habit.NONE);
            await().until(() -> listener.isConnected("fresh"));
            assertThat(fresh.isEnded()).isFalse();
            assertThat(driver.refusedPeers()).containsOnlyKeys("127.0.0.66");
        } finally {
            silent.forEach(HostilePeer::close);
        }
    }

    private FakeNode connect(String systemId, FakeNode.Habit habit) throws IOException {
        FakeNode node = new FakeNode(driver.listenAddress().orElseThrow().getPort(), systemId, habit);
        nodes.add(node);
        return node;
    }
}
