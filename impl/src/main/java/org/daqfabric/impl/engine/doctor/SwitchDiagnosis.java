package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosis.error;
import static org.daqfabric.impl.engine.doctor.Diagnosis.note;
import static org.daqfabric.impl.engine.doctor.Diagnosis.ok;
import static org.daqfabric.impl.engine.doctor.Diagnosis.warning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.OpenFlowController;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;

/** Switches that are not connected, and why; their Open vSwitch; and connected nodes that are in no fabric. */
final class SwitchDiagnosis {
    private static final String DAQRING = "daqring";
    private static final int MAX_LISTED = 20;
    /** The oldest version that daqfabric is tested with. */
    private static final OvsVersion OLDEST_TESTED = new OvsVersion(3, 1);

    private final DiagnosisInput input;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<Node> unassigned;
    private final List<Advice> found = new ArrayList<>();
    /** Switches of the fabric being checked that share a problem, which one message reports. */
    private final List<String> neverSeen = new ArrayList<>();
    private final List<String> withoutRings = new ArrayList<>();
    private final List<String> inKernel = new ArrayList<>();

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

    static List<Advice> of(DiagnosisInput input) {
        return new SwitchDiagnosis(input).check();
    }

    private List<Advice> check() {
        for (ConfiguredFabric fabric : input.fabrics()) {
            int before = found.size();
            Map<String, SwitchState> states = fabric.state().map(state -> state.switches().stream()
                .collect(Collectors.toMap(SwitchState::name, each -> each))).orElse(Map.of());
            for (Switch each : fabric.spec().switches()) {
                check(fabric, each, Optional.ofNullable(states.get(each.name())));
            }
            summarise(fabric);
            if (found.size() == before) {
                found.add(ok("switches of " + fabric.spec().name(),
                    "all " + fabric.spec().switches().size() + " connected and as configured"));
            }
        }
        for (Node node : unassigned) {
            found.add(note("node " + node.systemId() + " at " + node.peer(), "is in no fabric",
                "to use it give a switch the system-id " + node.systemId()));
        }
        input.refusedPeers().forEach((peer, reason) -> found.add(warning("peer " + peer,
            "was refused on the OVSDB port: " + reason, "if it is one of your nodes correct that; otherwise find"
                + " out which machine it is")));
        return found;
    }

    private void summarise(ConfiguredFabric fabric) {
        String subject = "switches of " + fabric.spec().name();
        if (!neverSeen.isEmpty()) {
            String what = (neverSeen.size() == 1 ? "no node with its system-id" : "no nodes with their system-ids")
                + " ever connected over OVSDB: " + list(neverSeen);
            found.add(isLoopbackOnly(Protocol.OVSDB)
                ? error(subject, what, "the controller listens on loopback only: if the nodes are other machines, set"
                    + " ovsdb-address and openflow-address in etc/org.daqfabric.cfg to this machine's address and"
                    + " restart; on the nodes see 'ovs-vsctl get-manager'")
                : error(subject, what, "on each node: ovs-vsctl set Open_vSwitch . external_ids:system-id=SYSTEM-ID and"
                    + " ovs-vsctl set-manager " + manager()));
        }
        if (!withoutRings.isEmpty()) {
            found.add(warning(subject, "Open vSwitch knows no daqrings on " + list(withoutRings) + ", and the policy"
                + " needs them there", "install Open vSwitch with daqrings (docs/daqring.md), or set policy/daqring/on"
                + " to none"));
        }
        if (!inKernel.isEmpty()) {
            found.add(warning(subject, "the kernel's datapath knows no daqrings, on " + list(inKernel) + ", and the"
                + " policy needs them there", "set their datapath-type to netdev, or policy/daqring/on to none"));
        }
        neverSeen.clear();
        withoutRings.clear();
        inKernel.clear();
    }

    private static String list(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())))
            + (names.size() > MAX_LISTED ? " and " + (names.size() - MAX_LISTED) + " more" : "");
    }

    private void check(ConfiguredFabric fabric, Switch each, Optional<SwitchState> state) {
        String subject = "switch " + each.name() + " of " + fabric.spec().name();
        Node node = nodes.get(each.systemId());
        if (node == null || !node.connected()) {
            missing(subject, each, Optional.ofNullable(node));
            return;
        }
        if (!node.rival().isEmpty()) {
            found.add(warning(subject, "the node at " + node.rival() + " says it has the system-id " + each.systemId()
                + " of the node at " + node.peer(), "give each node one of its own: ovs-vsctl set Open_vSwitch ."
                + " external_ids:system-id=NAME"));
        }
        if (node.silent()) {
            found.add(warning(subject, "its ovsdb-server does not answer",
                "see on the node whether ovsdb-server hangs or the machine is overloaded"));
        }
        if (state.isPresent() && !state.get().openflowConnected()) {
            found.add(withoutOpenFlow(subject, node));
        }
        if (state.isPresent() && !state.get().lastError().isEmpty()) {
            found.add(error(subject, state.get().lastError(), ""));
        }
        if (state.isPresent() && state.get().daqrings().isEmpty()) {
            if (each.datapathType() == DatapathType.SYSTEM) {
                inKernel.add(each.name());
            } else if (!node.interfaceTypes().contains(DAQRING)) {
                withoutRings.add(each.name());
            }
        }
        version(subject, node);
        if (each.adminState() == AdminState.DRAINED) {
            found.add(note(subject, "is drained", "daqfabric:undrain " + each.name() + " takes it back into use"));
        }
    }

    private void missing(String subject, Switch each, Optional<Node> node) {
        String trouble = node.map(Node::trouble).filter(text -> !text.isEmpty()).map(text -> ": " + text).orElse("");
        Optional<Node> similar = unassigned.stream()
            .filter(other -> NameSimilarity.of(other.systemId(), each.systemId())).findFirst();
        if (each.ovsdbAddress().isPresent()) {
            String at = each.ovsdbAddress().get().host() + ":" + each.ovsdbAddress().get().port();
            found.add(error(subject, "the OVSDB server at " + at + " is not connected" + trouble,
                "on the node: ovs-vsctl set-manager ptcp:" + each.ovsdbAddress().get().port() + "; then see that its"
                    + " firewall lets the controller in"));
        } else if (node.map(Node::seen).orElse(false)) {
            found.add(error(subject, "its OVSDB connection is lost" + trouble,
                "see whether the node and its ovsdb-server run and the control network carries; it still forwards by"
                + " what it holds"));
        } else if (similar.isPresent()) {
            found.add(error(subject, "no node with the system-id " + each.systemId()
                + " ever connected, but the one at " + similar.get().peer() + " with the system-id "
                + similar.get().systemId(), "if that is it: ovs-vsctl set Open_vSwitch . external_ids:system-id="
                + each.systemId() + " there, or give the switch its"
                + " system-id"));
        } else {
            neverSeen.add(each.name());
        }
    }

    /** The manager to set on a node. */
    private String manager() {
        return input.listeners().stream().filter(each -> each.protocol() == Protocol.OVSDB).findFirst()
            .map(each -> (each.tls() ? "ssl:" : "tcp:") + "CONTROLLER:" + each.port()).orElse("tcp:CONTROLLER:6640");
    }

    private Advice withoutOpenFlow(String subject, Node node) {
        String what = "connected over OVSDB, but not over OpenFlow" + node.openflow().stream()
            .filter(each -> !each.connected()).map(each -> "; " + each.target()
                + (each.error().isEmpty() ? " is not connected" : ": " + each.error()))
            .collect(Collectors.joining());
        if (!node.ownLoopback() && isLoopbackOnly(Protocol.OPENFLOW)) {
            return error(subject, what, "OpenFlow listens on loopback only, and the node reaches the controller at "
                + node.ownAddress() + ": set openflow-address in etc/org.daqfabric.cfg and restart");
        }
        return error(subject, what, node.openflow().isEmpty()
            ? "no controller is set on its bridge: see last-error of the switch, and openflow-port and"
                + " openflow-tls-port in etc/org.daqfabric.cfg"
            : node.openflow().stream().anyMatch(OpenFlowController::connected)
                ? "its bridge is connected to a controller that does not take it up: see 'ovs-vsctl get-controller' "
                    + "on the node; if that is this one, and a minute does not help, restart it (forwarding goes on)"
                : "see on the node whether ovs-vswitchd runs, and whether a firewall keeps it from that port");
    }

    private boolean isLoopbackOnly(Protocol protocol) {
        List<Listener> listeners = input.listeners().stream().filter(each -> each.protocol() == protocol).toList();
        return !listeners.isEmpty() && listeners.stream().allMatch(Listener::loopback);
    }

    private void version(String subject, Node node) {
        if (node.silent()) {
            return;
        }
        if (node.ovsVersion().isEmpty()) {
            found.add(warning(subject, "its database names no version of Open vSwitch",
                "see on the node whether ovs-vswitchd was ever started by ovs-ctl"));
        }
        OvsVersion.of(node.ovsVersion()).filter(version -> version.isOlderThan(OLDEST_TESTED)).ifPresent(version ->
            found.add(warning(subject, "its Open vSwitch is " + node.ovsVersion() + ", and daqfabric is tested with "
                + OLDEST_TESTED.major + "." + OLDEST_TESTED.minor + " and later", "upgrade it")));
    }
}
