package org.daqfabric.impl.controller;

import java.time.Instant;
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
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Proof;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.links.NumberedLink;
import org.daqfabric.impl.controller.links.PortCache;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** Builds the state of a fabric that is published. */
final class StateBuilder {
    private final Clocks clocks;
    private final Map<PortId, LinkState> links = new HashMap<>();
    private List<LinkState> linkStates = List.of();
    private @Nullable CacheKey linkStatesFor;
    /** Whether a link is unknown, which a report can change. */
    private boolean someUnknown;
    private FabricModel model;
    private @Nullable CacheKey reportFor;
    private PlacementReport report;
    /** The stage that reachable switches must have confirmed. */
    private Stage goal = Stage.REMOVE;
    /** The DCMs with a daqring, by switch. */
    private SortedMap<String, Set<Address>> desiredRings = Collections.emptySortedMap();
    private @Nullable Topology nominalFor;
    /** Gbps with all links up; computed once per configuration. */
    private double nominal;
    /** The other end of each link. */
    private Map<PortId, PortId> peers = Map.of();

    StateBuilder(Clocks clocks) {
        this.clocks = clocks;
    }

    FabricState build(FabricModel now, Rollout rollout, Decisions decisions, RepairClock repairs,
            MoveCounter moves, LinkTracker tracker, List<PortState> ports, StatisticsPoller statistics,
            Map<PortId, Loss> losses, List<DropEpisode> drops, ProofWatch proofs) {
        model = now;
        SortedMap<PortId, SortedSet<String>> hostsDown = now.hostsDown();
        CacheKey key = CacheKey.of(now.topology(), now.unusable(), now.decision(),
            tracker.doubt().switches(), hostsDown);
        if (!key.isSame(reportFor)) {
            if (now.topology() != nominalFor) {
                nominalFor = now.topology();
                nominal = Capacities.nominal(nominalFor);
                peers = nominalFor.spec().links().stream().collect(Collectors.toMap(Link::end, Link::peer));
            }
            Set<String> all = now.topology().roles().keySet();
            desiredRings = Daqrings.needed(now.topology(), now.decision().placement(), all);
            report = new PlacementReport(now.topology(), tracker.doubt().doubtful(now.topology(), now.unusable()),
                now.decision().placement(), nominal, moves, hostsDown.keySet());
            reportFor = key;
        }
        // removals wait for switches that are out of reach, and for the store; nothing else is left to do then
        Optional<Instant> unstoredSince = decisions.storage().unstoredSince();
        goal = tracker.reachesAll() && unstoredSince.isEmpty() ? Stage.REMOVE : Stage.CHANGE;
        Map<String, SwitchDriver> drivers = rollout.drivers();
        Set<String> inDoubt = tracker.doubt().switches();
        List<SwitchState> switchStates = now.topology().roles().keySet().stream()
            .map(name -> switchState(name, drivers.get(name), inDoubt.contains(name), statistics.hostDrops(name)))
            .toList();
        Phase phase = phase(decisions.isStoring() || now.isOnTheWay() || tracker.areComingUp(),
            unstoredSince.isPresent(), !hostsDown.isEmpty(), drivers);
        List<LinkState> carrying = new LinkTraffic(peers, report.planned(), statistics.rates(), losses,
            clocks.steady().instant()).of(linkStates(tracker));
        return new FabricState(now.name(), phase, rollout.generation(), switchStates, carrying, ports,
            placements(proofs.proofs()), report.spines(), statistics.rings(), drops, report.capacity(), repairs.last(),
            repairs.rebalanced(), unstoredSince, proofs.silence());
    }

    private List<DcmPlacement> placements(SortedMap<String, Proof> proofs) {
        return proofs.isEmpty() ? report.placements() : report.placements().stream()
            .map(each -> each.with(proofs.getOrDefault(each.dcm(), Proof.NONE))).toList();
    }

    /** The DCMs that must have a daqring, by switch, of the state that was built last. */
    Map<String, Set<Address>> desiredRings() {
        return desiredRings;
    }

    private Phase phase(boolean working, boolean unstored, boolean cutOff, Map<String, SwitchDriver> drivers) {
        boolean neverConnected = false;
        boolean busy = working && !unstored;
        boolean broken = unstored || cutOff || !model.unusable().down().isEmpty();
        for (String name : model.topology().roles().keySet()) {
            SwitchView view = model.switches().get(name);
            SwitchDriver driver = drivers.get(name);
            PortCache.Ports ports = model.ports(name);
            neverConnected |= !view.everOvsdb();
            broken |= !view.ovsdb() || !view.openflow() || isBroken(view, ports, driver)
                || !takers(name, driver).isEmpty();
            busy |= view.ovsdb() && view.bridgeError().isEmpty() && !ports.complete()
                || driver.isConnected() && !driver.hasFinished(goal) && driver.error().isEmpty();
            // a bridge that is being created has no OpenFlow connection yet
            busy |= view.ovsdb() && !view.everOpenflow();
        }
        return neverConnected ? Phase.WAITING : busy ? Phase.PROGRAMMING : broken ? Phase.DEGRADED : Phase.CONVERGED;
    }

    private static boolean isBroken(SwitchView view, PortCache.Ports ports, SwitchDriver driver) {
        return !view.bridgeError().isEmpty() || !ports.errors().isEmpty() || !driver.error().isEmpty();
    }

    private SwitchState switchState(String name, SwitchDriver driver, boolean inDoubt, Optional<HostDrops> hostDrops) {
        SwitchView view = model.switches().get(name);
        PortCache.Ports ports = model.ports(name);
        boolean lacksRings = view.everOvsdb() && !model.isRingCapable(name) && desiredRings.containsKey(name);
        return new SwitchState(name, role(name), view.ovsdb(), view.openflow(), inDoubt,
            model.topology().datapathId(name),
            driver.hasFinished(goal) ? OptionalLong.of(driver.generation()) : OptionalLong.empty(), driver.rules(),
            driver.groups(), lacksRings ? OptionalInt.empty() : OptionalInt.of(ports.rings()), hostDrops,
            error(view, ports, driver, takers(name, driver)));
    }

    private List<String> takers(String name, SwitchDriver driver) {
        return driver.takers(model.topology().switchOf(name).bridge());
    }

    private static String error(SwitchView view, PortCache.Ports ports, SwitchDriver driver, List<String> takers) {
        if (!isBroken(view, ports, driver) && takers.isEmpty()) {
            return "";
        }
        List<String> errors = new ArrayList<>(ports.errors());
        errors.addAll(takers);
        if (!view.bridgeError().isEmpty()) {
            errors.add(view.bridgeError());
        }
        if (!driver.error().isEmpty()) {
            errors.add(driver.error());
        }
        errors.sort(null);
        return String.join("; ", errors);
    }

    private FabricState.Role role(String name) {
        return switch (model.topology().roles().get(name)) {
            case Role.OfSpine unused -> FabricState.Role.SPINE;
            case Role.OfLeaf unused -> FabricState.Role.LEAF;
            case Role.OfRos unused -> FabricState.Role.ROS;
            case Role.OfRack unused -> FabricState.Role.HLT_RACK;
            case Role.OfBuilder unused -> FabricState.Role.BUILDER;
            case Role.OfHosts unused -> FabricState.Role.HOSTS;
            case Role.Spare unused -> FabricState.Role.SPARE;
        };
    }

    private static Silence silence(LinkTracker tracker, Link link) {
        Set<PortId> silent = tracker.silentPorts(link.end());
        return silent.isEmpty() ? Silence.NONE
            : new Silence(silent.contains(link.end()), silent.contains(link.peer()));
    }

    private List<LinkState> linkStates(LinkTracker tracker) {
        Cabling cabling = tracker.cabling();
        CacheKey key = CacheKey.of(model.topology(), model.unusable(), model.decision(), cabling.revision(),
            tracker.heldBack(), tracker.silentLinks(), tracker.doubt().switches(),
            someUnknown ? model.revision() : 0);
        if (key.isSame(linkStatesFor)) {
            return linkStates;
        }
        linkStatesFor = key;
        someUnknown = false;
        List<LinkState> states = new ArrayList<>();
        for (NumberedLink numbered : tracker.links(model.topology(), model.numbers())) {
            Link link = numbered.link();
            boolean inDoubt = tracker.doubt().concerns(link);
            boolean waits = tracker.heldBack().contains(link.end());
            OperState state = cabling.isMiscabled(numbered) ? OperState.MISCABLED
                : model.unusable().down().contains(link.end()) && !waits ? OperState.DOWN
                : model.topology().drained(link) ? OperState.DRAINED
                : tracker.isSeen(numbered) && !inDoubt ? OperState.UP : OperState.UNKNOWN;
            boolean heldBack = waits && !inDoubt;
            someUnknown |= state == OperState.UNKNOWN;
            LinkState before = links.get(link.end());
            Instant since = before != null && before.operState() == state ? before.since() : clocks.wall().instant();
            LinkState now = new LinkState(link.end(), state, since, cabling.peer(numbered, model.numbers()), heldBack)
                .with(silence(tracker, link));
            links.put(link.end(), now);
            states.add(now);
        }
        linkStates = states;
        return states;
    }
}
