package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.controller.BridgeListener.PortStatus;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Sockets;
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
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("ovsdb-")));
    }

    static OvsdbSettings settings(int port) {
        return new OvsdbSettings(Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
            OvsdbSettings.OPENFLOW_PORT, Set.of(), Sockets.PLAIN, Limits.USUAL, QUICK);
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
