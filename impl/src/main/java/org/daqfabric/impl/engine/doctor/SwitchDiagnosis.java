package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.alarms;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;
import static org.daqfabric.impl.engine.doctor.Diagnosed.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.alarm.PartAlarms;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.OpenFlowController;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;

/** Switches that are not connected, and why; their Open vSwitch; and connected nodes that are in no fabric. */
final class SwitchDiagnosis {
    private static final int MAX_LISTED = 20;
    /** The oldest version that daqfabric is tested with. */
    private static final OvsVersion OLDEST_TESTED = new OvsVersion(3, 1);

    private static final String IN_DOUBT = ", and may hold nothing: all its links were down at the same time"
        + " meanwhile, or no packets pass through it";

    private static final String LATE = "its ovs-vswitchd takes over 1.5 s to answer: until it has time it fails over"
        + " as late, and its neighbours may take its links for down";
    private static final String WITHOUT_OPENFLOW = "connected over OVSDB, but not over OpenFlow";
    private static final String FALLEN = "all its links are down";
    private static final String HANGS = "see on its node whether ovs-vswitchd runs and answers ('ovs-appctl version')"
        + " and restart it if not";

    private final DiagnosisInput input;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<Node> unassigned;
    private final List<Diagnosed> found = new ArrayList<>();
    /** Switches of the fabric being checked that share a problem, which one message reports. */
    private final List<AlarmCondition> neverSeen = new ArrayList<>();
    private final List<AlarmCondition> withoutRings = new ArrayList<>();
    private final List<AlarmCondition> inKernel = new ArrayList<>();

    private record OvsVersion(int major, int minor) {
        static Optional<OvsVersion> of(String text) {
            String[] parts = text.split("[.-]");
            try {
                return parts.length < 2 ? Optional.empty()
                    : Optional.of(new OvsVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        boolean isOlderThan(OvsVersion other) {
            return major < other.major || major == other.major && minor < other.minor;
        }
    }

    private SwitchDiagnosis(DiagnosisInput input) {
        this.input = input;
        input.nodes().forEach(node -> nodes.put(node.systemId(), node));
        Set<String> expected = input.fabrics().stream().flatMap(fabric -> fabric.spec().switches().stream())
            .map(Switch::systemId).collect(Collectors.toSet());
        unassigned = nodes.values().stream().filter(node -> node.connected() && !expected.contains(node.systemId()))
            .toList();
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return new SwitchDiagnosis(input).check();
    }

    private List<Diagnosed> check() {
        for (ConfiguredFabric fabric : input.fabrics()) {
            int before = found.size();
            Map<String, SwitchState> states = fabric.state().map(state -> state.switches().stream()
                .collect(Collectors.toMap(SwitchState::name, each -> each))).orElse(Map.of());
            Set<String> fallen = fabric.state().map(state -> FallenSwitches.of(fabric.spec(), state)).orElse(Set.of());
            fabric.spec().switches().stream().filter(each -> states.containsKey(each.name()))
                .forEach(each -> check(fabric, each, states.get(each.name()), fallen.contains(each.name())));
            summarise(fabric);
            if (found.size() == before && fabric.state().isPresent()) {
                found.add(ok("switches of " + fabric.spec().name(),
                    "all " + fabric.spec().switches().size() + " connected and as configured"));
            }
        }
        unassigned.stream().limit(MAX_LISTED).forEach(node -> found.add(note("node " + node.systemId() + " at "
            + node.peer(), "is in no fabric", "to use it give a switch the system-id " + node.systemId())));
        if (unassigned.size() > MAX_LISTED) {
            found.add(note("nodes", (unassigned.size() - MAX_LISTED) + " more are in no fabric", ""));
        }
        refused();
        return found;
    }

    /** One by one, as long as a person reads that; there is an alarm for each. */
    private void refused() {
        List<AlarmCondition> conditions = input.refusedPeers().entrySet().stream().map(each ->
            AlarmCondition.of(AlarmType.PEER_REFUSED, AlarmResource.own(AlarmResource.Kind.PEER, each.getKey()),
                "was refused " + each.getValue())).toList();
        conditions.stream().limit(MAX_LISTED).forEach(each -> found.add(alarm(each, "peer " + each.id().resource()
            .name(), each.text(), "if it is one of your nodes correct that; otherwise find out which machine it is")));
        if (conditions.size() > MAX_LISTED) {
            found.add(alarms(conditions.subList(MAX_LISTED, conditions.size()), "peers",
                (conditions.size() - MAX_LISTED) + " more were refused", "the alarms name them"));
        }
    }

    private void summarise(ConfiguredFabric fabric) {
        String subject = "switches of " + fabric.spec().name();
        if (!neverSeen.isEmpty()) {
            String what = (neverSeen.size() == 1 ? "no node with its system-id" : "no nodes with their system-ids")
                + " ever connected over OVSDB: " + list(neverSeen);
            found.add(isLoopbackOnly(Protocol.OVSDB)
                ? alarms(neverSeen, subject, what, "the controller listens on loopback only: if the nodes are other"
                    + " machines, set ovsdb-address and openflow-address in etc/org.daqfabric.cfg to this machine's"
                    + " address and restart; on the nodes see 'ovs-vsctl get-manager'")
                : alarms(neverSeen, subject, what, "on each node: ovs-vsctl set Open_vSwitch ."
                    + " external_ids:system-id=SYSTEM-ID and ovs-vsctl set-manager " + manager()));
        }
        if (!withoutRings.isEmpty()) {
            found.add(alarms(withoutRings, subject, "Open vSwitch knows no daqrings on " + list(withoutRings)
                + ", and the policy or a flow of control needs them there", "install Open vSwitch with daqrings"
                + " (docs/daqring.md), or set policy/daqring/on to none"));
        }
        if (!inKernel.isEmpty()) {
            found.add(alarms(inKernel, subject, "the kernel's datapath knows no daqrings, on " + list(inKernel)
                + ", and the policy or a flow of control needs them there", "set their datapath-type to netdev, or"
                + " policy/daqring/on to none"));
        }
        neverSeen.clear();
        withoutRings.clear();
        inKernel.clear();
    }

    private static String list(List<AlarmCondition> conditions) {
        List<String> names = conditions.stream().map(each -> each.id().resource().name()).toList();
        return String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())))
            + (names.size() > MAX_LISTED ? " and " + (names.size() - MAX_LISTED) + " more" : "");
    }

    /** Whether it works; {@code fallen} if all its links are down. */
    private void check(ConfiguredFabric fabric, Switch each, SwitchState state, boolean fallen) {
        String subject = "switch " + each.name() + " of " + fabric.spec().name();
        AlarmResource resource = AlarmResource.ofSwitch(fabric.spec().name(), each.name());
        Set<AlarmType> wrong = PartAlarms.of(state);
        Node node = nodes.get(each.systemId());
        if (wrong.contains(AlarmType.SWITCH_AWAY)) {
            missing(subject, resource, each, Optional.ofNullable(node), state.inDoubt());
        } else if (node != null && node.connected()) {
            check(subject, resource, node);
        }
        // before what follows from it, such as a bridge without OpenFlow
        if (wrong.contains(AlarmType.SWITCH_ERROR)) {
            found.add(alarm(AlarmType.SWITCH_ERROR, resource, subject, state.lastError(), ""));
        }
        if (wrong.contains(AlarmType.SWITCH_WITHOUT_OPENFLOW)) {
            found.add(withoutOpenFlow(subject, resource, Optional.ofNullable(node), state, fallen));
        } else if (fallen && wrong.isEmpty()) {
            found.add(summary(Severity.ERROR, subject, FALLEN, HANGS + ". Otherwise see its cables"));
        }
        // of one whose node does not answer either nobody knows what its ovs-vswitchd does
        if (input.late().contains(state.datapathId()) && !wrong.contains(AlarmType.SWITCH_AWAY)
                && (node == null || node.connected() && !node.silent())) {
            found.add(alarm(AlarmType.SWITCH_LATE, resource, subject, LATE, AlarmType.SWITCH_LATE.advice()));
        }
        input.claims().stream().filter(claim -> claim.datapathId() == state.datapathId()).forEach(claim ->
            found.add(alarm(AlarmType.DATAPATH_ID_TAKEN, resource, subject, "a peer at " + claim.address()
                + " claimed its datapath-id" + (claim.keeper().isEmpty() ? "" : ", which the switch at "
                + claim.keeper() + " has,") + " and was turned away: " + claim.why(),
                AlarmType.DATAPATH_ID_TAKEN.advice())));
        if (state.daqrings().isEmpty() && !wrong.contains(AlarmType.SWITCH_AWAY)) {
            boolean kernel = each.datapathType() == DatapathType.SYSTEM;
            (kernel ? inKernel : withoutRings).add(AlarmCondition.of(AlarmType.DAQRINGS_UNSUPPORTED, resource,
                (kernel ? "the kernel's datapath" : "its Open vSwitch") + " knows no daqrings, and the policy or a"
                    + " flow of control needs them there"));
        }
        if (each.adminState() == AdminState.DRAINED) {
            found.add(note(subject, "is drained", "daqfabric:undrain " + each.name() + " takes it back into use"));
        }
    }

    /** What a connected node reports of itself. */
    private void check(String subject, AlarmResource resource, Node node) {
        if (!node.rival().isEmpty()) {
            found.add(alarm(AlarmType.SYSTEM_ID_TAKEN, resource, subject, "the node at " + node.rival()
                + " says it has the system-id " + node.systemId() + " of the node at " + node.peer(),
                AlarmType.SYSTEM_ID_TAKEN.advice()));
        }
        if (node.silent()) {
            found.add(alarm(AlarmType.SWITCH_SILENT, resource, subject, "its ovsdb-server does not answer",
                AlarmType.SWITCH_SILENT.advice()));
        } else {
            version(subject, resource, node);
        }
    }

    private void missing(String subject, AlarmResource resource, Switch each, Optional<Node> node, boolean inDoubt) {
        String trouble = node.map(Node::trouble).filter(text -> !text.isEmpty()).map(text -> ": " + text).orElse("")
            + (inDoubt ? IN_DOUBT : "");
        AlarmCondition condition = AlarmCondition.of(AlarmType.SWITCH_AWAY, resource,
            "is not connected over OVSDB" + (inDoubt ? IN_DOUBT : ""));
        Optional<Node> similar = unassigned.stream()
            .filter(other -> NameSimilarity.of(other.systemId(), each.systemId())).findFirst();
        if (node.flatMap(Node::cause).isPresent()) {
            Cause cause = node.flatMap(Node::cause).get();
            found.add(alarm(condition, subject, "its OVSDB connection is lost: " + cause.what(), cause.remedy()));
        } else if (each.ovsdbAddress().isPresent()) {
            String at = each.ovsdbAddress().get().host() + ":" + each.ovsdbAddress().get().port();
            found.add(alarm(condition, subject, "the OVSDB server at " + at + " is not connected" + trouble,
                "on the node: ovs-vsctl set-manager ptcp:" + each.ovsdbAddress().get().port() + "; then see that its"
                    + " firewall lets the controller in"));
        } else if (node.map(Node::seen).orElse(false)) {
            found.add(alarm(condition, subject, "its OVSDB connection is lost" + trouble,
                "see whether the node and its ovsdb-server run and the control network carries"
                + (inDoubt ? "; it is given its rules again when it connects"
                    : "; it still forwards by what it holds")));
        } else if (similar.isPresent()) {
            found.add(alarm(condition, subject, "no node with the system-id " + each.systemId()
                + " ever connected, but the one at " + similar.get().peer() + " with the system-id "
                + similar.get().systemId(), "if that is it: ovs-vsctl set Open_vSwitch . external_ids:system-id="
                + each.systemId() + " there, or give the switch its"
                + " system-id"));
        } else {
            neverSeen.add(condition);
        }
    }

    /** The manager to set on a node. */
    private String manager() {
        return input.listeners().stream().filter(each -> each.protocol() == Protocol.OVSDB).findFirst()
            .map(each -> (each.tls() ? "ssl:" : "tcp:") + "CONTROLLER:" + each.port()).orElse("tcp:CONTROLLER:6640");
    }

    private Diagnosed withoutOpenFlow(String subject, AlarmResource resource, Optional<Node> known,
            SwitchState state, boolean fallen) {
        AlarmCondition condition = AlarmCondition.of(AlarmType.SWITCH_WITHOUT_OPENFLOW, resource,
            WITHOUT_OPENFLOW + (state.inDoubt() ? IN_DOUBT : ""));
        List<OpenFlowController> controllers = known.map(Node::openflow).orElse(List.of());
        String what = condition.text() + controllers.stream()
            .filter(each -> !each.connected()).map(each -> "; " + each.target()
                + (each.error().isEmpty() ? " is not connected" : ": " + each.error()))
            .collect(Collectors.joining());
        if (known.flatMap(Node::cause).isPresent()) {
            Cause cause = known.flatMap(Node::cause).get();
            return alarm(condition, subject, condition.text() + ": " + cause.what(), cause.remedy());
        }
        boolean isNoneSet = controllers.isEmpty()
            && known.filter(node -> node.connected() && !node.silent()).isPresent();
        if (fallen && !isNoneSet) { // what its database says of connections is old then
            return alarm(condition, subject, WITHOUT_OPENFLOW + ", and " + FALLEN
                + (state.inDoubt() ? "; it may hold nothing" : ""), HANGS);
        }
        if (known.isPresent() && !known.get().ownLoopback() && isLoopbackOnly(Protocol.OPENFLOW)) {
            return alarm(condition, subject, what, "OpenFlow listens on loopback only, and the node reaches the"
                + " controller at " + known.get().ownAddress() + ": set openflow-address in etc/org.daqfabric.cfg and"
                + " restart");
        }
        return alarm(condition, subject, what, controllers.isEmpty()
            ? "no controller is set on its bridge: see last-error of the switch, and openflow-port and"
                + " openflow-tls-port in etc/org.daqfabric.cfg"
            : controllers.stream().anyMatch(OpenFlowController::connected) && !state.lastError().isEmpty()
                ? "its last-error, above, says why it is not taken up"
            : controllers.stream().anyMatch(OpenFlowController::connected)
                ? "its bridge is connected to a controller that does not take it up: see 'ovs-vsctl get-controller' "
                    + "on the node; if that is this one, and a minute does not help, restart it (forwarding goes on)"
                : controllers.stream().map(OpenFlowController::error).filter(error -> !error.isEmpty()).findFirst()
                    .map(SwitchDiagnosis::adviceAbout).orElse("see on the node whether ovs-vswitchd runs, and whether"
                        + " a firewall keeps it from that port"));
    }

    /** What to do about the error that Open vSwitch gives for a connection to a controller. */
    private static String adviceAbout(String error) {
        return error.contains("refused") ? "nothing listens at that address, or a firewall rejects it: see"
                + " openflow-port and openflow-address in etc/org.daqfabric.cfg, then the firewall"
            : error.contains("unreachable") || error.contains("No route") || error.contains("timed out")
                ? "the node does not reach that address: see its routes, the control network and firewalls, in this"
                    + " order"
            : "Open vSwitch names the reason; its log on the node (ovs-vswitchd.log) says more";
    }

    private boolean isLoopbackOnly(Protocol protocol) {
        List<Listener> listeners = input.listeners().stream().filter(each -> each.protocol() == protocol).toList();
        return !listeners.isEmpty() && listeners.stream().allMatch(Listener::loopback);
    }

    private void version(String subject, AlarmResource resource, Node node) {
        if (node.ovsVersion().isEmpty()) {
            found.add(alarm(AlarmType.OVS_VERSION, resource, subject, "its database names no version of Open vSwitch",
                "see on the node whether ovs-vswitchd was ever started by ovs-ctl"));
        }
        OvsVersion.of(node.ovsVersion()).filter(version -> version.isOlderThan(OLDEST_TESTED)).ifPresent(version ->
            found.add(alarm(AlarmType.OVS_VERSION, resource, subject, "its Open vSwitch is " + node.ovsVersion()
                + ", and daqfabric is tested with " + OLDEST_TESTED.major + "." + OLDEST_TESTED.minor + " and later",
                AlarmType.OVS_VERSION.advice())));
    }
}
