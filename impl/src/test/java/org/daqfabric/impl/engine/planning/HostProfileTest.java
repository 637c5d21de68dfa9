package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.junit.jupiter.api.Test;

/** The settings of a host agree with the fabric's configuration. */
class HostProfileTest {
    private static final int RESPONSE = 131_072;
    private static final FabricSpec PROTOTYPE = TestFabrics.prototype();

    /** A ROS: its address without ARP, routes to all DCMs and no others, and a whole response sent at once. */
    @Test
    void rosSendsItsResponsesAtOnce() {
        String script = profile(PROTOTYPE, "ros-1-01").script();
        String address = addressOf("ros-1-01");
        assertThat(script.lines()).contains("ip link set dev br-daq arp off", "ip link set dev br-daq mtu 1500 up",
            "ip address replace " + address + "/32 dev br-daq", "sysctl -w net.ipv4.tcp_slow_start_after_idle=\"0\"",
            "sysctl -w net.ipv4.tcp_wmem=\"4096 262144 6291456\"", "ethtool -A p1 autoneg off rx off tx off",
            "ethtool -A p2 autoneg off rx off tx off");
        assertThat(script).doesNotContain("tcp_rmem", "ethtool -C", "ethtool -G", "cwnd lock");
        List<String> routes = routes(script);
        assertThat(routes).isNotEmpty().allMatch(route -> route.contains(" dev br-daq src " + address + " ")
            && route.endsWith("congctl cubic initcwnd 90"));
        assertThat(routes.stream().mapToInt(HostProfileTest::addresses).sum()).as("DCMs reached").isEqualTo(48);
    }

    /** A DCM: room for a whole response, and an interrupt for many packets. */
    @Test
    void dcmTakesWhatComes() {
        String script = profile(PROTOTYPE, "dcm-1-01-001").script();
        assertThat(script.lines()).contains("sysctl -w net.ipv4.tcp_rmem=\"4096 262144 6291456\"",
            "ethtool -C p1 adaptive-rx off rx-usecs 50",
            "ethtool -G p1 rx $(ethtool -g p1 | awk '/^RX:/{print $2; exit}')",
            "for each in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do [ ! -w $each ] ||"
                + " echo performance > $each; done");
        assertThat(script).doesNotContain("tcp_wmem", "cwnd");
        assertThat(routes(script).stream().mapToInt(HostProfileTest::addresses).sum()).as("ROS reached").isEqualTo(6);
        assertThat(profile(PROTOTYPE, addressOf("dcm-1-01-001")).script()).as("by address").isEqualTo(script);
        assertThat(routes(profile(PROTOTYPE, "dcm-1-01-002").script())).as("DCMs of one host")
            .isEqualTo(routes(script));
    }

    /** A timeout is longer than a full daqring takes: 4096 packets of 1518 B at a DCM's 2.5 Gbps, or at its limit. */
    @Test
    void timeoutOutlastsAFullDaqring() {
        String dcm = "dcm-1-01-001";
        assertThat(profile(with(Policy.RingsOn.ALL_SWITCHES, 4096, 0), dcm).script())
            .contains(" rto_min 20ms quickack 1 ");
        assertThat(profile(with(Policy.RingsOn.ALL_SWITCHES, 4096, 0), "ros-1-01").script())
            .as("a ROS acknowledges with its answer").contains(" rto_min 20ms ").doesNotContain("quickack");
        assertThat(profile(with(Policy.RingsOn.ALL_SWITCHES, 4096, 33), dcm).script())
            .contains(" rto_min 34ms quickack 1 ");
        assertThat(profile(with(Policy.RingsOn.ALL_SWITCHES, 9900, 33), dcm).script())
            .contains(" rto_min 82ms ").doesNotContain("quickack");
        assertThat(profile(with(Policy.RingsOn.ALL_SWITCHES, 40_000, 33), dcm).script())
            .doesNotContain("rto_min", "quickack");
        assertThat(profile(with(Policy.RingsOn.NONE, 4096, 33), "ros-1-01").script()).contains(" rto_min 10ms ")
            .doesNotContain("initcwnd");
    }

    @Test
    void windowIsLockedWhereAsked() {
        assertThat(HostProfile.of(PROTOTYPE, "ros-1-01", null, RESPONSE, 1500,
            OptionalInt.of(2)).script()).contains(" cwnd lock 2")
            .doesNotContain("initcwnd");
        assertThatThrownBy(() -> HostProfile.of(PROTOTYPE, "dcm-1-01-001", null, RESPONSE, 1500, OptionalInt.of(2)))
            .isInstanceOf(InvalidInputException.class).extracting(e ->
            ((InvalidInputException) e).problems().getFirst().location())
                .isEqualTo(Location.input("cwnd"));
    }

    /** Of IPv6, a response takes two packets more; its address is known however it is written. */
    @Test
    void hostsOfIpv6() {
        FabricSpec spec = TestFabrics.ipv6(PROTOTYPE);
        Address address = Addresses.six(Address.parse(addressOf("ros-1-01")));
        String script = profile(spec, "ros-1-01").script();
        assertThat(script.lines()).contains("ip address replace " + address + "/128 dev br-daq");
        assertThat(routes(script)).hasSameSizeAs(routes(profile(PROTOTYPE, "ros-1-01").script()))
            .allMatch(route -> route.startsWith("ip route replace fd00::")
                && route.contains(" dev br-daq src " + address + " ") && route.endsWith("congctl cubic initcwnd 92"));
        String written = address.toString().toUpperCase(Locale.ROOT).replaceFirst("::", ":0:0::");
        assertThat(profile(spec, written).script()).as(written).isEqualTo(script);
    }

    /** Packets of IPv6 have a source of IPv6, also where a host of IPv4 is on the same node. */
    @Test
    void hostsOfBothKindsOnOneNode() {
        FabricSpec spec = HostFabrics.with(PROTOTYPE, List.of());
        List<Pod> pods = new ArrayList<>();
        for (Pod pod : spec.pods()) {
            List<Host> hosts = new ArrayList<>(pod.hosts());
            hosts.add(new Host("six-" + pod.id(), Addresses.six(Address.parse("10.9.3." + pod.id())),
                "host-" + pod.id(), Dcm.LOCAL, Optional.empty()));
            pods.add(new Pod(pod.id(), pod.ros(), pod.racks(), hosts));
        }
        FabricSpec both = new FabricSpec(spec.name(), spec.planes(), pods, spec.switches(), spec.links(),
            spec.policy(), List.of(new Flow("four", "host-1", "host-2", Flow.Kind.CONTROL, 1, 0),
                new Flow("six", "six-1", "six-2", Flow.Kind.CONTROL, 1, 0)));
        assertThat(routes(profile(both, "host-1").script())).singleElement().asString()
            .startsWith("ip route replace 10.9.1.2/32 dev br-daq src 10.9.1.1 ");
        assertThat(routes(profile(both, "six-1").script())).singleElement().asString().startsWith(
            "ip route replace " + pods.get(1).hosts().getLast().address() + "/128 dev br-daq src "
                + pods.get(0).hosts().getLast().address() + " ");
    }

    /** A DCM on a host of its own has its own interface, whose name no switch knows. */
    @Test
    void dcmBehindAPortNamesItsInterface() {
        FabricSpec spec = with(List.of(
            new Dcm("far", Address.parse("10.9.9.9"), 1, "d1", Optional.of(Mac.parse("02:00:00:00:00:01")))));
        String script = HostProfile.of(spec, "far", "eth1", RESPONSE, 9000, OptionalInt.empty()).script();
        assertThat(script.lines()).contains("ip link set dev eth1 address 02:00:00:00:00:01",
            "ip link set dev eth1 mtu 9000 up",
            "ip address replace 10.9.9.9/32 dev eth1", "ethtool -C eth1 adaptive-rx off rx-usecs 50");
        for (String bad : new String[] {null, "", "a b", "$(reboot)", "eth0;", "a234567890123456"}) {
            assertThatThrownBy(() -> HostProfile.of(spec, "far", bad, RESPONSE, 1500, OptionalInt.empty()))
                .isInstanceOf(InvalidInputException.class).extracting(e ->
                ((InvalidInputException) e).problems().getFirst().location())
                .isEqualTo(Location.input("interface"));
        }
    }

    /** The hosts of a fabric with an MTU have that one, and none that its switches would drop. */
    @Test
    void fabricHasAnMtu() {
        FabricSpec spec = new FabricSpec("f", PROTOTYPE.planes(), PROTOTYPE.pods(), PROTOTYPE.switches(),
            PROTOTYPE.links(), new Policy(PROTOTYPE.policy().placement(), PROTOTYPE.policy().daqring(),
                PROTOTYPE.policy().protection(), PROTOTYPE.policy().rules(), OptionalInt.of(9000)));
        assertThat(HostProfile.of(spec, "ros-1-01", null, RESPONSE, 9000, OptionalInt.empty()).script())
            .contains("ip link set dev br-daq mtu 9000 up");
        assertThatThrownBy(() -> HostProfile.of(spec, "ros-1-01", null, RESPONSE, 9001, OptionalInt.empty()))
            .isInstanceOf(InvalidInputException.class).extracting(e ->
            ((InvalidInputException) e).problems().getFirst().location()).isEqualTo(Location.input("mtu"));
    }

    /** A card that DPDK drives is none of the kernel's. */
    @Test
    void cardsOfDpdkAreLeftOut() {
        String edge = "ros-1-01";
        List<String> before = cards(PROTOTYPE, edge);
        FabricSpec spec = FabricEdits.change(PROTOTYPE, edge, sw -> new Switch(sw.name(), sw.systemId(),
            sw.ovsdbAddress(), sw.bridge(), sw.datapathType(), sw.adminState(),
            new TreeMap<>(Map.of(before.get(0), PortSettings.of(PortSettings.Kind.DPDK))), sw.dpdk()));
        assertThat(before).hasSizeGreaterThan(1);
        assertThat(cards(spec, edge)).isEqualTo(before.subList(1, before.size()));
    }

    private static List<String> cards(FabricSpec spec, String host) {
        return profile(spec, host).script().lines().filter(line -> line.startsWith("ethtool -A "))
            .map(line -> line.split(" ")[2]).toList();
    }

    @Test
    void hostsOfOneNameAreToldApartByAddress() {
        FabricSpec spec = with(List.of(new Dcm("ros-1-01", Address.parse("10.9.9.9"), 1, Dcm.LOCAL, Optional.empty())));
        assertThatThrownBy(() -> profile(spec, "ros-1-01")).hasMessageContaining("give the address")
            .hasMessageContaining("10.9.9.9");
        assertThat(profile(spec, "10.9.9.9").script()).contains("ip address replace 10.9.9.9/32");
    }

    /** Every setting names its source and when it does not apply. */
    @Test
    void everySettingHasASource() {
        for (String host : List.of("ros-1-01", "dcm-1-01-001")) {
            assertThat(profile(PROTOTYPE, host).settings()).allSatisfy(setting ->
                assertThat(List.of(setting.value(), setting.why(), setting.source(), setting.notWhen()))
                    .allMatch(text -> !text.isBlank()));
            assertThat(profile(PROTOTYPE, host).settings()).extracting(Setting::name).doesNotHaveDuplicates();
        }
    }

    private static HostProfile profile(FabricSpec spec, String host) {
        return HostProfile.of(spec, host, null, RESPONSE, 1500, OptionalInt.empty());
    }

    private static List<String> routes(String script) {
        return script.lines().filter(line -> line.startsWith("ip route")).toList();
    }

    private static int addresses(String route) {
        return 1 << 32 - Integer.parseInt(route.split("[/ ]")[4]);
    }

    private static String addressOf(String host) {
        return PROTOTYPE.pods().stream().flatMap(pod -> java.util.stream.Stream.concat(
                pod.ros().stream().filter(ros -> ros.name().equals(host)).map(Ros::address),
                pod.racks().stream().flatMap(rack -> rack.dcms().stream()).filter(dcm -> dcm.name().equals(host))
                    .map(Dcm::address))).findFirst().orElseThrow().toString();
    }

    private static FabricSpec with(Policy.RingsOn on, int ringSize, int pollingInterval) {
        Policy policy = PROTOTYPE.policy();
        return new FabricSpec("f", PROTOTYPE.planes(), PROTOTYPE.pods(), PROTOTYPE.switches(), PROTOTYPE.links(),
            new Policy(policy.placement(), new Policy.Daqring(on, policy.daqring().backend(),
                new DaqringOptions(ringSize, 4, pollingInterval)),
                policy.protection(), policy.rules()));
    }

    /** The first rack of the prototype has other DCMs. */
    private static FabricSpec with(List<Dcm> dcms) {
        Pod pod = PROTOTYPE.pods().get(0);
        List<HltRack> racks = new java.util.ArrayList<>(pod.racks());
        racks.set(0, new HltRack(racks.get(0).name(), racks.get(0).switchName(), dcms));
        return new FabricSpec("f", PROTOTYPE.planes(), List.of(new Pod(pod.id(), pod.ros(), racks),
            PROTOTYPE.pods().get(1)),
            PROTOTYPE.switches(), PROTOTYPE.links(), PROTOTYPE.policy());
    }
}
