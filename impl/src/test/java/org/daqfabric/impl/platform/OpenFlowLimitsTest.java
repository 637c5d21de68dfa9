package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.daqfabric.impl.platform.WireMessage.ECHO_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.FEATURES_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.HELLO;
import static org.daqfabric.impl.platform.WireMessage.MULTIPART_REPLY;
import static org.daqfabric.impl.platform.WireMessage.MULTIPART_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.PORT_DESC;
import static org.daqfabric.impl.platform.WireMessage.PORT_STATUS;
import static org.daqfabric.impl.platform.WireMessage.send;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.openflow.AnyPeers;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.openflow.RecordedSwitchEvents;
import org.daqfabric.impl.peers.TestPeers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opendaylight.infrautils.diagstatus.DiagStatusService;
import org.opendaylight.infrautils.diagstatus.ServiceRegistration;
import org.opendaylight.openflowjava.protocol.impl.core.SwitchConnectionProviderFactoryImpl;

/** Peers that send more than a switch would, to OpenDaylight's library: their connections end; others are served. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OpenFlowLimitsTest {
    private static final String STRANGER = "127.0.0.9";

    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final List<AutoCloseable> open = new ArrayList<>();
    private InetSocketAddress address;
    private AnyPeers peers;
    private OpenFlowRuleChannel channel;

    /** What a peer answers to the questions that a connection begins with. */
    private enum Habit { HONEST, ENDLESS_DESCRIPTION, NO_DESCRIPTION }

    @BeforeEach
    void listen() throws IOException {
        DiagStatusService health = mock();
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        address = FreeAddress.find();
        peers = new AnyPeers();
        channel = keep(new OpenFlowRuleChannel(events, peers, 10_000));
        var listener = keep(new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
            Optional.empty(), channel));
        await().until(() -> listener.listenAddress().isPresent());
    }

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T keep(T part) {
        open.add(part);
        return part;
    }

    private Socket connect(String from) throws IOException {
        var socket = keep(new Socket());
        socket.setReceiveBufferSize(4096);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(address);
        return socket;
    }

    /** Connects and answers; returns when there is nothing more to answer. */
    private Socket handshake(String from, long datapathId, Habit habit) throws IOException {
        var socket = connect(from);
        send(socket, HELLO, 1, ByteBuffer.allocate(0));
        for (int answers = 0; answers < 3;) {
            var message = WireMessage.read(socket);
            if (message.type() == FEATURES_REQUEST) {
                answers++;
                message.answerFeatures(socket, datapathId);
            } else if (message.type() == MULTIPART_REQUEST) {
                answers++;
                if (habit == Habit.HONEST) {
                    message.answerDescription(socket);
                } else if (habit == Habit.ENDLESS_DESCRIPTION && message.body().getShort(0) != PORT_DESC) {
                    repeat(socket, WireMessage.bytes(MULTIPART_REPLY, message.xid(), ByteBuffer.allocate(8)
                        .putShort((short) 0).putShort((short) 1)));
                    return socket;
                }
            }
        }
        return socket;
    }

    /** Sends the same without an end, until it is disconnected. */
    private static void repeat(Socket to, byte[] bytes) {
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    to.getOutputStream().write(bytes);
                }
            } catch (IOException e) {
                // disconnected
            }
        });
    }

    private void awaitRefused(String limit) {
        await(limit).atMost(Duration.ofSeconds(60)).until(() -> channel.refusals().get(limit) > 0);
    }

    /** A switch connects, is told, and its port is. */
    private void serveHonest() throws IOException {
        handshake("127.0.0.1", 7, Habit.HONEST);
        await().atMost(Duration.ofSeconds(20)).until(() -> events.calls.contains("7:1 down"));
        assertThat(events.calls).doesNotContain("disconnected 7");
    }

    /** Silent connections from one address end when it has too many, the oldest first. */
    @Test
    void silentPeersDoNotKeepSwitchesOut() throws IOException {
        for (int each = 0; each < 560; each++) {
            connect(STRANGER);
        }
        awaitRefused("address");
        serveHonest();
        assertThat(channel.refusedPeers()).containsOnlyKeys(STRANGER);
    }

    /** A peer is no longer said to be refused when a switch of a fabric has been accepted from its address. */
    @Test
    void aRefusalIsForgottenWhenASwitchIsAccepted() throws IOException {
        for (int each = 0; each < 560; each++) {
            connect("127.0.0.1");
        }
        awaitRefused("address");
        assertThat(channel.refusedPeers()).containsOnlyKeys("127.0.0.1");
        serveHonest();
        await().until(() -> channel.refusedPeers().isEmpty());
    }

    /** Who connects too often is not told so at once, as it would be there again at once; others are not held. */
    @Test
    void peersThatConnectTooOftenAreHeld() throws IOException {
        for (int each = 0; channel.refusals().get("arrivals") == 0; each++) {
            assertThat(each).as("connections").isLessThan(5000);
            connect(STRANGER).close();
        }
        Socket last;
        do {
            last = connect(STRANGER);
        } while (TestPeers.isAnswered(last));
        serveHonest();
        last.setSoTimeout(20_000);
        assertThat(last.getInputStream().read()).as("its end").isNegative();
        assertThat(channel.refusedPeers()).containsKey(STRANGER);
    }

    @Test
    void anEndlessDescriptionEndsTheConnection() throws IOException {
        handshake(STRANGER, 8, Habit.ENDLESS_DESCRIPTION);
        awaitRefused("answer");
        serveHonest();
    }

    /** Whatever it sends, before it has described itself it may send only as much as that can take. */
    @Test
    void bytesBeforeTheDescriptionAreLimited() throws IOException {
        // what loads the classes costs a stranger so much that its time ends before
        send(handshake("127.0.0.1", 9, Habit.HONEST), PORT_STATUS, 0, ByteBuffer.allocate(72).putInt(8, 1)
            .putInt(44, 4));
        await().until(() -> events.calls.contains("9:1 up"));
        repeat(handshake(STRANGER, 8, Habit.NO_DESCRIPTION), WireMessage.bytes(PORT_STATUS, 0,
            ByteBuffer.allocate(72)));
        awaitRefused("message");
        assertThat(events.calls).noneMatch(each -> each.startsWith("8:"));
        serveHonest();
    }

    /** Also where it always sends something; without a whole message it counts as silent before that. */
    @Test
    void timeBeforeTheDescriptionIsLimited() throws IOException {
        var slow = connect(STRANGER);
        Thread.ofVirtual().start(() -> {
            try {
                for (byte each : WireMessage.bytes(HELLO, 1, ByteBuffer.allocate(100))) {
                    slow.getOutputStream().write(each);
                    // slow on purpose
                    Thread.sleep(500);
                }
            } catch (IOException | InterruptedException e) {
                // disconnected
            }
        });
        serveHonest();
        awaitRefused("time");
        assertThat(channel.refusedPeers()).hasEntrySatisfying(STRANGER, why ->
            assertThat(why).containsPattern("describe[d]? itself and its ports"));
    }

    @Test
    void answersThatAreNotReadEndTheConnection() throws IOException {
        repeat(handshake(STRANGER, 8, Habit.HONEST), WireMessage.bytes(ECHO_REQUEST, 1, ByteBuffer.allocate(8000)));
        awaitRefused("unread");
        await().until(() -> events.calls.contains("disconnected 8"));
        serveHonest();
    }

    @Test
    void moreAndMorePortsEndTheConnection() throws IOException {
        var socket = handshake(STRANGER, 8, Habit.HONEST);
        Thread.ofVirtual().start(() -> {
            try {
                for (int port = 2; port < 20_000; port++) {
                    send(socket, PORT_STATUS, 0, ByteBuffer.allocate(72).putInt(8, port).putInt(44, 4));
                }
            } catch (IOException e) {
                // disconnected
            }
        });
        awaitRefused("ports");
        await().until(() -> events.calls.contains("disconnected 8"));
        serveHonest();
    }

    /** Where an address has used its credit its peers wait, and others do not; as a node's address it has no limit. */
    @Test
    void peersOfAnAddressThatHasUsedItsCreditWait() throws IOException {
        var stranger = InetAddress.getByName(STRANGER);
        peers.credits().worked(stranger, TimeUnit.HOURS.toNanos(1), System.nanoTime());
        var waiting = connect(STRANGER);
        send(waiting, HELLO, 1, ByteBuffer.allocate(0));
        assertThat(WireMessage.read(waiting).type()).isEqualTo(HELLO);
        serveHonest();
        while (waiting.getInputStream().available() > 0) {
            assertThat(WireMessage.read(waiting).type()).as("no answer to its hello").isEqualTo(ECHO_REQUEST);
        }
        peers.addresses().add(stranger);
        await("answer to its hello").until(() ->
            WireMessage.read(waiting).type() == FEATURES_REQUEST);
    }
}
