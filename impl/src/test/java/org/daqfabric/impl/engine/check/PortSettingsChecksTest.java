package org.daqfabric.impl.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.PortSettings.Bond;
import org.daqfabric.api.spec.PortSettings.BondMode;
import org.daqfabric.api.spec.PortSettings.Kind;
import org.daqfabric.api.spec.PortSettings.XdpMode;
import org.daqfabric.api.spec.Switch;
import org.junit.jupiter.api.Test;

/** What is refused of the settings of ports, and where. */
class PortSettingsChecksTest {
    private static final PortSettings CARD = dpdk("0000:01:00.0");

    private static PortSettings dpdk(String devargs) {
        return new PortSettings(Kind.DPDK, Optional.of(devargs), Optional.empty(), Optional.empty(),
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    private static PortSettings bond(BondMode mode, String... members) {
        return new PortSettings(Kind.BOND, Optional.empty(), Optional.of(new Bond(mode, List.of(members))),
            Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    private static Switch with(Switch sw, String systemId, DatapathType type, Map<String, PortSettings> ports) {
        return new Switch(sw.name(), systemId, sw.ovsdbAddress(), sw.bridge(), type, sw.adminState(),
            new TreeMap<>(ports), sw.dpdk());
    }

    private static Draft draft(Map<String, PortSettings> ports) {
        return Draft.small("f").changeSwitch("l-1-1", sw -> with(sw, sw.systemId(), DatapathType.NETDEV, ports));
    }

    private static void assertRefused(Draft draft, String location, String... words) {
        List<Problem> problems = FabricChecks.check(draft.build());
        assertThat(problems).as(String.join(" ", words)).singleElement().satisfies(problem -> {
            List<String> steps = problem.location().steps().stream().map(Location.Step::node).toList();
            assertThat(String.join("/", steps)).isEqualTo(location);
            assertThat(problem.message()).contains(words);
        });
    }

    /** Everything that a machine may have passes: cards, sockets of AF_XDP, and a bond, with their options. */
    @Test
    void portsOfAllKindsPass() {
        assertThat(FabricChecks.check(draft(Map.of("s-1-1", CARD, "s-1-2", bond(BondMode.LACP, "0000:02:00.0",
            "0000:02:00.1"), "ros-1", new PortSettings(Kind.AFXDP, Optional.empty(), Optional.empty(),
            Optional.of(XdpMode.GENERIC), OptionalInt.of(2), OptionalInt.empty(), OptionalInt.empty()),
            "rack-1", new PortSettings(Kind.DPDK, Optional.of("0000:03:00.0,representor=[1]"), Optional.empty(),
                Optional.empty(), OptionalInt.of(4), OptionalInt.of(1024), OptionalInt.of(512)))).build())).isEmpty();
    }

    @Test
    void whatTheKindNeedsIsThere() {
        assertRefused(draft(Map.of("s-1-1", PortSettings.of(Kind.DPDK))), "fabric/link/port-settings",
            "l-1-1:s-1-1", "no devargs");
        assertRefused(draft(Map.of("ros-1", PortSettings.of(Kind.DPDK))), "fabric/link/peer-port-settings",
            "l-1-1:ros-1", "no devargs");
        assertRefused(draft(Map.of("s-1-1", bond(BondMode.ACTIVE_BACKUP, "0000:01:00.0"))),
            "fabric/link/port-settings/bond", "one member");
        assertRefused(draft(Map.of("s-1-1", bond(BondMode.ACTIVE_BACKUP, "net_null0,no-rx=1", "net_null1"))),
            "fabric/link/port-settings/bond", "net_null0,no-rx=1", "arguments");
    }

    @Test
    void nothingElseIsThere() {
        assertRefused(draft(Map.of("s-1-1", new PortSettings(Kind.SYSTEM, Optional.empty(), Optional.empty(),
            Optional.empty(), OptionalInt.of(2), OptionalInt.empty(), OptionalInt.empty()))),
            "fabric/link/port-settings/n-rxq", "kind system");
        assertRefused(draft(Map.of("s-1-1", new PortSettings(Kind.AFXDP, Optional.of("0000:01:00.0"),
            Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty()))),
            "fabric/link/port-settings/devargs", "kind afxdp");
        assertRefused(draft(Map.of("s-1-1", new PortSettings(Kind.DPDK, CARD.devargs(), Optional.empty(),
            Optional.empty(), OptionalInt.empty(), OptionalInt.of(1000), OptionalInt.empty()))),
            "fabric/link/port-settings/n-rxq-desc", "1000 descriptors");
    }

    /** A device is used once on its node, also by ports of different switches; other nodes have their own. */
    @Test
    void aNodeHasADeviceOnce() {
        assertRefused(draft(Map.of("s-1-1", dpdk("0000:01:00.A"), "s-1-2", dpdk("0000:01:00.a,n=1"))),
            "fabric/link/port-settings/devargs", "l-1-1:s-1-1", "l-1-1:s-1-2");
        assertRefused(draft(Map.of("s-1-1", CARD, "s-1-2", bond(BondMode.ACTIVE_BACKUP, "0000:01:00.0",
            "0000:01:00.1"))), "fabric/link/port-settings/bond", "0000:01:00.0");
        assertThat(FabricChecks.check(draft(Map.of("s-1-1", CARD)).changeSwitch("l-2-1", sw ->
            with(sw, sw.systemId(), DatapathType.NETDEV, Map.of("s-2-1", CARD))).build())).isEmpty();
    }

    @Test
    void theKernelsDatapathHasNoSuchPorts() {
        assertRefused(draft(Map.of()).changeSwitch("l-1-1", sw -> with(sw, sw.systemId(), DatapathType.SYSTEM,
            Map.of("s-1-1", CARD))), "fabric/link/port-settings/kind", "datapath-type netdev");
    }

    /** An AF_XDP socket has a page for a packet; larger ones vanish. */
    @Test
    void afxdpHasNoJumboPackets() {
        Draft draft = draft(Map.of("s-1-1", PortSettings.of(Kind.AFXDP)));
        draft.policy = mtu(draft.policy, 3698);
        assertThat(FabricChecks.check(draft.build())).isEmpty();
        draft.policy = mtu(draft.policy, 3699);
        assertRefused(draft, "fabric/link/port-settings/kind", "3698 bytes", "mtu is 3699");
    }

    private static Policy mtu(Policy policy, int mtu) {
        return new Policy(policy.placement(), policy.daqring(), policy.protection(), policy.rules(),
            OptionalInt.of(mtu));
    }

    /** DPDK's LACP must send something every 100 ms. */
    @Test
    void lacpNeedsPackets() {
        Draft draft = draft(Map.of("s-1-1", bond(BondMode.LACP, "0000:01:00.0", "0000:01:00.1")));
        Policy policy = draft.policy;
        draft.policy = new Policy(policy.placement(), policy.daqring(), new Policy.Protection(true, true, 100),
            policy.rules());
        assertRefused(draft, "fabric/link/port-settings/bond", "LACP", "100 ms");
    }
}
