package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Ports that have left the datapath of their switch, though its database says that they are there. */
class UnlistedPortsTest {
    private static final int NUMBER = 7;
    private static final int OTHER = 8;

    private final FabricSpec spec = TestFabrics.regular("f", 1, 2, 2, 1, 1, 2);
    private final Topology topology = new Topology(spec);
    private final PortId port = spec.links().get(0).end();
    private final Map<String, SwitchView> switches = new HashMap<>(Map.of(port.switchName(), view("")));
    private UnlistedPorts known = UnlistedPorts.NONE;

    private SwitchView view(String error) {
        OptionalInt number = error.isEmpty() ? OptionalInt.of(NUMBER) : OptionalInt.empty();
        return SwitchView.UNKNOWN.ovsdbUp(false).openflowUp().bridge(Map.of(port.port(), new PortStatus(number, true,
            error), "daqring", new PortStatus(OptionalInt.of(OTHER + 1), true, "")), "");
    }

    private void listed(Integer... numbers) {
        known = known.after(topology, switches, Map.of(port.switchName(), Set.of(numbers)));
    }

    private void unanswered() {
        known = known.after(topology, switches, Map.of());
    }

    /** A port is made and removed over OVSDB and OpenFlow, which tell it one after the other. */
    @Test
    void onceIsNoFault() {
        listed(OTHER);
        assertThat(known.ports()).isEmpty();
        listed(NUMBER, OTHER);
        listed(OTHER);
        assertThat(known.ports()).isEmpty();
    }

    @Test
    void twiceIsAFaultUntilItIsListed() {
        listed(OTHER);
        unanswered();
        assertThat(known.ports()).as("one answer").isEmpty();
        listed(OTHER);
        assertThat(known.ports()).containsExactly(port);
        unanswered();
        assertThat(known.ports()).as("nothing new is known").containsExactly(port);
        listed(NUMBER, OTHER);
        assertThat(known.ports()).isEmpty();
    }

    /** What Open vSwitch says itself is reported as that; without a connection nothing is known of now. */
    @Test
    void portsWithErrorsAndSwitchesThatAreAwayAreNone() {
        for (SwitchView each : List.of(view("could not open network device"), view("").openflowDown(),
                view("").ovsdbDown(), SwitchView.UNKNOWN.ovsdbUp(false).openflowUp())) {
            switches.put(port.switchName(), view(""));
            listed(OTHER);
            listed(OTHER);
            assertThat(known.ports()).containsExactly(port);
            switches.put(port.switchName(), each);
            listed(OTHER);
            assertThat(known).isEqualTo(UnlistedPorts.NONE);
        }
    }

    private PortState fault(Topology of, String... hosts) {
        SortedMap<PortId, SortedSet<String>> cutOff = new TreeMap<>();
        if (hosts.length > 0) {
            cutOff.put(port, new TreeSet<>(List.of(hosts)));
        }
        List<PortState> states = PortFaults.of(of, List.of(), new TreeMap<>(), cutOff, new TreeSet<>(Set.of(port)));
        assertThat(states).singleElement().satisfies(each -> {
            assertThat(each.port()).isEqualTo(port);
            assertThat(each.unlisted()).isTrue();
        });
        return states.get(0);
    }

    /** The kernel's devices are taken out by hand only. */
    @Test
    void theFaultSaysWhatToDo() {
        String bridge = topology.switchOf(port.switchName()).bridge();
        assertThat(fault(topology).fault()).isEqualTo("it has left the datapath of its Open vSwitch, though its"
            + " Interface has an OpenFlow number and no error: another program has taken it out ('ovs-appctl"
            + " dpctl/del-if'), find it on the node; 'ovs-vsctl del-port " + bridge + " " + port.port()
            + "' there has it made anew, or its error told");
        assertThat(fault(topology, "b", "a").fault()).startsWith("it has left the datapath of its Open vSwitch, so that"
            + " no packet reaches a, b, though").doesNotContain("check the cable");
    }

    /** A card that does not take the MTU. */
    @Test
    void theFaultOfACardNamesTheMtu() {
        assertThat(fault(onDpdk(OptionalInt.of(9000))).fault()).contains("ovs-vswitchd's log",
            "if its card does not take an MTU of 9000 bytes, give the fabric an mtu that it takes");
        assertThat(fault(onDpdk(OptionalInt.empty())).fault()).contains("correct the port's settings")
            .doesNotContain("MTU");
    }

    private Topology onDpdk(OptionalInt mtu) {
        Policy policy = spec.policy();
        return new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream()
            .map(each -> each.name().equals(port.switchName()) ? new Switch(each.name(), each.systemId(),
                Optional.empty(), each.bridge(), each.datapathType(), each.adminState(), new TreeMap<>(
                    Map.of(port.port(), PortSettings.of(PortSettings.Kind.DPDK))), DpdkSettings.NONE) : each).toList(),
            spec.links(), new Policy(policy.placement(), policy.daqring(),
                policy.protection(), policy.rules(), mtu)));
    }
}
