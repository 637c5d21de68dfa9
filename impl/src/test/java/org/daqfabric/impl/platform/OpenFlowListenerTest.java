package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.spi.ProofChannel;
import org.daqfabric.impl.openflow.AnyPeers;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.openflow.RecordedSwitchEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opendaylight.infrautils.diagstatus.DiagStatusService;
import org.opendaylight.infrautils.diagstatus.ServiceRegistration;
import org.opendaylight.openflowjava.protocol.impl.core.SwitchConnectionProviderFactoryImpl;

/** The whole OpenFlow side with OpenDaylight's library, against a minimal switch on a socket. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpenFlowListenerTest {
    private static final int HELLO = 0;
    private static final int ERROR = 1;
    private static final int ECHO_REQUEST = 2;
    private static final int ECHO_REPLY = 3;
    private static final int FEATURES_REQUEST = 5;
    private static final int FLOW_MOD = 14;
    /** Where a flow-mod has its priority. */
    private static final int PRIORITY = 30;
    private static final int MULTIPART_REQUEST = 18;
    private static final int BARRIER_REQUEST = 20;

    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final DiagStatusService health = mock(DiagStatusService.class);

    @Test
    void aSwitchConnectsIsServedAndDisconnects() throws Exception {
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), other.getLocalPort());
        try (var channel = new OpenFlowRuleChannel(events, new AnyPeers(), 10_000);
                var listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
                    Optional.empty(), channel)) {
            // the library tries to listen only once; our listener retries until the port is free
            assertThat(listener.listenAddress()).isEmpty();
            other.close();
            await().until(() -> listener.listenAddress().equals(Optional.of(address)));
            try (var socket = socket(address)) {
                var in = new DataInputStream(socket.getInputStream());
                var out = new DataOutputStream(socket.getOutputStream());
                handshake(in, out, 7);
                await().until(() -> events.calls.equals(List.of("connected 7", "7:1 up", "7:2 down")));

                var sent = channel.send(7, List.of(rule(1), rule(2))).toCompletableFuture();
                ByteBuffer first = expect(in, FLOW_MOD);
                ByteBuffer second = expect(in, FLOW_MOD);
                ByteBuffer barrier = expect(in, BARRIER_REQUEST);
                assertThat(first.getInt(4)).isNotEqualTo(second.getInt(4));
                assertThat(sent).isNotDone();
                // OFPET_BAD_ACTION, OFPBAC_BAD_OUT_GROUP
                reply(out, ERROR, second.getInt(4), ByteBuffer.allocate(4).putShort((short) 2).putShort((short) 9));
                reply(out, BARRIER_REQUEST + 1, barrier.getInt(4), ByteBuffer.allocate(0));
                assertThat(sent.get()).singleElement().satisfies(refusal ->
                    assertThat(refusal.message()).isEqualTo(rule(2)));

                // port 2 comes up: OFPPR_MODIFY
                reply(out, 12, 0, ByteBuffer.allocate(72).put((byte) 2).put(new byte[7]).put(port(2, 4).array()));
                await().until(() -> events.calls.contains("7:2 up"));
            }
            await().until(() -> events.calls.contains("disconnected 7"));
            assertThat(events.calls).containsExactly("connected 7", "7:1 up", "7:2 down", "7:2 up", "disconnected 7");
            assertThat(channel.send(7, List.of(rule(1)))).isCompletedExceptionally();
        }
    }

    /** As long as it is, though it stays connected; the controller is told that it is not. */
    @Test
    void nothingIsSentToABridgeOfAnotherInstallation() throws Exception {
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        InetSocketAddress address = FreeAddress.find();
        var peers = new AnyPeers();
        try (var channel = new OpenFlowRuleChannel(events, peers, 10_000);
                var listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
                    Optional.empty(), channel)) {
            await().until(() -> listener.listenAddress().isPresent());
            try (var socket = connect(address, 7)) {
                var in = new DataInputStream(socket.getInputStream());
                var out = new DataOutputStream(socket.getOutputStream());
                channel.watchCabling(7, Set.of(1));
                await().until(() -> events.calls.contains("7:2 down"));
                peers.others().add(7L);
                await().until(() -> events.calls.contains("disconnected 7"));
                reply(out, ECHO_REQUEST, 99, ByteBuffer.allocate(0));
                // frames that check cables were sent before
                untilEcho(in);
                events.calls.clear();
                assertThat(channel.send(7, List.of(rule(1)))).isCompletedExceptionally();
                assertThat(channel.read(7)).isCompletedExceptionally();
                assertThat(channel.isConnected(7)).isFalse();
                channel.transmit(7, List.of(new ProofChannel.Frame(1, new byte[64])));
                channel.fill(7, List.of(1), 1, 0);
                channel.clearPortBits(7, 1);
                // OFPPR_MODIFY
                reply(out, 12, 0, ByteBuffer.allocate(72).put((byte) 2).put(new byte[7]).put(port(2, 4).array()));
                reply(out, ECHO_REQUEST, 100, ByteBuffer.allocate(0));
                // the library may ask whether it answers
                assertThat(untilEcho(in)).isSubsetOf(ECHO_REQUEST, BARRIER_REQUEST);
                assertThat(events.calls).isEmpty();
                peers.others().remove(7L);
                await().untilAsserted(() -> assertThat(events.calls).startsWith("connected 7", "7:1 up")
                    .endsWith("7:2 up"));
                channel.send(7, List.of(rule(2)));
                while (read(in).get(1) != FLOW_MOD) {
                    // frames that check cables again
                }
            }
        }
    }

    /** Changes that wait for room are from what their connection has read: none goes to the next one. */
    @Test
    void changesThatWaitFailWithTheirConnection() throws Exception {
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        InetSocketAddress address = FreeAddress.find();
        try (var channel = new OpenFlowRuleChannel(events, new AnyPeers(), 10_000);
                var listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
                    Optional.empty(), channel)) {
            await().until(() -> listener.listenAddress().isPresent());
            CompletableFuture<?> waiting;
            try (var other = connect(address, 8); var first = connect(address, 7)) {
                await().until(() -> events.calls.containsAll(List.of("connected 7", "connected 8")));
                channel.send(8, Collections.nCopies(50_000, rule(1)));
                waiting = channel.send(7, Collections.nCopies(300, rule(1))).toCompletableFuture();
                first.close();
                await().until(() -> events.calls.contains("disconnected 7"));
                try (var second = connect(address, 7)) {
                    await().until(() -> Collections.frequency(events.calls, "connected 7") == 2);
                    other.close();
                    await().until(waiting::isCompletedExceptionally);
                    channel.send(7, List.of(rule(2)));
                    assertThat(expect(new DataInputStream(second.getInputStream()), FLOW_MOD).getShort(PRIORITY))
                        .isEqualTo((short) 2);
                }
            }
        }
    }

    /** Connects as soon as the library listens. */
    private static Socket socket(InetSocketAddress address) {
        return await().ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> new Socket(address.getAddress(), address.getPort()), Socket::isConnected);
    }

    private static Socket connect(InetSocketAddress address, long datapathId) throws IOException {
        var socket = socket(address);
        handshake(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()),
            datapathId);
        return socket;
    }

    private static void handshake(DataInputStream in, DataOutputStream out, long datapathId) throws IOException {
        expect(in, HELLO);
        reply(out, HELLO, 1, ByteBuffer.allocate(0));
        ByteBuffer features = expect(in, FEATURES_REQUEST);
        reply(out, FEATURES_REQUEST + 1, features.getInt(4), ByteBuffer.allocate(24).putLong(datapathId));
        ByteBuffer description = expect(in, MULTIPART_REQUEST);
        assertThat(description.getShort(8)).as("OFPMP_DESC").isEqualTo((short) 0);
        reply(out, MULTIPART_REQUEST + 1, description.getInt(4), ByteBuffer.allocate(8 + 4 * 256 + 32));
        ByteBuffer ports = expect(in, MULTIPART_REQUEST);
        assertThat(ports.getShort(8)).as("OFPMP_PORT_DESC").isEqualTo((short) 13);
        // in two parts
        reply(out, MULTIPART_REQUEST + 1, ports.getInt(4), part(1, port(1, 4)));
        reply(out, MULTIPART_REQUEST + 1, ports.getInt(4), part(0, port(2, 1)));
    }

    private static ByteBuffer part(int more, ByteBuffer port) {
        return ByteBuffer.allocate(72).putShort((short) 13).putShort((short) more).putInt(0).put(port.array());
    }

    private static ByteBuffer port(int number, int state) {
        return ByteBuffer.allocate(64).putInt(0, number).putInt(36, state);
    }

    private static ByteBuffer expect(DataInputStream in, int type) throws IOException {
        ByteBuffer message = read(in);
        while (message.get(1) == ECHO_REQUEST || message.get(1) == BARRIER_REQUEST && type != BARRIER_REQUEST) {
            // the controller may find the switch idle, and asks each second whether it answers
            message = read(in);
        }
        assertThat((int) message.get(1)).isEqualTo(type);
        return message;
    }

    /** The types of the messages before the answer to an echo. */
    private static Set<Integer> untilEcho(DataInputStream in) throws IOException {
        Set<Integer> types = new TreeSet<>();
        for (int type = read(in).get(1); type != ECHO_REPLY; type = read(in).get(1)) {
            types.add(type);
        }
        return types;
    }

    private static ByteBuffer read(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        assertThat((int) header[0]).isEqualTo(4);
        int length = ByteBuffer.wrap(header).getShort(2);
        return ByteBuffer.allocate(length).put(header).put(in.readNBytes(length - 4));
    }

    private static void reply(DataOutputStream out, int type, int xid, ByteBuffer body) throws IOException {
        out.writeByte(4);
        out.writeByte(type);
        out.writeShort(8 + body.capacity());
        out.writeInt(xid);
        out.write(body.array());
        out.flush();
    }

    private static Message rule(int priority) {
        return new Message.PutRule(new Rule(priority, Match.ALL, List.of(new Action.ToGroup(5))));
    }
}
