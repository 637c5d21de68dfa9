package org.daqfabric.impl.controller.links;

import com.google.common.collect.Sets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which links of a fabric may be used, and why the others may not: they are down, miscabled, not yet
 * reported up, or up again and held back. Belongs to the fabric's event loop.
 */
public final class LinkTracker {
    private static final Logger LOG = LoggerFactory.getLogger(LinkTracker.class);

    private final String fabric;
    private final EventLoop loop;
    private final InstantSource clock;
    private final Map<String, SwitchView> switches;
    private final BooleanSupplier runInProgress;
    private final Cabling cabling;

    /** New and undrained links of a running fabric; they carry nothing until both ends have been reported up. */
    private Set<PortId> unproven = new TreeSet<>();
    /** Links of a fabric that has not run before, while they are coming up, and when both ends were first reported. */
    private SortedMap<PortId, Instant> comingUp = new TreeMap<>();
    /** Links that a loop before this one did not use, until they are reported. */
    private Set<PortId> lastUnusable = Set.of();
    private LinkDampening dampening = LinkDampening.NONE;
    /** Links that must wait again though they are in use. */
    private Set<PortId> postponed = Set.of();
    private HeldLinks held = HeldLinks.NONE;
    /** What carries no packets of ours. */
    private SilentParts silent = SilentParts.NONE;
    /** The links with such a direction that are up. */
    private Set<PortId> silentLinks = Set.of();
    /** The links that lose packets, and are used only if they are needed. */
    private Set<PortId> lossy = Set.of();
    private final HeldLinksLog heldLog;
    private Set<String> outOfReach = Set.of();
    private final Doubt doubt;
    private Set<String> cutOff = Set.of();
    private List<NumberedLink> links = List.of();
    private @Nullable Topology linksOf;
    private @Nullable PortNumbers linksNumberedBy;
    /** What the last result was computed from, and until when it holds. */
    private @Nullable CacheKey last;
    private Instant validUntil = Instant.MIN;

    /**
     * Creates a tracker for a fabric without configuration.
     *
     * @param switches the reports of the switches, which the caller keeps up to date
     */
    public LinkTracker(String fabric, EventLoop loop, InstantSource clock, Map<String, SwitchView> switches,
            BooleanSupplier runInProgress) {
        this.fabric = fabric;
        doubt = new Doubt(fabric, switches);
        cabling = new Cabling(clock);
        heldLog = new HeldLinksLog(fabric, clock);
        this.loop = loop;
        this.clock = clock;
        this.switches = switches;
        this.runInProgress = runInProgress;
    }

    public Cabling cabling() {
        return cabling;
    }

    /** Links that are up and must not be used yet. */
    public Set<PortId> heldBack() {
        return held.all();
    }

    /** From now on no packets pass by these parts; the ones before do not count any more. */
    public void silent(SilentParts now) {
        silent = now;
    }

    /** These lose packets from now on, and are used only if they are needed; those that lose none now, as if failed. */
    public void lossy(Set<PortId> now, Set<PortId> clean) {
        dampening = dampening.failedAgain(clean, clock.instant());
        lossy = Set.copyOf(now);
    }

    public Set<PortId> lossy() {
        return lossy;
    }

    /** The links that are up and carry no packets. */
    public Set<PortId> silentLinks() {
        return silentLinks;
    }

    /** The ports of a link from which no packets arrive, though it is up. */
    public Set<PortId> silentPorts(PortId link) {
        return !silentLinks.contains(link) ? Set.of()
            : silent.directions().stream().filter(each -> each.link().equals(link))
            .map(LinkDirection::out).collect(Collectors.toCollection(TreeSet::new));
    }

    /** New and undrained links that have not been reported up at both ends. */
    public Set<PortId> unproven() {
        return unproven;
    }

    /** Whether all switches that forward are connected. */
    public boolean reachesAll() {
        return reachesAllBut(Set.of());
    }

    /** The same of all switches but those. */
    public boolean reachesAllBut(Set<String> those) {
        return those.containsAll(outOfReach);
    }

    /** The switches that may hold no rules. */
    public Doubt doubt() {
        return doubt;
    }

    /** These switches were in doubt when another controller was active. */
    public void restoreDoubt(Set<String> names) {
        doubt.restore(names);
        last = null;
    }

    /** Switches all of whose links are down. */
    public Set<String> cutOff() {
        return cutOff;
    }

    /** Whether some link whose two ends exist is just coming up. */
    public boolean areComingUp() {
        return comingUp.values().stream().anyMatch(reported -> !reported.equals(Instant.MAX));
    }

    /** The links with the numbers of their ports. */
    public List<NumberedLink> links(Topology topology, PortNumbers numbers) {
        if (topology != linksOf || numbers != linksNumberedBy) {
            links = NumberedLink.of(topology, numbers);
            linksOf = topology;
            linksNumberedBy = numbers;
        }
        return links;
    }

    /** Whether an end of a link has been reported since the controller started. */
    public boolean isSeen(NumberedLink link) {
        return view(link.end()).isSeen(link.end().port(), link.number())
            || view(link.peer()).isSeen(link.peer().port(), link.peerNumber());
    }

    private SwitchView view(PortId port) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNKNOWN);
    }

    private LinkStates states(Topology topology, PortNumbers numbers) {
        return new LinkStates(links(topology, numbers), switches);
    }

    /** Links that carry no packets, whether or not they would be used. */
    public Set<PortId> dead(Topology topology, PortNumbers numbers) {
        Set<PortId> dead = states(topology, numbers).down(Set.of());
        dead.addAll(silentAmong(dead));
        return dead;
    }

    /**
     * The links that must not be used now.
     *
     * @param before the result of the last call
     * @param revision revision of the switches' reports
     */
    public UnusableLinks evaluate(Topology topology, PortNumbers numbers, UnusableLinks before, long revision) {
        CacheKey key = key(topology, numbers, before, revision);
        if (!key.isSame(last) || !clock.instant().isBefore(validUntil)) {
            UnusableLinks now = compute(topology, numbers, before);
            last = key(topology, numbers, now, revision);
            validUntil = validUntil(topology);
            return now;
        }
        return before;
    }

    private CacheKey key(Topology topology, PortNumbers numbers, UnusableLinks result, long revision) {
        return CacheKey.of(topology, numbers, result, revision, cabling.revision(), silent, unproven, dampening, lossy,
            runInProgress.getAsBoolean());
    }

    /** Until when the result is valid if no event arrives. */
    private Instant validUntil(Topology topology) {
        Policy.Return policy = topology.spec().policy().placement().onReturn();
        Instant until = dampening.validUntil(policy, runInProgress.getAsBoolean(), clock.instant());
        for (Instant reported : comingUp.values()) {
            Instant end = reported.equals(Instant.MAX) ? reported : reported.plus(LinkStates.COMING_UP);
            until = end.isBefore(until) ? end : until;
        }
        return until;
    }

    private UnusableLinks compute(Topology topology, PortNumbers numbers, UnusableLinks before) {
        LinkStates states = states(topology, numbers);
        outOfReach = states.outOfReach(topology);
        doubt.update(topology, states.fallen(comingUp.keySet()), silent.mute());
        SortedMap<String, Set<PortId>> blocked = BlockedLinks.of(topology, outOfReach);
        unproven = states.unproven(unproven, joined(blocked));
        updateComingUp(states);
        cabling.newFindings(links(topology, numbers), numbers).forEach(each -> LOG.warn("fabric {}: {}", fabric, each));
        lastUnusable = states.unreported(lastUnusable);
        Set<PortId> down = states.down(comingUp.keySet());
        down.addAll(lastUnusable);
        down.addAll(cabling.awaiting(topology.spec().policy().protection().bfd() ? List.of()
            : links(topology, numbers), down));
        silentLinks = silentAmong(down);
        down.addAll(silentLinks);
        cutOff = topology.roles().keySet().stream()
            .filter(name -> topology.segments(name).stream().allMatch(segment -> down.contains(segment.id())))
            .collect(Collectors.toSet());
        Set<PortId> miscabled = cabling.lastMiscabled();
        holdBack(topology, before, down, miscabled, blocked);
        down.addAll(miscabled);
        return union(down, unproven, held.all());
    }

    /** The silent links that would be up but for that. */
    private Set<PortId> silentAmong(Set<PortId> down) {
        return silent.directions().stream().map(LinkDirection::link).filter(link -> !down.contains(link))
            .collect(Collectors.toSet());
    }

    /**
     * The links that must not be used under a future configuration.
     *
     * @param pending its links that are not proven yet
     */
    public UnusableLinks unusableUnder(Topology planned, PortNumbers numbers, Set<PortId> pending) {
        return union(downOrMiscabled(planned, numbers), pending, held.all());
    }

    /** The same, if some links failed. */
    public UnusableLinks unusableWithout(Topology planned, PortNumbers numbers, Set<PortId> failing,
            Set<PortId> pending) {
        Set<PortId> down = downOrMiscabled(planned, numbers);
        down.addAll(failing);
        Set<PortId> left = held.all();
        left.removeAll(HeldLinks.needed(planned, left, down));
        return union(down, pending, left);
    }

    private Set<PortId> downOrMiscabled(Topology planned, PortNumbers numbers) {
        LinkStates states = states(planned, numbers);
        Set<PortId> down = states.down(comingUp.keySet());
        down.addAll(states.unreported(lastUnusable));
        down.addAll(silentAmong(down));
        down.addAll(cabling.awaited());
        down.addAll(cabling.miscabled(links(planned, numbers)));
        return down;
    }

    private static UnusableLinks union(Set<PortId> down, Set<PortId> pending, Set<PortId> held) {
        return new UnusableLinks(Sets.union(Sets.union(down, pending), held));
    }

    /**
     * A loop before this one did not use these links. They are not used before they are reported, for such reports may
     * be lost: whatever ended that loop may go on.
     */
    public void continueFrom(UnusableLinks left) {
        lastUnusable = left.down();
    }

    /**
     * What the next loop is to continue from: this one may not have come to determine any links.
     *
     * @param unusable the last result
     */
    public UnusableLinks leave(UnusableLinks unusable) {
        return union(unusable.down(), lastUnusable, Set.of());
    }

    /** The fabric has not run before: its links may take some seconds to come up. */
    public void expectComingUp(Topology topology) {
        comingUp = new TreeMap<>();
        topology.spec().links().forEach(link -> comingUp.put(link.end(), Instant.MAX));
    }

    /**
     * The links of a new configuration that are not used until they have been reported up, such as one whose port leads
     * to another switch now.
     *
     * @param inForce the configuration in force; null if there is none
     * @param moved the switches that have reported another bridge than they have in the new configuration
     */
    public Set<PortId> pending(Topology planned, @Nullable Topology inForce, Set<String> moved, PortNumbers numbers) {
        Set<PortId> pending = new HashSet<>(unproven);
        if (inForce != null && planned != inForce) {
            Map<PortId, PortId> peers = new HashMap<>();
            inForce.spec().links().stream().filter(link -> !inForce.drained(link))
                .forEach(link -> peers.put(link.end(), link.peer()));
            planned.spec().links().stream().filter(link -> !link.peer().equals(peers.get(link.end())))
                .map(Link::end).forEach(pending::add);
        }
        Set<PortId> unproved = states(planned, numbers).unproven(pending, joined(BlockedLinks.of(planned, outOfReach)));
        if (inForce != null && planned != inForce) {
            // what the switches have reported of these links is of other bridges
            planned.spec().links().stream()
                .filter(link -> moved.contains(link.end().switchName()) || moved.contains(link.peer().switchName()))
                .map(Link::end).forEach(unproved::add);
        }
        return unproved;
    }

    /** A new configuration is in force: these links are unproven. */
    public void adopt(Set<PortId> pending) {
        unproven = pending;
    }

    /** All links that are up again may be used at once. */
    public void release() {
        dampening = dampening.released();
    }

    /**
     * These links came back into use, and the switch at an end of each does not take the rules for it: they wait, as
     * after another failure, but for those without which some switch has no path.
     */
    public void postpone(Set<PortId> names) {
        postponed = Set.copyOf(names);
        dampening = dampening.failedAgain(names, clock.instant());
    }

    private void updateComingUp(LinkStates states) {
        Set<Instant> before = new HashSet<>(comingUp.values());
        comingUp = states.comingUp(comingUp, clock.instant());
        if (!before.containsAll(comingUp.values())) {
            loop.after(LinkStates.COMING_UP, () -> { });
        }
    }

    private static Set<PortId> joined(SortedMap<String, Set<PortId>> blocked) {
        return blocked.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /**
     * Holds back links that are up again until the policy allows their use, and blocked ones until they are no longer
     * blocked, unless a switch has no other link.
     */
    private void holdBack(Topology topology, UnusableLinks unusableBefore, Set<PortId> down, Set<PortId> miscabled,
            SortedMap<String, Set<PortId>> blocked) {
        Instant now = clock.instant();
        Policy.Return policy = topology.spec().policy().placement().onReturn();
        final LinkDampening before = dampening;
        Set<PortId> existing = topology.spec().links().stream().map(Link::end).collect(Collectors.toSet());
        Set<PortId> unusable = Set.copyOf(Sets.union(down, miscabled));
        dampening = dampening.retaining(existing).with(unusable, policy, runInProgress.getAsBoolean(), now);
        Set<PortId> candidates = dampening.heldBack(policy, runInProgress.getAsBoolean(), now);
        dampening.up().stream().filter(joined(blocked)::contains).forEach(candidates::add);
        // a link in use stays in use, unless it is in use only because it was needed
        candidates.removeIf(link -> !unusableBefore.down().contains(link) && !postponed.contains(link)
            && !held.usedAtOnce().contains(link));
        candidates.removeAll(held.avoided());
        Set<PortId> doubted = doubt.linksInPlanes(topology);
        candidates.addAll(Sets.union(doubted, lossy));
        candidates.retainAll(existing);
        candidates.removeAll(Sets.union(unproven, unusable));
        final HeldLinks heldBefore = held;
        held = held.next(topology, candidates, doubted, unusable, blocked);
        heldLog.changed(heldBefore, held);
        if (!dampening.equals(before) || !postponed.isEmpty()) {
            dampening.nextRelease(policy, runInProgress.getAsBoolean(), now).ifPresent(until ->
                loop.after(Duration.between(now, until).plusMillis(1), () -> { }));
        }
        postponed = Set.of();
    }
}
