package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.impl.async.LogLines;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.peers.Places;
import org.daqfabric.impl.peers.TestPeers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that identify themselves as nodes and then misbehave: an honest node is still served. */
class GreedyPeersTest {
    private static final int MESSAGE = 1 << 20;
    private static final long HELD = 4 << 20;
    private static final int CONNECTIONS = 40;
    private static final String ECHO = "{\"method\":\"echo\",\"params\":[\"" + "x".repeat(50_000) + "\"],\"id\":5}";

    private final RecordingListener listener = new RecordingListener();
    private final List<AutoCloseable> peers = new ArrayList<>();
    private LogLines log;
    private OvsdbBridgeDriver driver;
    private FakeNode honest;
    private int ports;

    @BeforeEach
    void start() throws IOException {
        log = new LogLines();
        driver = new OvsdbBridgeDriver(new OvsdbSettings(
            Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), OvsdbSettings.OPENFLOW_PORT,
            Set.of(), Optional.empty(), new Limits(MESSAGE, 64 << 10, MESSAGE,
                new Places.Limits(CONNECTIONS, 20, CONNECTIONS, 1000), HELD),
            TestSettings.QUICK), listener);
        honest = keep(new FakeNode(port(), "honest", FakeNode.Habit.NONE));
        await().until(() -> listener.isConnected("honest"));
    }

    @AfterEach
    void end() throws Exception {
        try {
            assertThat(listener.events()).doesNotContain("disconnected honest");
            for (AutoCloseable peer : peers) {
                peer.close();
            }
            await().untilAsserted(() -> assertThat(driver.heldBytes()).isZero());
            driver.close();
            assertThat(driver.isTerminated()).isTrue();
        } finally {
            log.close();
        }
    }

    /** Malformed OVSDB closes the connection, and the log has the peer and the reason. */
    @ParameterizedTest
    @ValueSource(strings = {
        "7", "[]", "{\"method\":", "{\"method\":7}]", "{\"method\":{},\"id\":1}",
        "{\"method\":\"update\",\"params\":7,\"id\":null}",
        "{\"method\":\"update\",\"params\":[1],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,2],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":7}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":{\"u\":7}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":{\"u\":{\"new\":7}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":{\"u\":{\"new\":{\"name\":{\"a\":1}}}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":{\"u\":{\"new\":{\"ports\":[\"set\",7]}}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Bridge\":{\"u\":{\"new\":{\"ports\":\"p\"}}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Port\":{\"u\":{\"new\":{\"external_ids\":[]}}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Interface\":{\"u\":{\"new\":{\"ofport\":\"many\"}}}}],\"id\":null}",
        "{\"method\":\"update\",\"params\":[1,{\"Interface\":{\"u\":{\"new\":{\"ofport\":1e99}}}}],\"id\":null}",
        "{\"id\":99999999999999999999999999,\"result\":1}"})
    void malformedOvsdbClosesTheConnection(String text) throws IOException {
        FakeNode peer = connect("peer");
        peer.send((text + "\u0001").getBytes(StandardCharsets.UTF_8));
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(log.with("Node peer at /127.0.0.1:")).anyMatch(line ->
            line.contains("disconnected: ")));
        serveHonest();
    }

    /** What a peer calls itself does not make lines of the log that nobody wrote. */
    @Test
    void aNameWithALineEndIsRefusedAndForgesNothing() throws IOException {
        FakeNode peer = keep(new FakeNode(port(), "p1s1\n2026-01-01T00:00:00,000 | ERROR | forged",
            FakeNode.Habit.NONE));
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(log.with("characters that cannot be shown")).isNotEmpty());
        assertThat(log.with("forged")).allMatch(line -> line.contains("its system-id p1s1"));
        assertThat(listener.events()).noneMatch(event -> event.contains("p1s1"));
        serveHonest();
    }

    @Test
    void aNameThatIsTooLongIsRefused() throws IOException {
        FakeNode peer = keep(new FakeNode(port(), "x".repeat(10_000), FakeNode.Habit.NONE));
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(driver.refusedPeers().values()).anyMatch(reason ->
            reason.contains("its system-id has 10000 characters")));
        assertThat(log.with("xxx")).isEmpty();
        serveHonest();
    }

    /** Who connects too often is not told so at once, unless a node is at its address: it connects again then. */
    @Test
    void peersThatConnectTooOftenAreHeld() throws IOException {
        InetAddress from = InetAddress.getByName("127.0.0.9");
        for (int each = 0; driver.refusals().get("arrivals") == 0; each++) {
            assertThat(each).as("connections").isLessThan(5000);
            new Socket(InetAddress.getLoopbackAddress(), port(), from, 0).close();
        }
        Socket last;
        do {
            last = keep(new Socket(InetAddress.getLoopbackAddress(), port(), from, 0));
        } while (TestPeers.isAnswered(last));
        serveHonest();
        driver.wantedAddresses().add(from);
        last.setSoTimeout(20_000);
        assertThat(last.getInputStream().read()).as("its end").isNegative();
    }

    /** Unknown methods and unexpected replies are legal, and do not close the connection. */
    @Test
    void unknownMessagesAreIgnored() throws IOException {
        FakeNode peer = connect("peer");
        peer.send(("{\"method\":\"steal\",\"params\":[],\"id\":1}{\"method\":\"stolen\",\"params\":[],\"id\":null}"
            + "{\"id\":777,\"result\":{},\"error\":null}{\"id\":\"x\",\"result\":1,\"error\":null}{}"
            + "{\"method\":\"update\",\"params\":[1,{\"Bank\":{\"u\":{\"new\":{}}}}],\"id\":null}")
            .getBytes(StandardCharsets.UTF_8));
        driver.put("peer", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        await().until(() -> peer.bridges().contains("br-daq"));
        serveHonest();
    }

    /** The log has the limit that was exceeded, and the peer. */
    @Test
    void oversizedMessagesAreRefusedAndLogged() throws IOException {
        FakeNode peer = connect("peer");
        flood(peer, "{\"a\":\"", "x".repeat(100_000));
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(log.with("message over " + MESSAGE + " bytes"))
            .anyMatch(line -> line.contains("Node peer at /127.0.0.1:")));
        serveHonest();
    }

    /** Small values take far more memory once parsed than on the wire. */
    @Test
    void messagesWithTooManyValuesAreRefused() throws IOException {
        FakeNode peer = connect("peer");
        flood(peer, "{\"a\":[", "[],".repeat(10_000));
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(log.with("values")).isNotEmpty());
        serveHonest();
    }

    /** Many peers, each within its own limit, do not exceed the limit on the total. */
    @Test
    void unfinishedMessagesAreLimitedInTotal() throws IOException {
        List<FakeNode> hoarders = new ArrayList<>();
        for (int at = 0; at < 20; at++) {
            FakeNode hoarder = connect("hoarder-" + at);
            hoarder.send(("{\"a\":\"" + "x".repeat(MESSAGE / 2)).getBytes(StandardCharsets.UTF_8));
            hoarders.add(hoarder);
            serveHonest();
            assertThat(driver.heldBytes()).isLessThan(HELD + 2 * MESSAGE);
        }
        await().untilAsserted(() -> assertThat(log.with("more than any other")).isNotEmpty());
        await().until(() -> hoarders.stream().anyMatch(FakeNode::isEnded));
    }

    /** The rows of a node are limited, however small the messages that add them. */
    @Test
    void rowsAreLimited() throws IOException {
        FakeNode peer = connect("peer");
        Thread.ofVirtual().start(() -> {
            try {
                for (int row = 0; row < 10_000; row++) {
                    peer.send(("{\"method\":\"update\",\"params\":[1,{\"Port\":{\"u" + row + "\":{\"new\":{\"name\":\""
                        + "x".repeat(1000) + "\",\"external_ids\":[\"map\",[]]}}}}],\"id\":null}")
                        .getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                // disconnected by the driver
            }
        });
        await().until(peer::isEnded);
        await().untilAsserted(() -> assertThat(log.with("its rows take over " + MESSAGE)).isNotEmpty());
        serveHonest();
    }

    /** Endless updates of the same rows do not count towards the limit. */
    @Test
    void rowsThatChangeDoNotAddUp() throws IOException {
        FakeNode peer = connect("peer");
        for (int time = 0; time < 3000; time++) {
            peer.send(("{\"method\":\"update\",\"params\":[1,{\"Port\":{\"u\":{\"new\":{\"name\":\"" + "x".repeat(1000)
                + "\",\"external_ids\":[\"map\",[]]}}}}],\"id\":null}").getBytes(StandardCharsets.UTF_8));
        }
        driver.put("peer", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        await().until(() -> peer.bridges().contains("br-daq"));
        serveHonest();
    }

    /** Answers that the peer does not read are queued only up to a limit. */
    @Test
    void peersThatDoNotReadAreDisconnected() throws IOException {
        HostilePeer deaf = keep(HostilePeer.named("deaf", port(), ECHO, 1000));
        await().until(deaf::isEnded);
        await().untilAsserted(() -> assertThat(log.with("does not take what is sent to it")).isNotEmpty());
        serveHonest();
    }

    /** A message that never ends counts as silence. */
    @Test
    void peersThatNeverFinishAMessageAreDisconnected() throws IOException {
        HostilePeer slow = keep(HostilePeer.named("slow", port(), "{\"a\":\"" + "x".repeat(10_000), 1));
        await().until(slow::isEnded);
        await().untilAsserted(() -> assertThat(log.with("no whole message for")).isNotEmpty());
        serveHonest();
    }

    /** The honest node is served even if more peers than there are processors send without a pause. */
    @Test
    void busyPeersDoNotStarveOthers() throws IOException {
        for (int at = 0; at < 4 * Runtime.getRuntime().availableProcessors(); at++) {
            keep(HostilePeer.named("talker-" + at, port(),
                "{\"id\":777,\"result\":{},\"error\":null}".repeat(1000), Integer.MAX_VALUE));
        }
        for (int time = 0; time < 20; time++) {
            serveHonest();
        }
    }

    /** At the limit, new connections are refused, with one log line, and existing ones are served. */
    @Test
    void connectionsOverTheLimitAreRefused() throws IOException {
        for (int at = 1; at < CONNECTIONS; at++) {
            connect("node-" + at);
        }
        List<HostilePeer> late = new ArrayList<>();
        for (int at = 0; at < 50; at++) {
            late.add(keep(new HostilePeer(port(), "", 0, 0)));
        }
        await().until(() -> late.stream().allMatch(HostilePeer::isEnded));
        assertThat(log.with("over the limit of " + CONNECTIONS + " connections")).hasSize(1);
        serveHonest();
    }

    /** Peers that name one system-id after another fill the places, and give way to nodes of fabrics and new ones. */
    @Test
    void namedPeersDoNotKeepNodesOut() throws IOException {
        serveHonest();
        for (int at = 0; at < 2 * CONNECTIONS; at++) {
            keep(HostilePeer.named("flood-" + at, InetAddress.getByName("127.0.0.66"), port()));
        }
        await().until(() -> driver.refusals().get("connections") > 0);
        FakeNode fresh = connect("fresh");
        driver.put("fresh", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
        await().until(() -> fresh.bridges().contains("br-daq"));
        serveHonest();
        assertThat(driver.refusedPeers()).containsOnlyKeys("127.0.0.66");
    }

    /** Where an address has used its credit its peers wait, and others do not; as a node's address it has no limit. */
    @Test
    void peersOfAnAddressThatHasUsedItsCreditWait() throws IOException {
        InetAddress stranger = InetAddress.getByName("127.0.0.66");
        driver.addressCredits().worked(stranger, Duration.ofHours(1).toNanos(), System.nanoTime());
        HostilePeer waiting = keep(HostilePeer.named("waiting", stranger, port()));
        connect("other");
        serveHonest();
        assertThat(waiting.isEnded()).isFalse();
        assertThat(listener.isConnected("waiting")).isFalse();
        assertThat(driver.session("waiting")).isEmpty();
        driver.wantedAddresses().add(stranger);
        await().until(() -> driver.session("waiting").isPresent());
    }

    /** A peer that keeps reconnecting under new names does not fill the log. */
    @Test
    void reconnectingPeersDoNotFillTheLog() throws IOException {
        for (int at = 0; at < 200; at++) {
            String name = "visitor-" + at;
            FakeNode visitor = new FakeNode(port(), name, FakeNode.Habit.NONE);
            await().pollInterval(Duration.ofMillis(2)).until(() -> listener.isConnected(name));
            visitor.close();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !listener.isConnected(name));
        }
        assertThat(log.with("visitor-")).hasSizeLessThan(20);
        serveHonest();
    }

    private void serveHonest() {
        int number = ++ports;
        driver.put("honest", Optional.empty(),
            TestBridges.bridge("br-daq", Map.of("up" + number, TestBridges.device(number))));
        await().atMost(Duration.ofSeconds(2)).pollInterval(Duration.ofMillis(5)).until(() ->
            listener.port("honest", "br-daq", "up" + number) != null
            && listener.port("honest", "br-daq", "up" + number).number().isPresent());
    }

    private FakeNode connect(String systemId) throws IOException {
        FakeNode node = keep(new FakeNode(port(), systemId, FakeNode.Habit.NONE));
        await().pollInterval(Duration.ofMillis(5)).until(() -> listener.isConnected(systemId));
        return node;
    }

    private static void flood(FakeNode peer, String begin, String piece) {
        Thread.ofVirtual().start(() -> {
            try {
                peer.send(begin.getBytes(StandardCharsets.UTF_8));
                for (int at = 0; at < 1000; at++) {
                    peer.send(piece.getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                // disconnected by the driver
            }
        });
    }

    /** The answer to the driver's first request. */
    private int port() {
        return driver.listenAddress().orElseThrow().getPort();
    }

    private <P extends AutoCloseable> P keep(P peer) {
        peers.add(peer);
        return peer;
    }
}
