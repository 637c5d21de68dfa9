package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.rollout.MoveStages;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.memory.Knowledge;
import org.daqfabric.impl.memory.MemoryNetwork;

/**
 * Traces the packets of every pair of a ROS and a DCM before and after every single change that the controller makes.
 * No change may break a pair whose packets arrive at that moment, except:
 * <ul>
 * <li>the pair has no path over links that the configuration in force allows, that work now, and that the controller
 * knew as up when it sent the change;
 * <li>the packet used a link that the controller knew as down then;
 * <li>the packet meets a switch with a failed link that had not been reported to the controller when it sent the
 * change, or a switch that may have lost rules and had not been read since, unless ports are removed;
 * <li>the packet is lost in a switch that somebody else has changed, until it has been compared with its program;
 * <li>the packet comes through a switch out of reach, for which a switch that moves has waited long enough.
 * </ul>
 * No packet may ever loop.
 */
final class PairGuard implements MemoryNetwork.Watcher {
    /** How long a switch that moves waits for switches out of reach. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryNetwork network;
    /** With all links that there ever are, and the hosts where they are now. */
    private Topology topology;
    private final Supplier<String> log;
    private final Supplier<Instant> clock;
    private Instant configured = Instant.MIN;
    private final Map<Pair, PacketPath> paths = new LinkedHashMap<>();
    /** Switches that somebody else has changed. */
    private final Set<String> edited = new HashSet<>();
    /** Configurations whose changes may be in flight. */
    private final List<FabricSpec> inForce = new ArrayList<>();
    private long accidents = -1;
    private Set<PortId> down = Set.of();
    private PortNumbers numbers;
    private long traced;

    private record Pair(Endpoint from, Endpoint to) {
        @Override
        public String toString() {
            return from.name() + " -> " + to.name();
        }
    }

    PairGuard(World world, FabricSpec spec, Supplier<String> log) {
        network = world.network;
        clock = () -> world.now;
        this.log = log;
        topology = new Topology(spec);
        inForce.add(spec);
        addPairs();
    }

    private void addPairs() {
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                if (from.kind() != to.kind() && !from.sharesHost(to)) {
                    paths.putIfAbsent(new Pair(from, to), new PacketPath(List.of(), from.edge() + " is new"));
                }
            }
        }
    }

    void edited(String switchName) {
        edited.add(switchName);
    }

    /**
     * There is a new configuration. Hosts with another address or place in it are not watched while they change, nor
     * those of an edge switch that moves; what has a path without the leaf or spine that moves must not be interrupted.
     */
    void configured(FabricSpec spec) {
        configured = clock.get();
        Topology before = new Topology(inForce.getLast());
        Topology next = new Topology(spec);
        SortedSet<String> moving = MoveStages.moving(before, spec);
        moving.addAll(renamed(before, next));
        inForce.add(drained(inForce.getLast(), moving));
        inForce.add(spec);
        paths.keySet().removeIf(pair -> Stream.of(pair.from, pair.to).anyMatch(host -> {
            Endpoint after = next.endpoints().get(host.address());
            return after == null || !after.name().equals(host.name()) || !after.edge().equals(host.edge())
                || !key(before, host.edge()).equals(key(next, host.edge()));
        }));
        topology = new Topology(withSwitchesOf(topology.spec(), spec));
    }

    /** Switches whose bridge has another name now, as that of a spine that becomes one of another plane. */
    private static Set<String> renamed(Topology before, Topology next) {
        Set<List<String>> bridges = next.roles().keySet().stream().filter(name -> !before.roles().containsKey(name))
            .map(name -> key(next, name)).collect(Collectors.toSet());
        return before.roles().keySet().stream().filter(name -> bridges.contains(key(before, name)))
            .collect(Collectors.toSet());
    }

    private static List<String> key(Topology topology, String switchName) {
        Switch description = topology.switchOf(switchName);
        return List.of(description.systemId(), description.bridge());
    }

    private static FabricSpec drained(FabricSpec spec, Set<String> names) {
        FabricSpec all = spec;
        for (String name : names) {
            all = FabricEdits.change(all, name, each -> each.withState(AdminState.DRAINED));
        }
        return all;
    }

    /** A configuration with the spines and links of another one, too. */
    private static FabricSpec withSwitchesOf(FabricSpec spec, FabricSpec other) {
        List<Switch> switches = new ArrayList<>(spec.switches());
        other.switches().stream().filter(each -> switches.stream().noneMatch(known -> known.name()
            .equals(each.name()))).forEach(switches::add);
        List<Link> links = new ArrayList<>(spec.links());
        other.links().stream().filter(each -> links.stream().noneMatch(known -> known.end().equals(each.end())))
            .forEach(links::add);
        List<Plane> planes = spec.planes().stream().map(plane -> {
            List<Spine> spines = new ArrayList<>(plane.spines());
            other.planes().stream().filter(each -> each.id() == plane.id()).flatMap(each -> each.spines().stream())
                .filter(each -> !spines.contains(each)).forEach(spines::add);
            return new Plane(plane.id(), spines, plane.leaves());
        }).toList();
        return new FabricSpec(spec.name(), planes, spec.pods(), switches, links, spec.policy());
    }

    /** The fabric has converged to the newest configuration. */
    void settled() {
        edited.clear();
        topology = new Topology(inForce.getLast());
        paths.clear();
        addPairs();
        accidents = -1;
        inForce.subList(0, inForce.size() - 1).clear();
    }

    /** Number of packets traced. */
    long traced() {
        return traced;
    }

    @Override
    public void before() {
        if (accidents != network.accidents()) {
            accidents = network.accidents();
            down = network.down();
            numbers = network.numbers();
            Trace trace = trace();
            paths.replaceAll((pair, path) -> follow(trace, pair));
        }
    }

    @Override
    public void after(String switchName, Object change, Knowledge sentWith) {
        boolean ports = change instanceof Bridge;
        if (ports) {
            numbers = network.numbers();
        }
        Trace trace = trace();
        paths.replaceAll((pair, before) -> {
            if (!ports && !visits(before, pair, switchName)) {
                return before;
            }
            PacketPath now = follow(trace, pair);
            if (before.arrived() && !now.arrived() && !excused(pair, before, now, sentWith, ports)) {
                throw new AssertionError(pair + " broken by " + switchName + ": " + change + "\nbefore "
                    + before.switches() + "\nnow " + now.switches() + " " + now.problem()
                    + "\nsent with " + sentWith + ", down " + down + "\n" + log.get());
            }
            return now;
        });
    }

    private boolean excused(Pair pair, PacketPath before, PacketPath now, Knowledge with,
            boolean ports) {
        if (topology.spec().links().stream().filter(link -> with.down().contains(link.end()))
                .anyMatch(link -> leaves(before, link.end()) || leaves(before, link.peer()))) {
            return true;
        }
        Set<PortId> unusable = new HashSet<>(down);
        unusable.addAll(with.down());
        if (inForce.stream().anyMatch(spec -> !World.possible(spec, unusable).contains(pair.toString()))) {
            return true;
        }
        if (!clock.get().isBefore(configured.plus(PATIENCE))
                && with.away().stream().anyMatch(name -> visits(before, pair, name))) {
            return true;
        }
        Set<String> excusedSwitches = new HashSet<>(edited);
        if (!ports) {
            excusedSwitches.addAll(with.unread());
        }
        topology.spec().links().stream().filter(link -> down.contains(link.end()) && !with.down().contains(link.end()))
            .forEach(link -> {
                excusedSwitches.add(link.end().switchName());
                excusedSwitches.add(link.peer().switchName());
            });
        return excusedSwitches.stream().anyMatch(name -> visits(now, pair, name));
    }

    private Trace trace() {
        return new Trace(topology, numbers, network.programs(), down);
    }

    private PacketPath follow(Trace trace, Pair pair) {
        traced++;
        PacketPath path = trace.follow(pair.from.edge(), pair.to.address());
        if (path.problem().contains("loops")) {
            throw new AssertionError(pair + " loops: " + path.switches() + "\n" + log.get());
        }
        return path;
    }

    private static boolean leaves(PacketPath path, PortId port) {
        return path.hops().stream().anyMatch(hop -> hop.switchName().equals(port.switchName())
            && hop.outName().equals(port.port()));
    }

    private static boolean visits(PacketPath path, Pair pair, String switchName) {
        return pair.from.edge().equals(switchName)
            || path.hops().stream().anyMatch(hop -> hop.switchName().equals(switchName))
            || path.problem().startsWith(switchName + " ") || path.problem().startsWith(switchName + ":");
    }
}
