package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;

class FabricReaderTest {
    private static InMemoryBroker broker;

    @BeforeAll
    static void open() {
        broker = new InMemoryBroker();
    }

    /** The prototype of the thesis is written with the names of the contract, and is valid. */
    @Test
    void readsThePrototype() {
        FabricSpec spec = read(broker.fabrics(broker.prototype()));

        assertThat(FabricChecks.check(spec)).isEmpty();
        assertThat(spec.planes()).hasSize(2).allSatisfy(plane -> {
            assertThat(plane.spines()).hasSize(2);
            assertThat(plane.leaves()).hasSize(2);
        });
        assertThat(spec.pods()).flatMap(pod -> pod.ros()).hasSize(6);
        assertThat(spec.pods()).flatMap(pod -> pod.racks()).flatMap(rack -> rack.dcms()).hasSize(48);
        assertThat(spec.switches()).hasSize(20);
        assertThat(spec.links()).hasSize(32);
        assertThat(spec.policy().placement().onReturn()).isEqualTo(Policy.Return.BETWEEN_RUNS);
        assertThat(spec.policy().daqring().options().pollingInterval()).isEqualTo(33);
    }

    private static DaqringOptions options(int ringSize, int maxBurst, int pollingInterval, int credit) {
        return new DaqringOptions(ringSize, maxBurst, pollingInterval, OptionalInt.of(credit), OptionalInt.empty());
    }

    /** A DCM's daqring is as its rack's, and that as the policy's, where it says nothing else. */
    @Test
    void daqringsOfRacksAndDcms() {
        FabricSpec spec = read("""
            "policy": {"daqring": {"ring-size": 100, "credit": 7}},
             "pod": [{"id": 1, "hlt-rack": [
               {"name": "h", "switch": "e", "daqring": {"max-burst": 2}, "dcm": [
                 {"name": "d", "address": "10.0.0.2"},
                 {"name": "o", "address": "10.0.0.3",
                   "daqring": {"ring-size": 200, "polling-interval": 9, "credit": 0}}]},
               {"name": "i", "switch": "f", "dcm": [{"name": "p", "address": "10.0.0.4"}]}]}]""");
        Policy.Daqring rings = spec.policy().daqring();
        assertThat(rings.of(Address.parse("10.0.0.2"))).isEqualTo(options(100, 2, 0, 7));
        assertThat(rings.of(Address.parse("10.0.0.3"))).isEqualTo(options(200, 2, 9, 0));
        assertThat(rings.of(Address.parse("10.0.0.4"))).isEqualTo(options(100, 32, 0, 7));
        assertThat(rings.ofDcms()).hasSize(2);
    }

    /** Leaves that are left out get the defaults of the model. */
    @Test
    void fillsInDefaults() {
        FabricSpec spec = read("""
            "pod": [{"id": 1, "ros": [{"name": "r", "address": "10.0.0.1", "switch": "a"}],
              "hlt-rack": [{"name": "h", "switch": "b", "dcm": [{"name": "d", "address": "10.0.0.2"}]}]}],
            "switch": [{"name": "a"}, {"name": "b", "ovsdb-address": "192.0.2.1"}],
            "link": [{"switch": "a", "port": "p", "peer-switch": "b", "peer-port": "q"}]""");

        assertThat(spec.pods().get(0).ros()).containsExactly(new Ros("r", Address.parse("10.0.0.1"), "a", 1));
        assertThat(spec.pods().get(0).racks().get(0).dcms())
            .containsExactly(new Dcm("d", Address.parse("10.0.0.2"), 1, Dcm.LOCAL, Optional.empty()));
        assertThat(spec.switches()).containsExactly(
            new Switch("a", "a", Optional.empty(), "br-daq", DatapathType.NETDEV, AdminState.IN_SERVICE),
            new Switch("b", "b", Optional.of(new OvsdbAddress("192.0.2.1", 6640)), "br-daq", DatapathType.NETDEV,
                AdminState.IN_SERVICE));
        assertThat(spec.links()).containsExactly(
            new Link(new PortId("a", "p"), new PortId("b", "q"), 10, AdminState.IN_SERVICE));
        assertThat(spec.policy()).isEqualTo(new Policy(
            new Policy.Placement(Policy.Algorithm.WATERFILLING, Policy.Return.BETWEEN_RUNS),
            new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES, Policy.Backend.DAQRING, new DaqringOptions(91, 32, 0)),
            new Policy.Protection(true, true, 50), Policy.Rules.HOST));
    }

    /** How ports are reached is said at links and DCMs, and kept by switch. */
    @Test
    void readsPortSettings() {
        FabricSpec spec = read("""
            "pod": [{"id": 1, "hlt-rack": [{"name": "h", "switch": "b", "dcm": [{"name": "d", "address": "10.0.0.2",
              "port": "eth1", "mac": "02:00:00:00:00:0A",
              "port-settings": {"kind": "afxdp", "xdp-mode": "generic", "n-rxq": 2}}]}]}],
            "switch": [{"name": "a"}, {"name": "b", "dpdk": {"socket-mem": "1024,0", "pmd-cpus": "2,4-5",
              "lcore-cpus": "0", "extra": "-a 0000:02:00.0"}}],
            "link": [{"switch": "a", "port": "p", "peer-switch": "b", "peer-port": "q",
              "port-settings": {"kind": "dpdk", "devargs": "0000:01:00.0", "n-rxq-desc": 512, "n-txq-desc": 1024},
              "peer-port-settings": {"kind": "bond", "bond": {"mode": "lacp", "member": ["0000:02:00.0",
                "0000:02:00.1"]}}}]""");
        assertThat(spec.switches().get(0).ports()).isEqualTo(Map.of("p", new PortSettings(PortSettings.Kind.DPDK,
            Optional.of("0000:01:00.0"), Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.of(512),
            OptionalInt.of(1024))));
        assertThat(spec.switches().get(0).dpdk()).isEqualTo(DpdkSettings.NONE);
        assertThat(spec.switches().get(1).dpdk()).isEqualTo(new DpdkSettings(Optional.of("1024,0"),
            Optional.of("2,4-5"), Optional.of("0"), Optional.of("-a 0000:02:00.0")));
        assertThat(spec.switches().get(1).ports()).isEqualTo(Map.of(
            "q", new PortSettings(PortSettings.Kind.BOND, Optional.empty(), Optional.of(new PortSettings.Bond(
                PortSettings.BondMode.LACP, List.of("0000:02:00.0", "0000:02:00.1"))), Optional.empty(),
                OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty()),
            "eth1", new PortSettings(PortSettings.Kind.AFXDP, Optional.empty(), Optional.empty(),
                Optional.of(PortSettings.XdpMode.GENERIC), OptionalInt.of(2), OptionalInt.empty(),
                OptionalInt.empty())));
    }

    /** One port cannot be reached in two ways. */
    @Test
    void refusesDifferentSettingsOfAPort() {
        CheckedFabrics check = CheckedFabrics.of(broker.fabrics(broker.parse(json("""
            "switch": [{"name": "b"}], "pod": [{"id": 1, "hlt-rack": [{"name": "h", "switch": "b", "dcm": [
              {"name": "d", "address": "10.0.0.2", "port": "eth1", "mac": "02:00:00:00:00:0A",
                "port-settings": {"kind": "afxdp"}},
              {"name": "e", "address": "10.0.0.3", "port": "eth1", "mac": "02:00:00:00:00:0A"}]}]}]"""
            ))).nonnullFabric().values());
        assertThat(check.problems()).anySatisfy(problem -> {
            assertThat(ProblemText.path(problem.location())).endsWith("/port-settings");
            assertThat(problem.message()).contains("b:eth1").contains("different settings");
        });
    }

    /** Daqrings of default size hold an event in packets of the fabric's MTU. */
    @Test
    void defaultDaqringsFollowTheMtu() {
        FabricSpec spec = read("""
            "mtu": 9000, "pod": [{"id": 1, "ros": [{"name": "r", "address": "10.0.0.1", "switch": "a"}]}]""");
        assertThat(spec.policy().daqring().options().ringSize()).isEqualTo(16);
    }

    /** Every leaf of the configuration is read. */
    @Test
    void readsEveryLeaf() {
        FabricSpec spec = read("""
            "link-capacity": "40.5", "mtu": 9000,
            "plane": [{"id": 255, "spine": [{"id": 65535, "switch": "s"}], "leaf": [{"pod": 65535, "switch": "l"}]}],
            "pod": [{"id": 65535,
              "ros": [{"name": "r", "address": "10.0.0.1", "switch": "a", "fragment-weight": "2.5"}],
              "hlt-rack": [{"name": "h", "switch": "b", "dcm": [{"name": "d", "address": "10.0.0.2", "weight": "0.5",
                "port": "eth1", "mac": "02:00:00:00:00:0A"}]}]}],
            "switch": [{"name": "a", "system-id": "node-a", "ovsdb-address": "node-a.example", "ovsdb-port": 6641,
              "bridge": "br0", "datapath-type": "system", "admin-state": "drained"}],
            "link": [{"switch": "a", "port": "p", "peer-switch": "b", "peer-port": "q", "capacity": "100",
              "admin-state": "drained"}, {"switch": "a", "port": "p2", "peer-switch": "b", "peer-port": "q2"}],
            "policy": {"placement": {"algorithm": "round-robin", "return": "manual", "granularity": "pod"},
              "daqring": {"on": "destination-leaf", "backend": "none", "ring-size": 1, "max-burst": 2,
                "polling-interval": 3, "credit": 5, "ecn-threshold": 6},
              "protection": {"fast-failover": false, "bfd": false, "bfd-interval": 4}, "rules": "compressed"}""");

        assertThat(spec.planes().get(0).spines().get(0).id()).isEqualTo(65535);
        assertThat(spec.pods().get(0).ros().get(0).fragmentWeight()).isEqualTo(2.5);
        assertThat(spec.pods().get(0).racks().get(0).dcms()).containsExactly(new Dcm("d",
            Address.parse("10.0.0.2"), 0.5, "eth1", Optional.of(Mac.parse("02:00:00:00:00:0a"))));
        assertThat(spec.switches()).containsExactly(new Switch("a", "node-a",
            Optional.of(new OvsdbAddress("node-a.example", 6641)), "br0", DatapathType.SYSTEM, AdminState.DRAINED));
        assertThat(spec.links()).extracting(Link::capacity).containsExactly(100.0, 40.5);
        assertThat(spec.links().get(0).adminState()).isEqualTo(AdminState.DRAINED);
        assertThat(spec.policy()).isEqualTo(new Policy(
            new Policy.Placement(Policy.Algorithm.ROUND_ROBIN, Policy.Return.MANUAL, Policy.Granularity.POD),
            new Policy.Daqring(Policy.RingsOn.DESTINATION_LEAF, Policy.Backend.NONE,
                new DaqringOptions(1, 2, 3, OptionalInt.of(5), OptionalInt.of(6))),
            new Policy.Protection(false, false, 4), Policy.Rules.COMPRESSED, OptionalInt.of(9000)));
    }

    /** Addresses of IPv6, in any way that they may be written. */
    @Test
    void readsIpv6Addresses() {
        FabricSpec spec = read("""
            "pod": [{"id": 1, "ros": [{"name": "r", "address": "FD00:0::1", "switch": "a"}],
              "hlt-rack": [{"name": "h", "switch": "b", "dcm": [{"name": "d", "address": "fd00:0:0:0:2:0:0:1"}]}],
              "host": [{"name": "x", "address": "2001:db8::8", "switch": "a"}]}]""");
        assertThat(spec.pods().get(0).ros().get(0).address()).hasToString("fd00::1");
        assertThat(spec.pods().get(0).racks().get(0).dcms().get(0).address()).hasToString("fd00::2:0:0:1");
        assertThat(spec.pods().get(0).hosts().get(0).address()).hasToString("2001:db8::8");
        assertThat(spec.policy().daqring().options().ringSize()).isEqualTo(93);
    }

    /** Hosts that are neither ROS nor DCM, and their flows. */
    @Test
    void readsHostsAndFlows() {
        FabricSpec spec = read("""
            "pod": [{"id": 1, "host": [{"name": "s", "address": "10.0.0.9", "switch": "a"},
              {"name": "l", "address": "10.0.0.8", "switch": "b", "port": "eth1", "mac": "02:00:00:00:00:0A"}]}],
            "flow": [{"name": "f", "from": "all-dcms", "to": "l", "share": "0.01"},
              {"name": "c", "from": "s", "to": "l", "kind": "control", "rate": "0.5"}]""");
        assertThat(spec.pods().get(0).hosts()).containsExactly(
            new Host("l", Address.parse("10.0.0.8"), "b", "eth1", Optional.of(Mac.parse("02:00:00:00:00:0a"))),
            new Host("s", Address.parse("10.0.0.9"), "a", Dcm.LOCAL, Optional.empty()));
        assertThat(spec.flows()).containsExactly(new Flow("c", "s", "l", Flow.Kind.CONTROL, 0.5, 0),
            new Flow("f", Flow.ALL_DCMS, "l", Flow.Kind.EVENTS, 0, 0.01));
    }

    /** A flow without an amount is refused at the flow. */
    @Test
    void refusesAFlowWithoutAmount() {
        CheckedFabrics check = CheckedFabrics.of(broker.fabrics(broker.parse(json("""
            "flow": [{"name": "f", "from": "a", "to": "b"}]"""))).nonnullFabric().values());
        assertThat(check.problems()).singleElement().satisfies(problem -> {
            assertThat(ProblemText.path(problem.location()))
                .isEqualTo("/daqfabric:fabrics/fabric[name='x']/flow[name='f']");
            assertThat(problem.message()).contains("rate or share");
        });
    }

    /** An OVSDB port without an address is refused here, because a FabricSpec cannot represent it. */
    @Test
    void refusesAnOvsdbPortWithoutAddress() {
        CheckedFabrics check = CheckedFabrics.of(broker.fabrics(broker.parse(json("""
            "switch": [{"name": "a", "ovsdb-port": 6640}]"""))).nonnullFabric().values());

        assertThat(check.problems()).singleElement().satisfies(problem -> {
            assertThat(ProblemText.path(problem.location()))
                .isEqualTo("/daqfabric:fabrics/fabric[name='x']/switch[name='a']/ovsdb-port");
            assertThat(problem.message()).contains("no ovsdb-address");
        });
    }

    /** The defaults in the code equal those of the model. */
    @Test
    void defaultsAreThoseOfTheModel() {
        Map<String, String> defaults = new HashMap<>();
        collect((DataNodeContainer) broker.model().getDataChildByName(Fabrics.QNAME), defaults);

        assertThat(defaults).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
            Map.entry("fabric/link-capacity", "10"), Map.entry("ros/fragment-weight", "1"),
            Map.entry("dcm/weight", "1"), Map.entry("dcm/port", Dcm.LOCAL), Map.entry("host/port", Dcm.LOCAL),
            Map.entry("flow/kind", "events"),
            Map.entry("switch/bridge", Defaults.BRIDGE),
            Map.entry("switch/datapath-type", "netdev"), Map.entry("switch/admin-state", "in-service"),
            Map.entry("port-settings/kind", "system"), Map.entry("peer-port-settings/kind", "system"),
            Map.entry("bond/mode", "active-backup"),
            Map.entry("link/admin-state", "in-service"), Map.entry("placement/algorithm", "waterfilling"),
            Map.entry("placement/return", "between-runs"), Map.entry("placement/granularity", "dcm"),
            Map.entry("daqring/on", "all-switches"),
            Map.entry("daqring/backend", "daqring"), Map.entry("policy/rules", "host"),
            Map.entry("daqring/max-burst", "" + Defaults.MAX_BURST),
            Map.entry("daqring/polling-interval", "" + Defaults.POLLING_INTERVAL),
            Map.entry("protection/fast-failover", "" + Defaults.FAST_FAILOVER),
            Map.entry("protection/bfd", "" + Defaults.BFD),
            Map.entry("protection/bfd-interval", "" + Defaults.BFD_INTERVAL)));
    }

    /**
     * A bad value of a single leaf is refused before it reaches the datastore, with a message that says what is
     * right.
     */
    @ParameterizedTest
    @ValueSource(strings = {
        "'link-capacity': '0'", "'link-capacity': '-1'", "'link-capacity': '1000000.001'",
        "'plane': [{'id': 0}]", "'plane': [{'id': 256}]", "'pod': [{'id': 0}]", "'pod': [{'id': 65536}]",
        "'pod': [{'id': 1, 'ros': [{'name': 'r', 'address': '10.0.0.256', 'switch': 'a'}]}]",
        "'pod': [{'id': 1, 'ros': [{'name': 'r', 'address': '10.0.0.1', 'switch': 'a', 'fragment-weight': '0'}]}]",
        "'switch': [{'name': ''}]", "'switch': [{'name': 'a b'}]", "'switch': [{'name': 'a:b'}]",
        "'switch': [{'name': 'a', 'bridge': 'sixteen-letters-'}]", "'switch': [{'name': 'a', 'bridge': 'a/b'}]",
        "'switch': [{'name': 'a', 'system-id': ''}]", "'switch': [{'name': 'a', 'ovsdb-port': 0}]",
        "'switch': [{'name': 'a', 'datapath-type': 'dpdk'}]", "'switch': [{'name': 'a', 'admin-state': 'off'}]",
        "'link': [{'switch': 'a', 'port': '..', 'peer-switch': 'b', 'peer-port': 'p'}]",
        "'policy': {'daqring': {'ring-size': 0}}", "'policy': {'daqring': {'max-burst': 0}}",
        "'policy': {'daqring': {'polling-interval': -1}}", "'policy': {'protection': {'bfd-interval': 0}}",
        "'mtu': 575", "'switch': [{'name': 'a', 'dpdk': {'pmd-cpus': '1;2'}}]",
        "'switch': [{'name': 'a', 'dpdk': {'socket-mem': '1G'}}]",
        "'link': [{'switch': 'a', 'port': 'p', 'peer-switch': 'b', 'peer-port': 'p',"
            + "'port-settings': {'devargs': 'a b'}}]",
        "'link': [{'switch': 'a', 'port': 'p', 'peer-switch': 'b', 'peer-port': 'p', 'port-settings': {'n-rxq': 0}}]",
        "'unheard-of': 1"})
    void refusesBadLeaves(String content) {
        assertThatThrownBy(() -> broker.parse(json(content.replace('\'', '"')))).isInstanceOf(RuntimeException.class);
    }

    private static FabricSpec read(String content) {
        return read(broker.fabrics(broker.parse(json(content))));
    }

    private static FabricSpec read(Fabrics fabrics) {
        FabricReader.Result result = FabricReader.read(fabrics.nonnullFabric().values().iterator().next());
        assertThat(result.problems()).isEmpty();
        FabricSpec spec = result.spec().orElseThrow();
        assertThat(readAgain(spec)).isEqualTo(spec);
        return spec;
    }

    /** What is stored with a decision is read as the same. */
    private static FabricSpec readAgain(FabricSpec spec) {
        ConfigurationText text = new ConfigurationText(broker.serializer(), broker::model);
        return FabricReader.read(text.unpack(ConfigurationText.pack(spec))).spec().orElseThrow();
    }

    /** The same for generated fabrics. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void generatedFabricsAreReadAsTheyAreStored(long seed) {
        Random random = new Random(Long.getLong("daqfabric.seed", seed));
        for (int number = 0; number < 50; number++) {
            FabricSpec spec = HostFabrics.with(TestFabrics.generated(random), random);
            assertThat(readAgain(spec)).as("fabric %s", number).isEqualTo(spec);
        }
    }

    static String json(String content) {
        return "{\"daqfabric:fabrics\": {\"fabric\": [{\"name\": \"x\", " + content + "}]}}";
    }

    private static void collect(DataNodeContainer parent, Map<String, String> defaults) {
        for (DataSchemaNode child : List.copyOf(parent.getChildNodes())) {
            if (child instanceof LeafSchemaNode leaf) {
                leaf.getType().getDefaultValue().ifPresent(value -> defaults.put(
                    ((DataSchemaNode) parent).getQName().getLocalName() + "/" + leaf.getQName().getLocalName(),
                    value.toString()));
            } else if (child instanceof DataNodeContainer container) {
                collect(container, defaults);
            }
        }
    }
}
