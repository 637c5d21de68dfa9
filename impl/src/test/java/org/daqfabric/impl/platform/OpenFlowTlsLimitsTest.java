package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.openflow.AnyPeers;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.openflow.RecordedSwitchEvents;
import org.daqfabric.impl.tls.Certificates;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.infrautils.diagstatus.DiagStatusService;
import org.opendaylight.infrautils.diagstatus.ServiceRegistration;
import org.opendaylight.openflowjava.protocol.impl.core.SwitchConnectionProviderFactoryImpl;

/** Peers that do not complete the TLS handshake on the OpenFlow port, or show no certificate, or a foreign one. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OpenFlowTlsLimitsTest {
    private static final byte[] BEGIN_OF_A_HANDSHAKE = {0x16, 3, 1, 2};
    private static final byte[] HELLO = {4, 0, 0, 8, 0, 0, 0, 1};

    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final List<Socket> peers = new ArrayList<>();
    @TempDir
    private Path folder;

    private TlsFiles files(String name) {
        return new TlsFiles(folder.resolve(name + "-key.pem"), folder.resolve(name + "-cert.pem"),
            folder.resolve("ca-cert.pem"));
    }

    private void peer(Socket socket, byte[] bytes, boolean slowly) {
        peers.add(socket);
        Thread.ofVirtual().start(() -> {
            try {
                do {
                    socket.getOutputStream().write(bytes);
                    // slow on purpose
                    Thread.sleep(500);
                } while (slowly);
            } catch (IOException | InterruptedException e) {
                // disconnected
            }
        });
    }

    private static boolean isEnded(Socket socket) {
        try {
            socket.setSoTimeout(50);
            return socket.getInputStream().readAllBytes().length >= 0;
        } catch (IOException e) {
            return !(e instanceof SocketTimeoutException);
        }
    }

    @Test
    void whoIsNotTrustedIsNotServed() throws Exception {
        for (String ca : List.of("ca", "foreign-ca")) {
            Certificates.make(folder, ca, "EC");
        }
        Certificates.issue(folder, "ca", "controller");
        Certificates.issue(folder, "foreign-ca", "foreign");
        DiagStatusService health = mock();
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        InetSocketAddress address = FreeAddress.find();
        try (var channel = new OpenFlowRuleChannel(events, new AnyPeers(), 10_000);
                var listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
                    Optional.of(TlsIdentity.read(files("controller"))), channel)) {
            await().until(() -> listener.listenAddress().isPresent());
            peer(new Socket(address.getAddress(), address.getPort()), new byte[0], false);
            peer(new Socket(address.getAddress(), address.getPort()), BEGIN_OF_A_HANDSHAKE, false);
            peer(new Socket(address.getAddress(), address.getPort()), BEGIN_OF_A_HANDSHAKE, true);
            peer(new Socket(address.getAddress(), address.getPort()), HELLO, false);
            peer(TlsIdentity.read(files("foreign")).context().getSocketFactory().createSocket(address.getAddress(),
                address.getPort()), HELLO, false);
            await().atMost(Duration.ofSeconds(40)).until(() -> peers.stream().allMatch(
                OpenFlowTlsLimitsTest::isEnded));
            assertThat(channel.refusals().get("time")).isPositive();
            assertThat(events.calls).isEmpty();
        } finally {
            for (var each : peers) {
                each.close();
            }
            // the library reads keys from files, in a folder of the controller
            MoreFiles.deleteRecursively(OpenFlowTls.FOLDER.getParent(), RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
