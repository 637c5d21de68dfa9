package org.daqfabric.impl.controller.links;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which links of a fabric may be used, and why not the others: they are down, miscabled, not reported up yet, or up again
 * and held back. Belongs to the fabric's event loop.
 */
public final class LinkTracker {
    private static final Logger LOG = LoggerFactory.getLogger(LinkTracker.class);

    private final String fabric;
    private final EventLoop loop;
    private final InstantSource clock;
    private final Map<String, SwitchView> switches;
    private final BooleanSupplier running;
    private final Cabling cabling = new Cabling();

    /** New and undrained links of a running fabric, which carry nothing before both ends have been reported up. */
    private Set<PortId> unproven = new TreeSet<>();
    /** Links of a fabric that has not run before, while they are coming up, and when both ends were first reported. */
    private SortedMap<PortId, Instant> comingUp = new TreeMap<>();
    private LinkDampening dampening = LinkDampening.NONE;
    private Set<PortId> heldBack = Set.of();
    private Set<String> outOfReach = Set.of();
    private Set<String> cutOff = Set.of();
    private List<NumberedLink> cables = List.of();
    private Topology cachedFor;
    private PortNumbers cachedNumbers;
    /** What the last result was computed from, and until when it holds. */
    private CacheKey last;
    private Instant validUntil = Instant.MIN;

    public LinkTracker(String fabric, EventLoop loop, InstantSource clock, Map<String, SwitchView> switches,
            BooleanSupplier running) {
        this.fabric = fabric;
        this.loop = loop;
        this.clock = clock;
        this.switches = switches;
        this.running = running;
    }

    public Cabling cabling() {
        return cabling;
    }

    /** Names of links that are up and must wait before they are used again. */
    public Set<PortId> heldBack() {
        return heldBack;
    }

    public Set<PortId> unproven() {
        return unproven;
    }

    /** Whether all switches that forward are connected. */
    public boolean reachAll() {
        return outOfReach.isEmpty();
    }

    /** Switches all of whose links are down. */
    public Set<String> cutOff() {
        return cutOff;
    }

    /** Whether links whose two ends exist are just coming up. */
    public boolean areComingUp() {
        return comingUp.values().stream().anyMatch(told -> !told.equals(Instant.MAX));
    }

    /** The links with the numbers of their ports. */
    public List<NumberedLink> cables(Topology topology, PortNumbers numbers) {
        if (topology != cachedFor || numbers != cachedNumbers) {
            cables = NumberedLink.of(topology, numbers);
            cachedFor = topology;
            cachedNumbers = numbers;
        }
        return cables;
    }

    private LinkStates links(Topology topology, PortNumbers numbers) {
        return new LinkStates(cables(topology, numbers), switches);
    }

    /** Links that really carry nothing, whatever they are used for. */
    public Set<PortId> dead(Topology topology, PortNumbers numbers) {
        return links(topology, numbers).down(Set.of());
    }

    /**
     * The links that must not be used now.
     *
     * @param before the result of the last call
     * @param revision of the switches' reports
     */
    public UnusableLinks look(Topology topology, PortNumbers numbers, UnusableLinks before, long revision) {
        CacheKey key = CacheKey.of(topology, numbers, before, revision, cabling.revision(), unproven, dampening, running.getAsBoolean());
        if (!key.isSame(last) || !clock.instant().isBefore(validUntil)) {
            UnusableLinks now = look(topology, numbers, before);
            last = CacheKey.of(topology, numbers, now, revision, cabling.revision(), unproven, dampening, running.getAsBoolean());
            validUntil = validUntil(topology);
            return now;
        }
        return before;
    }

    /** Until when the result holds if nothing happens. */
    private Instant validUntil(Topology topology) {
        Instant again = dampening.validUntil(topology.spec().policy().placement().onReturn(), running.getAsBoolean(), clock.instant());
        for (Instant first : comingUp.values()) {
            Instant up = first.equals(Instant.MAX) ? first : first.plus(LinkStates.COMING_UP);
            again = up.isBefore(again) ? up : again;
        }
        return again;
    }

    private UnusableLinks look(Topology topology, PortNumbers numbers, UnusableLinks before) {
        LinkStates links = links(topology, numbers);
        outOfReach = links.outOfReach(topology);
        Set<PortId> frozen = frozen(topology);
        unproven = links.unproven(unproven, frozen);
        updateComingUp(links);
        cabling.news(cables(topology, numbers), numbers).forEach(news -> LOG.warn("fabric {}: {}", fabric, news));
        Set<PortId> down = links.down(comingUp.keySet());
        cutOff = topology.roles().keySet().stream()
            .filter(name -> topology.segments(name).stream().allMatch(segment -> down.contains(segment.id())))
            .collect(Collectors.toSet());
        Set<PortId> miscabled = cabling.lastMiscabled();
        holdBack(topology, before, down, miscabled, frozen);
        down.addAll(miscabled);
        return view(down, unproven, heldBack);
    }

    /** The links of a future configuration that must not be used, with new links that do not count yet. */
    public UnusableLinks lookAhead(Topology planned, PortNumbers numbers, Set<PortId> pending) {
        return view(unusable(planned, numbers), pending, heldBack);
    }

    /** The links of a configuration that could not be used if some of them failed. */
    public UnusableLinks without(Topology planned, PortNumbers numbers, Set<PortId> failing, Set<PortId> pending) {
        Set<PortId> down = unusable(planned, numbers);
        down.addAll(failing);
        Set<PortId> held = new TreeSet<>(heldBack);
        held.removeAll(needed(planned, held, down));
        return view(down, pending, held);
    }

    private Set<PortId> unusable(Topology planned, PortNumbers numbers) {
        Set<PortId> down = links(planned, numbers).down(comingUp.keySet());
        down.addAll(cabling.miscabled(cables(planned, numbers)));
        return down;
    }

    private static UnusableLinks view(Set<PortId> down, Set<PortId> pending, Set<PortId> held) {
        Set<PortId> unusable = new HashSet<>(down);
        unusable.addAll(pending);
        unusable.addAll(held);
        return new UnusableLinks(unusable);
    }

    /** The fabric has not run before: its links may take some seconds to come up. */
    public void begin(Topology topology) {
        comingUp = new TreeMap<>();
        topology.spec().links().forEach(link -> comingUp.put(link.end(), Instant.MAX));
    }

    /**
     * The links of a new configuration that count only when they have been seen up.
     *
     * @param running the configuration in force; null if there is none
     */
    public Set<PortId> pending(Topology planned, @Nullable Topology placed, PortNumbers numbers) {
        Set<PortId> pending = new HashSet<>(unproven);
        if (placed != null && planned != placed) {
            planned.spec().links().stream().map(Link::end).forEach(pending::add);
            placed.spec().links().stream().filter(link -> !placed.drained(link)).map(Link::end)
                .forEach(pending::remove);
            pending.addAll(unproven);
        }
        return links(planned, numbers).unproven(pending, frozen(planned));
    }

    public void adopt(Set<PortId> pending) {
        unproven = pending;
    }

    /** All links that are up again may be used at once. */
    public void release() {
        dampening = dampening.released();
    }

    private void updateComingUp(LinkStates links) {
        Set<Instant> before = new HashSet<>(comingUp.values());
        comingUp = links.comingUp(comingUp, clock.instant());
        if (!before.containsAll(comingUp.values())) {
            loop.after(LinkStates.COMING_UP, () -> { });
        }
    }

    /**
     * Links of planes in which a leaf or spine is out of reach: it may drop packets that reached it by a link taken into
     * use now.
     */
    private Set<PortId> frozen(Topology topology) {
        Set<Integer> planes = new HashSet<>();
        outOfReach.forEach(name -> plane(topology.roles().get(name)).ifPresent(planes::add));
        Set<PortId> frozen = new HashSet<>();
        for (int plane : planes) {
            // every link of a plane ends at one of its leaves
            topology.leaves(plane).values().forEach(leaf ->
                topology.segments(leaf).forEach(segment -> frozen.add(segment.id())));
        }
        return frozen;
    }

    private static Optional<Integer> plane(Role role) {
        return switch (role) {
            case Role.OfSpine spine -> Optional.of(spine.plane());
            case Role.OfLeaf leaf -> Optional.of(leaf.plane());
            case null, default -> Optional.empty();
        };
    }

    /**
     * Links that are up again wait until the policy takes them into use, and frozen ones until they are no longer frozen,
     * unless a switch has no other link.
     */
    private void holdBack(Topology topology, UnusableLinks view, Set<PortId> down, Set<PortId> miscabled,
            Set<PortId> frozen) {
        Instant now = clock.instant();
        Policy.Return policy = topology.spec().policy().placement().onReturn();
        final LinkDampening before = dampening;
        Set<PortId> existing = topology.spec().links().stream().map(Link::end).collect(Collectors.toSet());
        dampening = dampening.retaining(existing).with(down, policy, running.getAsBoolean(), now);
        Set<PortId> held = dampening.heldBack(policy, running.getAsBoolean(), now);
        dampening.up().stream().filter(frozen::contains).forEach(held::add);
        held.removeAll(unproven);
        Set<PortId> unusable = new HashSet<>(down);
        unusable.addAll(miscabled);
        // a link that is in use because it was needed once stays in use
        held.retainAll(view.down());
        Set<PortId> needed = needed(topology, held, unusable);
        if (!needed.isEmpty()) {
            LOG.warn("fabric {}: {} used at once, as nothing else leads to some switches", fabric, needed);
            held.removeAll(needed);
        }
        if (!heldBack.containsAll(held)) {
            LOG.info("fabric {}: up, but not used yet: {}", fabric, held);
        }
        heldBack = held;
        if (!dampening.equals(before)) {
            dampening.nextRelease(policy, running.getAsBoolean(), now).ifPresent(until ->
                loop.after(Duration.between(now, until).plusMillis(1), () -> { }));
        }
    }

    /** The links that must not be held back, since some switch can be reached by no other. */
    private static Set<PortId> needed(Topology topology, Set<PortId> held, Set<PortId> down) {
        Set<PortId> needed = new TreeSet<>();
        Set<PortId> without = new HashSet<>(down);
        without.addAll(held);
        int possible = held.isEmpty() ? 0 : joinedPairs(topology, down);
        if (held.isEmpty() || joinedPairs(topology, without) == possible) {
            return needed;
        }
        without = new HashSet<>(down);
        for (PortId link : held) {
            without.add(link);
            if (joinedPairs(topology, without) < possible) {
                without.remove(link);
                needed.add(link);
            }
        }
        return needed;
    }

    private static int joinedPairs(Topology topology, Set<PortId> down) {
        return new UsableFabric(topology, new UnusableLinks(down)).connectedPairs();
    }
}
