package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Another program has the port on which nodes are to connect. */
class TakenPortTest {
    @Test
    void theDriverListensAsSoonAsThePortIsFree() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var other = new ServerSocket(0, 1, loopback);
                var driver = new OvsdbBridgeDriver(TestSettings.listeningOn(other.getLocalPort()),
                    new RecordingListener())) {
            assertThat(driver.listenAddresses()).isEmpty();
            other.close();
            await().until(() -> !driver.listenAddresses().isEmpty());
            try (var node = new Socket(loopback, other.getLocalPort())) {
                assertThat(node.isConnected()).isTrue();
            }
        }
    }

    @Test
    void aDriverThatWaitsForItsPortCloses() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var driver = new OvsdbBridgeDriver(TestSettings.listeningOn(other.getLocalPort()), new RecordingListener());
            driver.close();
            assertThat(driver.isTerminated()).isTrue();
        }
    }
}
