package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.junit.jupiter.api.Test;

/** How the driver configures bridges and ports of real Open vSwitch nodes. */
class OvsdbBridgeDriverTest extends AbstractOvsNodeTest {
    /** Zero touch: all that a node needs to get its bridge are a manager and a system-id. */
    @Test
    void aBridgeComesUpWithAllColumns() throws IOException {
        node = new OvsNode(NODE);
        node.addDevice("up1");
        node.manager(port());
        await().until(() -> listener.isConnected(NODE));
        assertThat(listener.interfaceTypes(NODE)).contains("internal", "patch");

        driver.put(NODE, Optional.empty(), TestBridges.bridge(BRIDGE, Map.of("up1", TestBridges.bfd(7))));

        awaitPort("up1", new PortStatus(OptionalInt.of(7), true, ""));
        assertThat(listener.error(NODE, BRIDGE)).isEmpty();
        assertThat(node.get("Bridge", BRIDGE, "fail_mode")).isEqualTo("secure");
        assertThat(node.get("Bridge", BRIDGE, "protocols")).isEqualTo("[OpenFlow13]");
        assertThat(node.get("Bridge", BRIDGE, "datapath_type")).isEqualTo("netdev");
        assertThat(node.get("Bridge", BRIDGE, "datapath_id")).isEqualTo("0000020000000001");
        assertThat(node.get("Bridge", BRIDGE, "other_config"))
            .matches("\\{datapath-id=0000020000000001, disable-in-band=true, dp-sn=(\"?)[0-9a-f]{24}\\1,"
                + " hwaddr=02:00:00:00:00:01}");
        assertThat(node.get("Bridge", BRIDGE, "external_ids")).isEqualTo("{daqfabric=atlas}");
        assertThat(node.vsctl("get-controller", BRIDGE)).isEqualTo("tcp:127.0.0.1:6653");
        assertThat(node.get("Controller", BRIDGE, "connection_mode")).isEqualTo("out-of-band");
        assertThat(node.get("Controller", BRIDGE, "max_backoff")).isEqualTo("1000");
        assertThat(node.get("Interface", "up1", "ofport_request")).isEqualTo("7");
        assertThat(node.get("Interface", "up1", "bfd")).isEqualTo("{enable=true, min_tx=100}");
        assertThat(node.get("Interface", BRIDGE, "mac_in_use")).isEqualTo("02:00:00:00:00:01");
    }

    /** A missing device is reported as the error of its port, which recovers when the device appears. */
    @Test
    void aMissingDeviceIsReportedUntilItAppears() throws IOException {
        connectNode();
        put(Map.of("up1", TestBridges.device(1)));
        await().untilAsserted(() -> {
            assertThat(portStatus("up1").number()).isEmpty();
            assertThat(portStatus("up1").error()).contains("up1").contains("No such device");
        });

        node.addDevice("up1");

        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
    }

    /** On a node without our daqring port type, its port has an error and the others work. */
    @Test
    void anUnknownInterfaceTypeIsReported() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("ring1", TestBridges.port(100, "daqring", Map.of("ring-size", "64")), "up1", TestBridges.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        await().untilAsserted(() -> {
            assertThat(portStatus("ring1").number()).isEmpty();
            assertThat(portStatus("ring1").error()).isNotEmpty();
        });
        assertThat(listener.interfaceTypes(NODE)).doesNotContain("daqring");
    }

    /** Ports have the fabric's MTU; one whose device does not take it is named. */
    @Test
    void portsHaveTheMtu() throws IOException {
        connectNode();
        node.addDevice("up1");
        Bridge bridge = TestBridges.bridge(BRIDGE, Map.of("up1", TestBridges.device(1)));
        driver.put(NODE, Optional.empty(), TestBridges.mtu(bridge, 9000));
        await().until(() -> node.get("Interface", "up1", "mtu").equals("9000")
            && node.get("Interface", BRIDGE, "mtu").equals("9000"));
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).isEmpty());

        // more than a tap device takes
        driver.put(NODE, Optional.empty(), TestBridges.mtu(bridge, 65535));

        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE))
            .isEqualTo("port br-daq has an MTU of 9000 bytes instead of 65535: its card or driver does not take it, see"
                + " ovs-vswitchd's log; larger packets are dropped there until it does, or until the fabric's mtu is"
                + " lower"));
        driver.put(NODE, Optional.empty(), bridge);
        await().until(() -> node.get("Interface", "up1", "mtu_request").equals("[]")
            && node.get("Interface", BRIDGE, "mtu_request").equals("[]"));
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).isEmpty());
    }

    /** What a daqring holds back is told once, again when the episode goes on, and to who puts the bridge again. */
    @Test
    void episodesOfDropsAreTold() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        // Debian's Open vSwitch has no daqrings, and leaves alone what is written here unless it is reconfigured
        node.vsctl("--no-wait", "set", "Interface", "up1", "status={drop_time=\"1790000000123\",drop_duration=\"11\","
            + "drop_packets=\"57\",drop_peak=\"100\",drop_before=\"1\",drop_occupancy=\"0 100*2\"}");
        String told = "dropped " + NODE + "/" + BRIDGE + " up1 ";
        await().until(() -> listener.count(told + "57 now") == 1);
        node.vsctl("--no-wait", "set", "Interface", "up1", "status:drop_packets=\"60\"");
        await().until(() -> listener.count(told + "60 now") == 1);
        assertThat(listener.count(told + "57 now")).isEqualTo(1);
        put(Map.of("up1", TestBridges.device(1)));
        await().until(() -> listener.count(told + 60) == 1);
    }

    /** Carrier and administrative state are both reported. */
    @Test
    void aPortThatGoesDownIsReported() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        node.ip("link", "set", "up1-far", "down");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), false, ""));
        node.ip("link", "set", "up1-far", "up");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        node.ip("link", "set", "up1", "down");
        awaitPort("up1", new PortStatus(OptionalInt.of(1), false, ""));
    }

    /** Undesired ports are removed, and changed ones are modified in place. */
    @Test
    void portsFollowTheConfiguration() throws IOException {
        connectNode();
        node.addDevice("up1");
        node.addDevice("up2");
        put(Map.of("up1", TestBridges.device(1), "up2", TestBridges.device(2)));
        awaitPort("up2", new PortStatus(OptionalInt.of(2), true, ""));
        String uuid = node.get("Interface", "up2", "_uuid");

        put(Map.of("up2", TestBridges.bfd(5)));

        awaitPort("up2", new PortStatus(OptionalInt.of(5), true, ""));
        assertThat(node.vsctl("list-ports", BRIDGE)).isEqualTo("up2");
        assertThat(node.get("Interface", "up2", "_uuid")).isEqualTo(uuid);
        assertThat(node.get("Interface", "up2", "bfd")).isEqualTo("{enable=true, min_tx=100}");
        assertThat(listener.heard(NODE, BRIDGE).orElseThrow().ports()).containsOnlyKeys("up2");
    }

    /** What others added to our bridge stays, and so do their own bridges. */
    @Test
    void foreignPortsAndKeysAreKept() throws IOException {
        connectNode();
        node.vsctl("add-br", "br-ex", "--", "set", "Bridge", "br-ex", "datapath_type=netdev");
        node.addDevice("up1");
        node.addDevice("eth9");
        node.vsctl("add-port", "br-ex", "up1");
        put(Map.of("up1", TestBridges.device(1)));
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).contains("bridge br-ex"));
        assertThat(portStatus("up1").error()).contains("br-ex");
        assertThat(node.vsctl("port-to-br", "up1")).isEqualTo("br-ex");
        // a first attempt, made before the driver knew of br-ex, may have been refused: the next one comes later
        await().until(() -> node.vsctl("list-br").lines().anyMatch(BRIDGE::equals));

        node.vsctl("add-port", BRIDGE, "eth9", "--", "set", "Bridge", BRIDGE, "other_config:theirs=1",
            "external_ids:theirs=2", "fail_mode=standalone", "--", "del-port", "up1");

        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        assertThat(listener.error(NODE, BRIDGE)).isEmpty();
        assertThat(node.get("Bridge", BRIDGE, "fail_mode")).isEqualTo("secure");
        put(Map.of());
        await().until(() -> node.vsctl("list-ports", BRIDGE).equals("eth9"));
        assertThat(node.get("Bridge", BRIDGE, "other_config")).contains("theirs=1");
        assertThat(node.get("Bridge", BRIDGE, "external_ids")).contains("theirs=2");

        driver.remove(TestBridges.marked(NODE, BRIDGE), Optional.empty());
        await().until(() -> node.vsctl("list-br").equals("br-ex"));
    }

    /** Nothing of a bridge is left in any table. */
    @Test
    void removalLeavesNothing() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.device(1)));
        awaitPort("up1", new PortStatus(OptionalInt.of(1), true, ""));
        driver.remove(TestBridges.marked(NODE, BRIDGE), Optional.empty());
        await().until(() -> node.vsctl("list-br").isEmpty());
        for (String table : Set.of("Bridge", "Port", "Interface", "Controller")) {
            assertThat(node.vsctl("--bare", "--columns=_uuid", "list", table)).as(table).isEmpty();
        }
    }

    /** An operator's mistake is corrected at once. */
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

    /** A controller that lost its data must not tear down a running detector. */
    @Test
    void undesiredBridgesAreRemovedOnlyWithinAKnownFabric() throws IOException {
        connectNode();
        for (String fabric : Set.of("atlas", "cms")) {
            node.vsctl("--no-wait", "add-br", "br-" + fabric, "--", "br-set-external-id", "br-" + fabric, "daqfabric",
                fabric);
        }
        await().during(Duration.ofSeconds(1)).until(() -> node.vsctl("list-br").equals("br-atlas\nbr-cms"));
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals("br-cms\n" + BRIDGE));
    }

    /** The database accepts a change that nothing carries out. */
    @Test
    void aDeadVswitchdIsReported() throws IOException {
        connectNode();
        node.stopSwitching();
        put(Map.of());
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).contains("ovs-vswitchd"));
        node.startSwitching();
        await().untilAsserted(() -> assertThat(listener.error(NODE, BRIDGE)).isEmpty());
    }

    /**
     * When the managers of a node change, so do the controllers of its bridge: the one that leads here, and those that
     * other members have marked.
     */
    @Test
    void controllersFollowTheManagers() throws IOException {
        connectNode();
        put(Map.of());
        await().until(() -> node.vsctl("list-br").equals(BRIDGE));
        node.vsctl("--no-wait", "set-manager", "tcp:127.0.0.1:" + port(), "tcp:127.0.0.2:1");
        await().untilAsserted(() -> assertThat(node.vsctl("--columns=target", "find", "manager",
            "external_ids:daqfabric=controller")).contains("127.0.0.1").doesNotContain("127.0.0.2"));
        assertThat(node.vsctl("get-controller", BRIDGE)).isEqualTo("tcp:127.0.0.1:6653");
        String other = node.vsctl("--bare", "--columns=_uuid", "find", "manager", "target=\"tcp:127.0.0.2:1\"");
        node.vsctl("--no-wait", "set", "manager", other, "external_ids:daqfabric=controller");
        await().untilAsserted(() -> assertThat(node.vsctl("get-controller", BRIDGE))
            .isEqualTo("tcp:127.0.0.1:6653\ntcp:127.0.0.2:6653"));
    }

    /** A device that is made anew under its name is opened anew: its port is deleted and added. */
    @Test
    void aDeviceMadeAnewIsOpenedAnew() throws IOException {
        connectNode();
        node.addDevice("up1");
        put(Map.of("up1", TestBridges.device(5)));
        awaitPort("up1", new PortStatus(OptionalInt.of(5), true, ""));
        final String before = node.get("Port", "up1", "_uuid");
        final String device = node.get("Interface", "up1", "ifindex");
        node.ip("link", "del", "up1");
        await().until(() -> node.get("Interface", "up1", "ifindex").equals("0"));
        node.addDevice("up1");
        await().untilAsserted(() -> assertThat(node.vsctl("--if-exists", "get", "Port", "up1", "_uuid"))
            .isNotEmpty().isNotEqualTo(before));
        awaitPort("up1", new PortStatus(OptionalInt.of(5), true, ""));
        assertThat(node.get("Interface", "up1", "ifindex")).isNotEqualTo(device);
    }
}
