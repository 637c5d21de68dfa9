package org.daqfabric.impl.controller;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.links.NumberedLink;
import org.daqfabric.impl.controller.links.PortCache;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/** Makes the picture of a fabric that others see. */
final class StateBuilder {
    private final InstantSource clock;
    private final Map<PortId, LinkState> links = new HashMap<>();
    private List<LinkState> linkStates = List.of();
    private LinksSeen linksSeen;
    private Topology topology;
    private UnusableLinks view;
    private Decision decision;
    private PlacementReport traffic;
    /** What switches that can be told must have confirmed. */
    private Stage goal = Stage.REMOVE;
    /** The daqrings that switches should hold, by switch. */
    private SortedMap<String, Set<String>> wantRings = Collections.emptySortedMap();
    /** Gbps with everything up; worked out once per configuration. */
    private double nominal;

    /** What the states of links depend on. */
    private record LinksSeen(Topology topology, UnusableLinks view, Decision decision, long cabling, Set<PortId> heldBack) {
    }

    StateBuilder(InstantSource clock) {
        this.clock = clock;
    }

    FabricState build(Topology now, UnusableLinks down, Decision decided, long generation, boolean saving,
            Map<String, SwitchView> switches, PortCache ports, Map<String, SwitchDriver> drivers, Optional<Repair> repair,
            MoveCounter moves, LinkTracker links, List<RingState> daqrings) {
        if (now != topology || !down.equals(view) || decided != decision) {
            if (now != topology) {
                nominal = Capacities.nominal(now);
            }
            wantRings = Daqrings.needed(now, decided.placement(), now.roles().keySet());
            traffic = new PlacementReport(now, down, decided.placement(), nominal, moves);
            topology = now;
            view = down;
            decision = decided;
        }
        // removals wait for switches that are out of reach; there is nothing else to do then
        goal = links.reachAll() ? Stage.REMOVE : Stage.CHANGE;
        List<SwitchState> switchStates = now.roles().keySet().stream().map(name -> switchState(name, switches.get(name),
            ports.of(name, switches.get(name), decided.portNumbers()), drivers.get(name))).toList();
        return new FabricState(now.spec().name(), phase(saving || links.areComingUp(), switches, ports, drivers), generation,
            switchStates, linkStates(links), traffic.placements(), traffic.spines(), daqrings, traffic.capacity(), repair);
    }

    /** The daqrings that switches should hold, by switch, in the state that was built last. */
    Map<String, Set<String>> wantedRings() {
        return wantRings;
    }

    private Phase phase(boolean working, Map<String, SwitchView> switches, PortCache ports,
            Map<String, SwitchDriver> drivers) {
        boolean unseen = false;
        boolean busy = working;
        boolean broken = !view.down().isEmpty();
        for (String name : topology.roles().keySet()) {
            SwitchView known = switches.get(name);
            SwitchDriver driver = drivers.get(name);
            PortCache.Ports has = ports.of(name, known, decision.portNumbers());
            unseen |= !known.seen();
            broken |= !known.ovsdb() || !known.openflow() || isBroken(known, has, driver);
            busy |= known.ovsdb() && known.bridgeError().isEmpty() && !has.complete()
                || driver.isConnected() && !driver.isThrough(goal) && driver.error().isEmpty();
            // a bridge that is being made has no OpenFlow connection yet
            busy |= known.ovsdb() && !known.everOpenflow();
        }
        return unseen ? Phase.WAITING : busy ? Phase.PROGRAMMING : broken ? Phase.DEGRADED : Phase.CONVERGED;
    }

    private static boolean isBroken(SwitchView known, PortCache.Ports ports, SwitchDriver driver) {
        return !known.bridgeError().isEmpty() || !ports.errors().isEmpty() || !driver.error().isEmpty();
    }

    private SwitchState switchState(String name, SwitchView known, PortCache.Ports ports, SwitchDriver driver) {
        boolean lacksRings = known.seen() && !known.ringCapable() && wantRings.containsKey(name);
        return new SwitchState(name, role(name), known.ovsdb(), known.openflow(),
            DatapathIds.of(topology.spec().name(), name),
            driver.isThrough(goal) ? OptionalLong.of(driver.generation()) : OptionalLong.empty(), driver.rules(),
            driver.groups(), lacksRings ? OptionalInt.empty() : OptionalInt.of(ports.rings()), error(known, ports, driver));
    }

    private static String error(SwitchView known, PortCache.Ports ports, SwitchDriver driver) {
        if (!isBroken(known, ports, driver)) {
            return "";
        }
        List<String> errors = new ArrayList<>(ports.errors());
        if (!known.bridgeError().isEmpty()) {
            errors.add(known.bridgeError());
        }
        if (!driver.error().isEmpty()) {
            errors.add(driver.error());
        }
        errors.sort(null);
        return String.join("; ", errors);
    }

    private FabricState.Role role(String name) {
        return switch (topology.roles().get(name)) {
            case Role.OfSpine unused -> FabricState.Role.SPINE;
            case Role.OfLeaf unused -> FabricState.Role.LEAF;
            case Role.OfRos unused -> FabricState.Role.ROS;
            case Role.OfRack unused -> FabricState.Role.HLT_RACK;
            case Role.Spare unused -> FabricState.Role.SPARE;
        };
    }

    private List<LinkState> linkStates(LinkTracker book) {
        Cabling cabling = book.cabling();
        LinksSeen seen = new LinksSeen(topology, view, decision, cabling.changes(), Set.copyOf(book.heldBack()));
        if (seen.equals(linksSeen)) {
            return linkStates;
        }
        linksSeen = seen;
        List<LinkState> states = new ArrayList<>();
        for (NumberedLink cable : book.cables(topology, decision.portNumbers())) {
            Link link = cable.link();
            boolean waits = book.heldBack().contains(link.end());
            OperState state = cabling.isMiscabled(cable) ? OperState.MISCABLED
                : view.down().contains(link.end()) && !waits ? OperState.DOWN
                : topology.drained(link) ? OperState.DRAINED : OperState.UP;
            LinkState before = links.get(link.end());
            Instant since = before != null && before.operState() == state ? before.since() : clock.instant();
            LinkState now = new LinkState(link.end(), state, since, cabling.peer(cable, decision.portNumbers()), waits);
            links.put(link.end(), now);
            states.add(now);
        }
        linkStates = states;
        return states;
    }
}
