package org.daqfabric.impl.engine.proof;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.compile.TurnBackMark;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;

/**
 * The paths by which every direction of every link is proven.
 *
 * @param chains the paths of the packets that are sent all the time: together they take every direction that some
 *     packet can take, in few packets
 * @param direct for each direction a path that begins with it, through no daqring if there is one
 */
public record ProofPlan(List<ProofPath> chains, SortedMap<LinkDirection, ProofPath> direct) {
    public static final ProofPlan NONE = new ProofPlan(List.of(), Collections.emptySortedMap());

    public ProofPlan {
        chains = List.copyOf(chains);
        direct = Collections.unmodifiableSortedMap(new TreeMap<>(direct));
    }

    /**
     * Makes a plan from the programs that switches have.
     *
     * @param unusable links that are not used, and are not proven
     * @param silent those among them that are only silent, which are proven to be used again
     */
    public static ProofPlan of(Topology topology, PortNumbers numbers, Map<String, Program> programs,
            UnusableLinks unusable, Set<PortId> silent) {
        return new Builder(topology, numbers, programs, unusable, silent).plan();
    }

    /** Makes one plan. */
    private static final class Builder {
        private final Topology topology;
        private final PortNumbers numbers;
        private final Set<PortId> silent;
        private final UnusableLinks unusable;
        private final Trace trace;
        private final SortedMap<PortId, LinkDirection> directions = new TreeMap<>();
        /** How many chains take each direction, by the port out. */
        private final Map<PortId, Integer> taken = new HashMap<>();
        /** How many chains end at each address. */
        private final Map<Address, Integer> ends = new HashMap<>();
        private final List<ProofPath> chains = new ArrayList<>();
        private final SortedMap<LinkDirection, ProofPath> direct = new TreeMap<>();

        Builder(Topology topology, PortNumbers numbers, Map<String, Program> programs, UnusableLinks unusable,
                Set<PortId> silent) {
            this.topology = topology;
            this.numbers = numbers;
            this.unusable = unusable;
            this.silent = silent;
            trace = new Trace(topology, numbers, programs, unusable.down());
            for (String name : topology.roles().keySet()) {
                topology.segments(name).stream()
                    .filter(each -> topology.usable(each, unusable) || silent.contains(each.id()))
                    .forEach(each -> add(each));
            }
        }

        private void add(Segment segment) {
            int lower = numbers.of(segment.lower()).orElse(0);
            int upper = numbers.of(segment.upper()).orElse(0);
            if (lower > 0 && upper > 0) {
                directions.put(segment.lower(),
                    new LinkDirection(segment.id(), segment.lower(), lower, segment.upper(), upper));
                directions.put(segment.upper(),
                    new LinkDirection(segment.id(), segment.upper(), upper, segment.lower(), lower));
            }
        }

        ProofPlan plan() {
            for (LinkDirection each : directions.values()) {
                direct(each).ifPresent(path -> direct.put(each, path));
            }
            for (LinkDirection each : directions.values()) {
                if (isUplink(each) && !silent.contains(each.link())) {
                    acrossSpine(each).ifPresent(this::take);
                }
            }
            for (LinkDirection each : directions.values()) {
                if (!taken.containsKey(each.out()) && !silent.contains(each.link()) && direct.containsKey(each)) {
                    take(direct.get(each));
                }
            }
            return new ProofPlan(chains, direct);
        }

        private void take(ProofPath path) {
            chains.add(path);
            path.directions().forEach(each -> taken.merge(each.out(), 1, Integer::sum));
            ends.merge(path.destination(), 1, Integer::sum);
        }

        private boolean isUplink(LinkDirection direction) {
            return topology.edges().containsKey(direction.out().switchName());
        }

        /** The path from an edge switch over the spine, leaf and edge switch that fewest chains have come by. */
        private Optional<ProofPath> acrossSpine(LinkDirection up) {
            String leaf = up.in().switchName();
            return leastTaken(leaf, true).flatMap(toSpine -> leastTaken(toSpine.in().switchName(), false, leaf)
                .flatMap(toLeaf -> leastTaken(toLeaf.in().switchName(), false)
                    .flatMap(toEdge -> host(toEdge.in().switchName()).flatMap(host -> path(up,
                        TurnBackMark.to(topology.mark(leaf), topology.mark(toSpine.in().switchName())), host)))));
        }

        /** The direction out of a switch, upwards or downwards, that fewest chains take; not to those switches. */
        private Optional<LinkDirection> leastTaken(String from, boolean upwards, String... not) {
            return topology.segments(from).stream()
                .filter(each -> topology.usable(each, unusable))
                .filter(each -> each.lower().switchName().equals(from) == upwards)
                .map(each -> directions.get(each.at(from))).filter(Objects::nonNull)
                .filter(each -> !List.of(not).contains(each.in().switchName()))
                .filter(each -> upwards || !topology.edges().containsKey(each.in().switchName())
                    || host(each.in().switchName()).isPresent())
                .min(Comparator.<LinkDirection>comparingInt(each -> taken.getOrDefault(each.out(), 0))
                    .thenComparing(Comparator.naturalOrder()));
        }

        /** An address behind an edge switch, rather one that has no daqring, at which fewest chains end. */
        private Optional<Address> host(String edge) {
            return topology.edges().getOrDefault(edge, List.of()).stream()
                .min(Comparator.comparing(Endpoint::isDcm).thenComparing(each -> ends.getOrDefault(each.address(), 0))
                    .thenComparing(Endpoint::address)).map(Endpoint::address);
        }

        /** A path that begins with a direction, to the nearest host; rather through no daqring. */
        private Optional<ProofPath> direct(LinkDirection first) {
            Mac mac = topology.mac(first.out().switchName());
            ProofPath through = null;
            // they end at different switches: none of them is at fault for all
            List<String> edges = new ArrayList<>(nearest(first));
            Collections.rotate(edges, -(int) edges.stream()
                .filter(each -> each.compareTo(first.out().switchName()) < 0).count());
            for (String edge : edges) {
                Optional<ProofPath> path = host(edge).flatMap(host -> path(first, mac, host));
                if (path.isPresent() && !path.get().throughRing()) {
                    return path;
                }
                through = through == null ? path.orElse(null) : through;
            }
            return Optional.ofNullable(through);
        }

        /** The edge switches that may come after a direction; a few will do. */
        private Set<String> nearest(LinkDirection first) {
            String at = first.in().switchName();
            Set<String> edges = new TreeSet<>();
            if (topology.edges().containsKey(at)) {
                edges.add(at);
                return edges;
            }
            for (Segment below : down(at)) {
                String next = below.lower().switchName();
                if (next.equals(first.out().switchName())) {
                    continue;
                }
                if (topology.edges().containsKey(next)) {
                    edges.add(next);
                } else {
                    down(next).forEach(each -> edges.add(each.lower().switchName()));
                }
            }
            return edges;
        }

        private List<Segment> down(String at) {
            return topology.segments(at).stream()
                .filter(each -> each.upper().switchName().equals(at) && topology.usable(each, unusable)).toList();
        }

        private Optional<ProofPath> path(LinkDirection first, Mac mac, Address destination) {
            PacketPath found = trace.follow(first.in().switchName(), first.inNumber(), mac, destination);
            if (!found.arrived()) {
                return Optional.empty();
            }
            List<LinkDirection> way = new ArrayList<>(List.of(first));
            boolean throughRing = false;
            for (PacketPath.Hop hop : found.hops()) {
                throughRing |= PortAllocator.isRing(hop.outPort());
                LinkDirection next = directions.get(new PortId(hop.switchName(), hop.outName()));
                if (next != null) {
                    way.add(next);
                }
            }
            return Optional.of(new ProofPath(way, destination, mac, throughRing));
        }
    }
}
