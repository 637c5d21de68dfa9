package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Bfd;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Certificate;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.OpenFlowController;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Store;
import org.junit.jupiter.api.Test;

/** Findings from the collected facts: none if all is well, and exactly one cause for each fault. */
class DiagnosisTest {
    private static final String LEAF = "leaf-1-1";
    private static final int MEBI = 1 << 20;

    private FabricSpec spec = TestFabrics.regular("f", 1, 2, 2, 1, 1, 2);
    private Phase phase = Phase.CONVERGED;
    private double bandwidth = 20;
    private int reachable = 2;
    private final SortedMap<String, SwitchState> switches = new TreeMap<>();
    private final SortedMap<PortId, LinkState> links = new TreeMap<>();
    private final SortedMap<String, Node> nodes = new TreeMap<>();
    private final Map<PortId, Bfd> bfd = new HashMap<>();
    private final SortedMap<String, String> refusedPeers = new TreeMap<>();
    private final List<Listener> listeners = new ArrayList<>(List.of(
        new Listener(Protocol.OVSDB, false, "10.0.0.1", false, 6640, true),
        new Listener(Protocol.OPENFLOW, false, "10.0.0.1", false, 6653, true)));
    private final List<Certificate> certificates = new ArrayList<>();
    private Machine machine = new Machine(200 * MEBI, 1000 * MEBI, 0.01, 0, 2026);
    private Loop loop = Loop.SOUND;
    private Store store = new Store("configuration", 3, "", false);

    DiagnosisTest() {
        spec.switches().forEach(each -> {
            switches.put(each.name(), new SwitchState(each.name(), Role.LEAF, true, true, 1, OptionalLong.of(1), 1, 1,
                OptionalInt.of(1), ""));
            nodes.put(each.systemId(), node(each.systemId(), "3.1.0"));
        });
        spec.links().forEach(link -> links.put(link.end(), new LinkState(link.end(), OperState.UP, Instant.EPOCH,
            Optional.of(link.peer()), false)));
    }

    private static Node node(String systemId, String version) {
        return new Node(systemId, true, false, true, "10.0.1.1", "10.0.0.1", false, "", "", version, Set.of("daqring"),
            List.of(new OpenFlowController("tcp:10.0.0.1:6653", true, "")));
    }

    private List<Advice> found() {
        FabricState state = new FabricState("f", phase, 1, List.copyOf(switches.values()), List.copyOf(links.values()),
            List.of(), List.of(new DcmPlacement("one", 1, 1, OptionalInt.empty(), 0, 2),
                new DcmPlacement("other", 1, 1, OptionalInt.empty(), 0, reachable)), List.of(), List.of(), List.of(),
            new Capacity(bandwidth, 20, "", bandwidth / 20), Optional.empty(), Optional.empty(), Optional.empty());
        return Diagnosis.of(new DiagnosisInput(List.of(new ConfiguredFabric(spec, Optional.of(state), loop, 1e9)),
            listeners, List.copyOf(nodes.values()), bfd, List.of(), List.of(), refusedPeers, List.of(), certificates,
            machine, List.of(store), List.of()), Set.of());
    }

    /** The only finding that is not ok. */
    private Advice only(Severity severity) {
        List<Advice> wrong = found().stream().filter(each -> each.severity() != Severity.OK).toList();
        assertThat(wrong).hasSize(1);
        assertThat(wrong.get(0).severity()).isEqualTo(severity);
        return wrong.get(0);
    }

    private static void assertSays(Advice advice, String subject, String what, String todo) {
        assertThat(advice.subject()).isEqualTo(subject);
        assertThat(advice.what()).contains(what);
        assertThat(advice.advice()).contains(todo);
    }

    private void change(String switchName, UnaryOperator<SwitchState> change) {
        switches.computeIfPresent(switchName, (name, state) -> change.apply(state));
    }

    /** If all is well, the checked parts are named. */
    @Test
    void nothingIsWrong() {
        certificates.add(new Certificate("tls-certificate", "a.pem", "CN=a", 300, ""));
        assertThat(found()).allMatch(each -> each.severity() == Severity.OK && each.advice().isEmpty());
        assertThat(found()).extracting(Advice::subject).containsExactly("OVSDB listener", "OpenFlow listener",
            "configuration datastore", "memory", "clock", "tls-certificate", "switches of f", "links of f", "fabric f",
            "fabric f");
    }

    /** An event loop that does not turn, a repair that is not stored, and events that failed. */
    @Test
    void eventLoopInTrouble() {
        loop = new Loop(7.4, 0, 0, 0);
        assertSays(only(Severity.ERROR), "fabric f", "its event loop has not turned for 7 s", "jstack");
        loop = new Loop(0.2, 0, 0, 12);
        assertSays(only(Severity.ERROR), "fabric f", "the datastore has not taken for 12 s", "datastore");
        loop = new Loop(0, 3, 2, 0);
        assertSays(only(Severity.WARNING), "fabric f", "3 events failed by an internal error since the controller"
            + " started, and the event loop was replaced 2 times", "karaf.log");
    }

    /** Findings are sorted by severity. */
    @Test
    void theWorstComesFirst() {
        refusedPeers.put("10.0.0.9", "on the OVSDB port: no system-id");
        store = new Store("configuration", 1, "no space left", false);
        assertThat(found()).extracting(Advice::severity).isSorted().startsWith(Severity.ERROR, Severity.WARNING)
            .endsWith(Severity.OK);
    }

    @Test
    void listenersThatAreNotOpen() {
        listeners.set(1, new Listener(Protocol.OPENFLOW, true, "10.0.0.1", false, 6654, false));
        assertSays(only(Severity.ERROR), "OpenFlow listener", "cannot listen on ssl:10.0.0.1:6654", "ss -ltnp");
        listeners.remove(1);
        assertSays(only(Severity.ERROR), "OpenFlow listener", "there is none",
            "openflow-port in etc/org.daqfabric.cfg");
    }

    /** A controller that only dials needs no OVSDB listener. */
    @Test
    void aDiallingControllerNeedsNoListener() {
        listeners.remove(0);
        assertSays(only(Severity.ERROR), "OVSDB listener", "there is none", "ovsdb-port");
        spec = with(each -> new Switch(each.name(), each.systemId(), Optional.of(new Switch.OvsdbAddress("10.1.1.1",
            6640)),
            each.bridge(), each.datapathType(), each.adminState()));
        assertThat(found()).allMatch(each -> each.severity() == Severity.OK);
        away();
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "the OVSDB server at 10.1.1.1:6640 is not connected",
            "set-manager ptcp:6640");
    }

    private void away() {
        nodes.remove(LEAF);
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, false, false, 1, OptionalLong.empty(), 0, 0,
            OptionalInt.of(0), ""));
    }

    private FabricSpec with(UnaryOperator<Switch> change) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(),
            spec.switches().stream().map(change).toList(), spec.links(), spec.policy());
    }

    /** Why a switch is missing: it never called, it was lost, or it has another name. */
    @Test
    void missingSwitches() {
        away();
        assertSays(only(Severity.ERROR), "switches of f", "ever connected over OVSDB: leaf-1-1",
            "ovs-vsctl set-manager tcp:CONTROLLER:6640");

        listeners.set(0, new Listener(Protocol.OVSDB, false, "127.0.0.1", true, 6640, true));
        assertSays(only(Severity.ERROR), "switches of f", "leaf-1-1", "listens on loopback only");

        nodes.put(LEAF, new Node(LEAF, false, false, true, "", "", false, "no whole message for 20 s", "", "",
            Set.of(), List.of()));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "connection is lost: no whole message for 20 s",
            "ovsdb-server");

        nodes.remove(LEAF);
        nodes.put("Leaf-11.cern.ch", node("Leaf-11.cern.ch", "3.1.0"));
        assertThat(found()).filteredOn(each -> each.severity() == Severity.ERROR).singleElement()
            .satisfies(each -> assertSays(each, "switch leaf-1-1 of f", "but the one at 10.0.1.1 with the system-id"
                + " Leaf-11.cern.ch", "external_ids:system-id=leaf-1-1"));
    }

    /** OVSDB without OpenFlow: the node reports the reason, or the controller listens on loopback only. */
    @Test
    void withoutOpenFlow() {
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, true, false, 1, OptionalLong.empty(), 1, 1,
            OptionalInt.of(1), ""));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "not over OpenFlow",
            "a controller that does not take it up");
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, true, false, 1, OptionalLong.empty(), 1, 1,
            OptionalInt.of(1), "bridge br-daq belongs to another installation"));
        assertThat(found()).extracting(Advice::advice).contains("its last-error, above, says why it is not taken up");
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, true, false, 1, OptionalLong.empty(), 1, 1,
            OptionalInt.of(1), ""));
        Node node = nodes.get(LEAF);
        nodes.put(LEAF, new Node(LEAF, true, false, true, node.peer(), node.ownAddress(), false, "", "", "3.1.0",
            node.interfaceTypes(), List.of(new OpenFlowController("tcp:10.0.0.1:6653", false, "Connection refused"))));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f",
            "not over OpenFlow; tcp:10.0.0.1:6653: Connection refused",
            "firewall");
        listeners.set(1, new Listener(Protocol.OPENFLOW, false, "127.0.0.1", true, 6653, true));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "Connection refused", "set openflow-address");
        nodes.put(LEAF, new Node(LEAF, true, false, true, node.peer(), node.ownAddress(), false, "", "", "3.1.0",
            node.interfaceTypes(), List.of(), Optional.of(new Cause("flow-restore-wait is true", "remove it"))));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "not over OpenFlow: flow-restore-wait is true",
            "remove");
    }

    @Test
    void nodesThatAreNotAsTheyMustBe() {
        Node node = nodes.get(LEAF);
        nodes.put(LEAF, new Node(LEAF, true, true, true, node.peer(), node.ownAddress(), false, "", "10.0.1.7", "",
            Set.of(),
            List.of()));
        assertThat(found()).filteredOn(each -> each.severity() == Severity.WARNING).extracting(Advice::what)
            .containsExactly("the node at 10.0.1.7 says it has the system-id leaf-1-1 of the node at 10.0.1.1",
                "its ovsdb-server does not answer");
        nodes.put(LEAF, node(LEAF, "2.17.9"));
        assertSays(only(Severity.WARNING), "switch leaf-1-1 of f", "is 2.17.9", "upgrade");
        nodes.put(LEAF, node(LEAF, "3.0.90-dev"));
        only(Severity.WARNING);
        nodes.put(LEAF, node(LEAF, "4.0"));
        nodes.put("unknown", node("unknown", ""));
        assertSays(only(Severity.NOTE), "node unknown at 10.0.1.1", "in no fabric", "system-id unknown");
    }

    /** An error that a switch reports is shown; missing support of daqrings is reported once for all switches. */
    @Test
    void switchesThatAreNotAsTheyMustBe() {
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, true, true, 1, OptionalLong.of(1), 1, 1,
            OptionalInt.of(1), "no space in table 0: remove rules"));
        assertSays(only(Severity.ERROR), "switch leaf-1-1 of f", "no space in table 0: remove rules", "");
        for (String name : List.of(LEAF, "leaf-1-2")) {
            change(name, state -> new SwitchState(name, Role.LEAF, true, true, 1, OptionalLong.of(1), 1, 1,
                OptionalInt.empty(), ""));
            nodes.put(name, new Node(name, true, false, true, "10.0.1.1", "10.0.0.1", false, "", "", "3.1.0",
                Set.of("internal"), List.of()));
        }
        assertSays(only(Severity.WARNING), "switches of f", "knows no daqrings on leaf-1-1, leaf-1-2",
            "set policy/daqring/on to none");
    }

    @Test
    void kernelsDatapathKnowsNoDaqrings() {
        spec = with(each -> new Switch(each.name(), each.systemId(), each.ovsdbAddress(), each.bridge(),
            each.name().equals(LEAF) ? DatapathType.SYSTEM : each.datapathType(), each.adminState()));
        change(LEAF, state -> new SwitchState(LEAF, Role.LEAF, true, true, 1, OptionalLong.of(1), 1, 1,
            OptionalInt.empty(), ""));
        assertSays(only(Severity.WARNING), "switches of f", "kernel's datapath knows no daqrings, on leaf-1-1",
            "set their datapath-type to netdev");
    }

    @Test
    void drainedThingsAreRecalled() {
        spec = with(each -> new Switch(each.name(), each.systemId(), each.ovsdbAddress(), each.bridge(),
            each.datapathType(), each.name().equals(LEAF) ? AdminState.DRAINED : AdminState.IN_SERVICE));
        assertSays(only(Severity.NOTE), "switch leaf-1-1 of f", "is drained", "daqfabric:undrain leaf-1-1");
    }

    private void link(Link link, OperState state, PortId seen, boolean heldBack) {
        links.put(link.end(), new LinkState(link.end(), state, Instant.EPOCH, Optional.ofNullable(seen), heldBack));
    }

    /** Two cables that are exchanged are one mistake; else both ends are named. */
    @Test
    void miscabledLinks() {
        Link one = spec.links().get(0);
        Link other = spec.links().get(1);
        link(one, OperState.MISCABLED, other.peer(), false);
        link(other, OperState.MISCABLED, one.peer(), false);
        assertSays(only(Severity.ERROR), "link " + one.end() + " - " + one.peer(), one.end() + " sees " + other.peer()
            + ", and " + other.end() + " sees " + one.peer(), "exchange the plugs in " + one.peer() + " and "
            + other.peer());

        link(other, OperState.UP, other.peer(), false);
        link(one, OperState.MISCABLED, new PortId("g/p1s1", "7"), false);
        assertSays(only(Severity.ERROR), "link " + one.end() + " - " + one.peer(),
            one.end() + " sees g/p1s1:7, expected " + one.peer(), "put the cable from " + one.end() + " into "
            + one.peer());
        link(one, OperState.MISCABLED, null, false);
        assertSays(only(Severity.ERROR), "link " + one.end() + " - " + one.peer(),
            one.peer() + " sees another port than " + one.end(), "correct the description");
    }

    /** A link that is down: no carrier, nothing arrives, or only one way. */
    @Test
    void linksThatAreDown() {
        Link link = spec.links().get(0);
        link(link, OperState.DOWN, null, false);
        assertSays(only(Severity.ERROR), "link " + link.end() + " - " + link.peer(), "no carrier", "ip link");
        bfd.put(link.end(), new Bfd("down", "Control Detection Time Expired"));
        bfd.put(link.peer(), new Bfd("down", ""));
        assertSays(only(Severity.ERROR), "link " + link.end() + " - " + link.peer(),
            "BFD at " + link.end() + " is down (Control Detection Time Expired), at " + link.peer() + " is down",
            "cable");
        bfd.put(link.peer(), new Bfd("init", ""));
        assertThat(only(Severity.ERROR).advice()).startsWith("packets arrive one way only: what " + link.end()
            + " sends arrives, what " + link.peer() + " sends does not");
        bfd.remove(link.end());
        assertThat(only(Severity.ERROR).what()).contains(link.end() + " is not running");

        link(link, OperState.UP, link.peer(), true);
        assertSays(only(Severity.WARNING), "link " + link.end() + " - " + link.peer(), "not used",
            "daqfabric:rebalance");
    }

    /** A link of a switch that is not connected is not the one to repair. */
    @Test
    void linksOfSwitchesThatAreAway() {
        Link link = spec.links().get(0);
        link(link, OperState.DOWN, null, false);
        String name = link.end().switchName();
        nodes.remove(name);
        change(name, state -> new SwitchState(name, Role.ROS, false, false, 1, OptionalLong.empty(), 0, 0,
            OptionalInt.of(0), ""));
        assertThat(found()).filteredOn(each -> each.severity() == Severity.ERROR).hasSize(2)
            .anySatisfy(each -> assertSays(each, "link " + link.end() + " - " + link.peer(), "without switch " + name,
                "see what is said of " + name));
    }

    @Test
    void theFabricAsAWhole() {
        phase = Phase.WAITING;
        assertSays(only(Severity.ERROR), "fabric f", "never seen", "see what is said");
        phase = Phase.PROGRAMMING;
        assertSays(only(Severity.NOTE), "fabric f", "being changed", "moment");
        phase = Phase.DEGRADED;
        bandwidth = 10;
        assertSays(only(Severity.WARNING), "fabric f", "10.0 of 20.0 Gbps", "links");
        phase = Phase.CONVERGED;
        assertSays(only(Severity.NOTE), "fabric f", "10.0 of 20.0 Gbps", "rebalance");
        bandwidth = 20;
        reachable = 1;
        assertSays(only(Severity.ERROR), "fabric f", "1 of 2 DCMs are not reached by every ROS: other",
            "daqfabric:placement");
    }

    /** Before there is any state, or any fabric. */
    @Test
    void nothingIsConfigured() {
        DiagnosisInput empty = new DiagnosisInput(List.of(), listeners, List.of(), bfd, List.of(), List.of(),
            refusedPeers, List.of(), List.of(), machine, List.of(store), List.of());
        assertThat(Diagnosis.of(empty, Set.of()).get(0).advice()).contains("RESTCONF");
        DiagnosisInput fresh = new DiagnosisInput(List.of(new ConfiguredFabric(spec, Optional.empty(), loop, 1e9)),
            listeners,
            List.copyOf(nodes.values()),
            bfd, List.of(), List.of(), refusedPeers, List.of(), List.of(), machine, List.of(store), List.of());
        assertThat(Diagnosis.of(fresh, Set.of()).get(0)).satisfies(each -> assertSays(each, "fabric f",
            "no state yet", "now"));
    }

    @Test
    void theControllersMachine() {
        store = new Store("configuration", 6000, "no answer for 6 s", false);
        assertSays(only(Severity.ERROR), "configuration datastore", "no answer", "disk");
        store = new Store("configuration", 6000, "journal of shard default ended with java.io.IOException: No space"
            + " left on device", true);
        assertSays(only(Severity.ERROR), "configuration datastore", "journal of shard default ended", "restart the"
            + " controller");
        store = new Store("configuration", 2500, "", false);
        assertSays(only(Severity.WARNING), "configuration datastore", "2500 ms", "slow disk");
        store = new Store("configuration", 3, "", false);

        machine = new Machine(950 * MEBI, 1000 * MEBI, 0.01, 0, 2026);
        assertSays(only(Severity.WARNING), "memory", "950 of 1000 MiB", "DAQFABRIC_HEAP");
        machine = new Machine(100 * MEBI, 1000 * MEBI, 0.5, 0, 2026);
        assertSays(only(Severity.WARNING), "memory", "50.0 %", "DAQFABRIC_HEAP");
        machine = new Machine(100 * MEBI, 1000 * MEBI, 0, -90, 2026);
        assertSays(only(Severity.WARNING), "clock", "set back by 90.0 s", "NTP");
        machine = new Machine(100 * MEBI, 1000 * MEBI, 0, 0, 1970);
        assertSays(only(Severity.ERROR), "clock", "1970", "NTP");
    }

    @Test
    void certificatesThatExpire() {
        certificates.add(new Certificate("tls-certificate", "a.pem", "CN=a", 29, ""));
        assertSays(only(Severity.WARNING), "tls-certificate", "a.pem (CN=a) expires in 29 days", "docs/install.md");
        certificates.set(0, new Certificate("tls-ca-certificate", "ca.pem", "CN=ca", -1, ""));
        assertSays(only(Severity.ERROR), "tls-ca-certificate", "has expired", "restart");
        certificates.set(0, new Certificate("TLS", "", "", 0,
            "tls-certificate: a.pem does not exist: correct the path"));
        assertSays(only(Severity.ERROR), "TLS", "does not exist", "would not start again");
    }
}
