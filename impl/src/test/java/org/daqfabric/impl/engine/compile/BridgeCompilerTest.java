package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.PortSettings.Bond;
import org.daqfabric.api.spec.PortSettings.BondMode;
import org.daqfabric.api.spec.PortSettings.Kind;
import org.daqfabric.api.spec.PortSettings.XdpMode;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** The ports of a bridge with their options, and the MTU. */
class BridgeCompilerTest {
    private static final String LEAF = "leaf-1-1";
    private static final DpdkSettings DPDK = new DpdkSettings(Optional.of("1024,1024"), Optional.of("2,4,64"),
        Optional.of("0-1"), Optional.of("-a 0000:01:00.0"));

    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 2, 6, 6, 2);

    private SortedMap<String, String> options(DaqringOptions own, Address of, Address dcm) {
        Policy policy = spec.policy();
        Topology topology = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links(), new Policy(policy.placement(), new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES,
            Policy.Backend.DAQRING, new DaqringOptions(100, 2, 30), new TreeMap<>(Map.of(of, own))),
            policy.protection(), policy.rules())));
        String port = "ring-" + dcm + "-br-daq";
        Bridge bridge = BridgeCompiler.of(topology, new PortNumbers(new TreeMap<>(Map.of(LEAF,
            new TreeMap<>(Map.of(port, PortNumbers.FIRST_RING))))), LEAF);
        return bridge.ports().get(port).options();
    }

    /**
     * The daqring of a sender of control lets out what its flows declare, those of events between the same two with
     * them, and holds 200 ms of it in packets of 1500 bytes, 100 to 4096. A share is one of all that the uplinks of the
     * ROS or of the racks carry, here 120 Gbps.
     */
    @Test
    void daqringsOfControlLetOutWhatIsDeclared() {
        String dcm = spec.pods().get(0).racks().get(0).dcms().get(0).name();
        FabricSpec hosts = HostFabrics.with(spec, List.of(
            new Flow("assign", "host-1", Flow.ALL_DCMS, Flow.Kind.CONTROL, 0.024, 0),
            new Flow("copy", "host-1", dcm, Flow.Kind.EVENTS, 0.01, 0),
            new Flow("log", dcm, "host-1", Flow.Kind.CONTROL, 0, 0.01),
            new Flow("watch", "guest-1", "host-1", Flow.Kind.CONTROL, 0.001, 0)));
        assertThat(controlOptions(hosts, "host-1", "10.9.1.1")).isEqualTo(Map.of("ring-size", "566",
            "max-burst", "32", "polling-interval", "0", "max-rate", "34000"));
        assertThat(controlOptions(hosts, hosts.pods().get(0).racks().get(0).switchName(), "10.9.2.1"))
            .containsEntry("max-rate", "1000").containsEntry("ring-size", "100");
        assertThat(controlOptions(hosts, hosts.pods().get(0).racks().get(0).switchName(),
            spec.pods().get(0).racks().get(0).dcms().get(0).address().toString()))
            .containsEntry("max-rate", "1200000").containsEntry("ring-size", "4096");
    }

    private static Map<String, String> controlOptions(FabricSpec hosts, String edge, String sender) {
        String port = "ring-" + sender + "-br-daq";
        return BridgeCompiler.of(new Topology(hosts), new PortNumbers(new TreeMap<>(Map.of(edge,
            new TreeMap<>(Map.of(port, PortNumbers.FIRST_RING))))), edge).ports().get(port).options();
    }

    /** Every bridge of a fabric has its MTU. */
    @Test
    void bridgesHaveTheMtuOfTheFabric() {
        Policy policy = spec.policy();
        Topology topology = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links(), new Policy(policy.placement(), policy.daqring(), policy.protection(), policy.rules(),
            OptionalInt.of(9000))));
        assertThat(spec.switches()).allSatisfy(each ->
            assertThat(BridgeCompiler.of(topology, PortNumbers.EMPTY, each.name()).mtu()).hasValue(9000));
        assertThat(BridgeCompiler.of(new Topology(spec), PortNumbers.EMPTY, LEAF).mtu()).isEmpty();
    }

    /** What table Interface holds of ports of each kind. */
    @Test
    void portsAreOfTheirKinds() {
        assertThat(columns(PortSettings.SYSTEM)).isEqualTo(List.of("", Map.of()));
        assertThat(columns(new PortSettings(Kind.DPDK, Optional.of("0000:01:00.0"), Optional.empty(), Optional.empty(),
            OptionalInt.of(2), OptionalInt.of(1024), OptionalInt.of(512)))).isEqualTo(List.of("dpdk", Map.of(
                "dpdk-devargs", "0000:01:00.0", "n_rxq", "2", "n_rxq_desc", "1024", "n_txq_desc", "512")));
        assertThat(columns(new PortSettings(Kind.AFXDP, Optional.empty(), Optional.empty(), Optional.of(
            XdpMode.NATIVE_WITH_ZEROCOPY), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty())))
            .isEqualTo(List.of("afxdp", Map.of("xdp-mode", "native-with-zerocopy")));
        assertThat(columns(new PortSettings(Kind.BOND, Optional.empty(), Optional.of(new Bond(BondMode.LACP,
            List.of("0000:01:00.1", "0000:01:00.0"))), Optional.empty(), OptionalInt.empty(), OptionalInt.empty(),
            OptionalInt.empty()))).isEqualTo(List.of("dpdk", Map.of("dpdk-devargs", "net_bonding_up,mode=4,"
                + "xmit_policy=l34,member=0000:01:00.0,member=0000:01:00.1")));
    }

    /** A node is told of DPDK if one of its ports needs it. */
    @Test
    void nodesAreToldWhatTheirPortsNeed() {
        assertThat(bridge(PortSettings.SYSTEM).node()).isEmpty();
        assertThat(bridge(PortSettings.of(Kind.AFXDP)).node()).isEqualTo(Map.of("pmd-cpu-mask", "0x10000000000000014"));
        assertThat(bridge(PortSettings.of(Kind.DPDK)).node()).isEqualTo(Map.of("dpdk-init", "try", "dpdk-socket-mem",
            "1024,1024", "dpdk-lcore-mask", "0x3", "dpdk-extra", "-a 0000:01:00.0", "pmd-cpu-mask",
            "0x10000000000000014"));
    }

    private List<Object> columns(PortSettings settings) {
        Bridge.Port port = bridge(settings).ports().get("up");
        assertThat(port.number()).isEqualTo(3);
        return List.of(port.type(), port.options());
    }

    private Bridge bridge(PortSettings settings) {
        Topology topology = new Topology(FabricEdits.change(spec, LEAF, sw -> new Switch(sw.name(), sw.systemId(),
            sw.ovsdbAddress(), sw.bridge(), sw.datapathType(), sw.adminState(),
            new TreeMap<>(Map.of("up", settings)), DPDK)));
        return BridgeCompiler.of(topology, new PortNumbers(new TreeMap<>(Map.of(LEAF,
            new TreeMap<>(Map.of("up", 3))))), LEAF);
    }

    @Test
    void dcmMayHaveItsOwn() {
        Address own = spec.pods().get(0).racks().get(0).dcms().get(0).address();
        Address other = spec.pods().get(0).racks().get(0).dcms().get(1).address();
        DaqringOptions options = new DaqringOptions(7, 1, 9, OptionalInt.of(0), OptionalInt.of(5));
        assertThat(options(options, own, own)).containsExactlyInAnyOrderEntriesOf(
            Map.of("ring-size", "7", "max-burst", "1", "polling-interval", "9", "credit", "0", "ecn-threshold", "5"));
        assertThat(options(options, own, other)).containsExactlyInAnyOrderEntriesOf(
            Map.of("ring-size", "100", "max-burst", "2", "polling-interval", "30"));
    }
}
