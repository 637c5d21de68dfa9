package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.links.HostPorts;
import org.daqfabric.impl.controller.links.PortCache;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.identity.IdentityAssignment;
import org.daqfabric.impl.engine.identity.Relabelling;
import org.daqfabric.impl.engine.rollout.MoveStages;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** What is configured, reported and decided for one fabric. Belongs to the fabric's event loop. */
final class FabricModel {
    private final String name;
    private final SortedMap<String, SwitchView> switches = new TreeMap<>();
    /** The bridge whose reports arrive as those of each switch, by the switch's name. */
    private final Map<String, SwitchIdentity> reported = new HashMap<>();
    private final PortCache ports = new PortCache();
    private final HostPorts hosts = new HostPorts(switches);
    private long revision;
    /** The configuration that a loop before this one has left in force; null if none has. */
    private @Nullable FabricSpec inForceBefore;
    private @Nullable FabricSpec wanted;
    /** The bridges that the stored decision knows and the first configuration does not. */
    private final Set<MarkedBridge> left = new HashSet<>();
    private final Set<MarkedBridge> displaced = new HashSet<>();
    private @Nullable Decision loaded;
    private @Nullable Topology configured;
    private @Nullable Topology topology;
    private @Nullable Decision decision;
    private UnusableLinks unusable = UnusableLinks.ALL_UP;
    private boolean awaitingFirstReports;

    FabricModel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** What each switch has reported, by name. */
    SortedMap<String, SwitchView> switches() {
        return Collections.unmodifiableSortedMap(switches);
    }

    /** Revision of {@link #switches()}, incremented by every report of a switch. */
    long revision() {
        return revision;
    }

    /** The configuration to come into force next, or in force; null until the stored decision has been read. */
    @Nullable Topology configured() {
        return configured;
    }

    /** The configuration in force, for which the decision was made; null before the first. */
    @Nullable Topology topology() {
        return topology;
    }

    boolean hasTopology() {
        return topology != null;
    }

    /** The decision in force; null until it has been read from the store. */
    @Nullable Decision decision() {
        return decision;
    }

    PortNumbers numbers() {
        return decision.portNumbers();
    }

    /** Whether the decision in force has routes; it has none while no links lead anywhere. */
    boolean isPlaced() {
        return !decision.placement().routes().isEmpty();
    }

    /** Whether the fabric has run before: some switch was given ports. */
    boolean hasRun() {
        return hasPorts(decision);
    }

    private static boolean hasPorts(Decision of) {
        return of.portNumbers().numbers().values().stream().anyMatch(ports -> !ports.isEmpty());
    }

    /** The links that must not be used now. */
    UnusableLinks unusable() {
        return unusable;
    }

    /** Whether it is too early to change switches that were programmed before this controller started. */
    boolean isAwaitingFirstReports() {
        return awaitingFirstReports;
    }

    void configure(FabricSpec spec) {
        wanted = spec;
        takeUp();
    }

    /** The bridges that left the fabric before this loop began, and that packets may still need. */
    Set<MarkedBridge> left() {
        return Collections.unmodifiableSet(left);
    }

    /** Those whose node has a new bridge of the fabric, which needs their ports. */
    Set<MarkedBridge> displaced() {
        return Collections.unmodifiableSet(displaced);
    }

    /** The configuration in force, or the one to come into force if none is; null before the first. */
    @Nullable FabricSpec specInForce() {
        Topology now = topology != null ? topology : configured;
        return now == null ? null : now.spec();
    }

    /** The newest configuration, to which the configured one may only be on the way; null before the first. */
    @Nullable FabricSpec wanted() {
        return wanted;
    }

    /** Whether the newest configuration is neither in force nor about to come into force. */
    boolean isOnTheWay() {
        return wanted != null && configured != null && !wanted.equals(configured.spec());
    }

    /** The configuration to come into force next. */
    void enter(FabricSpec next) {
        configured = topologyOf(next);
        configured.identities().switches().keySet().forEach(switchName ->
            switches.putIfAbsent(switchName, SwitchView.UNKNOWN));
        forgetOtherBridges();
    }

    /** A configuration of this fabric with the identities that its switches have, or would have. */
    Topology topologyOf(FabricSpec spec) {
        return new Topology(spec, decision == null ? Identities.NONE : decision.identities());
    }

    /** Whether the stored decision has been read and there is a configuration. */
    boolean isReady() {
        return decision != null && configured != null;
    }

    /**
     * The stored decision has been read, or a loop before this one has left its own.
     *
     * @param inForce the configuration that was in force then, from which this loop goes on; null if it begins with
     *     the newest
     */
    void load(Decision stored, @Nullable FabricSpec inForce) {
        loaded = stored;
        inForceBefore = inForce;
        awaitingFirstReports = hasPorts(stored);
        takeUp();
    }

    /**
     * Once both are known, rewrites the stored decision in the labels of the newest configuration, which may have
     * changed since it was made.
     */
    private void takeUp() {
        if (loaded != null && wanted != null && configured == null) {
            FabricSpec first = first();
            if (hasPorts(loaded) && loaded.identities().equals(Identities.NONE)) {
                loaded = new Decision(loaded.placement(), loaded.portNumbers(), IdentityAssignment.byName(first),
                    Optional.empty());
            }
            Identities now = IdentityAssignment.of(first, loaded.identities());
            findBridgesThatLeft(first);
            Relabelling labels = Relabelling.between(loaded.identities(), now);
            // in other labels it was made for no configuration, and so is stored anew
            decision = labels.changesLabels() ? new Decision(labels.apply(loaded.placement()),
                labels.apply(loaded.portNumbers()), now, Optional.empty()) : loaded;
            enter(first);
        }
    }

    /**
     * The configuration to begin with. If leaves or spines are to move or to leave it is the one that was in force, in
     * the labels of the newest: what has another path must take it before.
     */
    private FabricSpec first() {
        FabricSpec before = inForceBefore != null ? inForceBefore : loaded.configuration().orElse(wanted);
        FabricSpec relabelled = Relabelling.between(before, wanted).apply(before);
        return inForceBefore != null || MoveStages.concerns(new Topology(relabelled), wanted) ? relabelled : wanted;
    }

    private void findBridgesThatLeft(FabricSpec first) {
        Set<MarkedBridge> before = new HashSet<>();
        loaded.identities().switches().values()
            .forEach(each -> before.add(new MarkedBridge(each.systemId(), each.bridge(), name)));
        Set<MarkedBridge> now = new HashSet<>();
        first.switches().forEach(each -> now.add(MarkedBridge.of(name, each)));
        Set<String> changed = new HashSet<>();
        now.stream().filter(each -> !before.contains(each)).forEach(each -> changed.add(each.systemId()));
        before.stream().filter(each -> !now.contains(each))
            .forEach(each -> (changed.contains(each.systemId()) ? displaced : left).add(each));
    }

    void adopt(Topology next, Decision decided) {
        topology = next;
        decision = decided;
        forgetOtherBridges();
    }

    /** What a switch reported of another bridge is not true of the one whose reports arrive from now on. */
    private void forgetOtherBridges() {
        reporting().forEach((switchName, now) -> {
            if (hasReportedAnother(switchName, now)) {
                switches.put(switchName, SwitchView.UNKNOWN);
                revision++;
            }
            reported.put(switchName, now);
        });
    }

    private boolean hasReportedAnother(String switchName, SwitchIdentity bridge) {
        SwitchIdentity before = reported.get(switchName);
        return before != null && !before.isSameBridge(bridge);
    }

    /** The switches that have another bridge in a configuration than the one that they have reported. */
    Set<String> moved(Topology next) {
        return next.identities().switches().entrySet().stream()
            .filter(each -> hasReportedAnother(each.getKey(), each.getValue())).map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    }

    /**
     * Where the reports of switches belong: the bridges in force, and those of switches that are only configured.
     */
    SortedMap<String, SwitchIdentity> reporting() {
        SortedMap<String, SwitchIdentity> all = new TreeMap<>(configured.identities().switches());
        if (topology != null) {
            all.putAll(topology.identities().switches());
        }
        return all;
    }

    void setUnusable(UnusableLinks links) {
        unusable = links;
    }

    void update(String switchName, UnaryOperator<SwitchView> change) {
        revision++;
        switches.computeIfPresent(switchName, (key, view) -> change.apply(view));
    }

    void forget(Set<String> names) {
        switches.keySet().removeAll(names);
        reported.keySet().removeAll(names);
    }

    /** All switches have sent their first reports, or the time for that is over. */
    void stopAwaitingFirstReports() {
        awaitingFirstReports = false;
    }

    /** Whether every switch has reported the state of all its ports over both connections. */
    boolean haveAllReported() {
        return topology.roles().keySet().stream().allMatch(switchName -> ports(switchName).known());
    }

    /** The names of the hosts behind each port that is known to carry nothing. */
    SortedMap<PortId, SortedSet<String>> hostsDown() {
        return hosts.down(topology, numbers(), revision);
    }

    /** Links that carry nothing, and ports to hosts that carry nothing. */
    Set<PortId> withHostsDown(Set<PortId> dead) {
        Set<PortId> all = new TreeSet<>(dead);
        all.addAll(hostsDown().keySet());
        return all;
    }

    PortCache ports() {
        return ports;
    }

    PortCache.Ports ports(String switchName) {
        return ports.of(switchName, switches.get(switchName), numbers());
    }

    /** Names of the ports that each switch has, of those it must have with a decision's numbers. */
    SortedMap<String, Set<String>> present(Topology of, PortNumbers numbers) {
        return ports.present(of, switches, numbers);
    }

    /** Whether ports of some switch are being created; programs may need more rules and groups when they exist. */
    boolean isCreatingPorts() {
        return switches.entrySet().stream().anyMatch(this::isCreatingPorts);
    }

    private boolean isCreatingPorts(Map.Entry<String, SwitchView> entry) {
        SwitchView view = entry.getValue();
        return view.ovsdb() && view.bridgeError().isEmpty() && !ports(entry.getKey()).complete();
    }

    /**
     * The switches that support daqrings: those that report so, and those that have daqrings and have not reported yet.
     */
    Set<String> ringCapable() {
        Set<String> capable = new TreeSet<>(switches.keySet());
        capable.removeIf(switchName -> !isRingCapable(switchName));
        return capable;
    }

    /** Open vSwitch knows daqrings or not; that the kernel's datapath does not, it does not say. */
    boolean isRingCapable(String switchName) {
        SwitchView view = switches.get(switchName);
        return !isInKernel(switchName)
            && (view.everOvsdb() ? view.ringCapable() : PortAllocator.hasRings(numbers(), switchName));
    }

    private boolean isInKernel(String switchName) {
        Topology known = topology();
        Switch described = known == null ? null : known.switchOf(switchName);
        return described != null && described.datapathType() == DatapathType.SYSTEM;
    }
}
