package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Starts a driver for real Open vSwitch nodes before each test, and closes both after it. */
@Tag("root")
abstract class AbstractOvsNodeTest {
    static final String NODE = "leaf-1-1";
    static final String BRIDGE = "br-daq";

    final RecordingListener listener = new RecordingListener();
    OvsdbBridgeDriver driver;
    OvsNode node;

    @BeforeEach
    void startDriver() throws IOException {
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(0), listener);
    }

    @AfterEach
    void closeAll() {
        if (node != null) {
            node.close();
        }
        driver.close();
        assertThat(driver.isTerminated()).isTrue();
    }

    void connectNode() throws IOException {
        node = new OvsNode(NODE);
        node.manager(port());
        await().until(() -> listener.isConnected(NODE));
    }

    PortStatus portStatus(String port) {
        PortStatus status = listener.port(NODE, BRIDGE, port);
        assertThat(status).as(port).isNotNull();
        return status;
    }

    int port() {
        return driver.listenAddress().orElseThrow().getPort();
    }

    void put(Map<String, Port> ports) {
        Bridge bridge = TestBridges.bridge(BRIDGE, ports);
        driver.put(NODE, Optional.empty(), bridge);
    }

    void awaitPort(String name, PortStatus expected) {
        await().untilAsserted(() -> assertThat(listener.port(NODE, BRIDGE, name)).isEqualTo(expected));
    }
}
