package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.controller.links.PortCache;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** What is configured, reported and decided for one fabric. Belongs to the fabric's event loop. */
final class FabricModel {
    private final String name;
    private final SortedMap<String, SwitchView> switches = new TreeMap<>();
    private final PortCache ports = new PortCache();
    private long revision;
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

    /** The newest configuration; null before the first. */
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

    /** Whether the decision in force has routes: the fabric has run before. */
    boolean isPlaced() {
        return !decision.placement().routes().isEmpty();
    }

    /** The links that must not be used now. */
    UnusableLinks unusable() {
        return unusable;
    }

    /** Whether it is too early to change switches that were programmed before this controller started. */
    boolean isAwaitingFirstReports() {
        return awaitingFirstReports;
    }

    void configure(Topology next) {
        configured = next;
        for (Switch description : next.spec().switches()) {
            switches.putIfAbsent(description.name(), SwitchView.UNKNOWN);
        }
    }

    /** The stored decision has been read. */
    void load(Decision stored) {
        decision = stored;
        awaitingFirstReports = isPlaced();
    }

    void adopt(Topology next, Decision decided) {
        topology = next;
        decision = decided;
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
    }

    /** All switches have sent their first reports, or the time for that is over. */
    void stopAwaitingFirstReports() {
        awaitingFirstReports = false;
    }

    /** Whether every switch has reported the state of all its ports over both connections. */
    boolean haveAllReported() {
        return topology.roles().keySet().stream().allMatch(switchName -> ports(switchName).known());
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
        Set<String> capable = new TreeSet<>();
        switches.forEach((switchName, view) -> {
            if (view.everOvsdb() ? view.ringCapable() : PortAllocator.hasRings(numbers(), switchName)) {
                capable.add(switchName);
            }
        });
        return capable;
    }
}
