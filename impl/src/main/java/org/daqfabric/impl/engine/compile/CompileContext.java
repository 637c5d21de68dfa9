package org.daqfabric.impl.engine.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * What all switches of a fabric are compiled from. Immutable except for the rules, ids and edge programs that it
 * shares between switches; those caches are thread-safe and change no result.
 */
final class CompileContext {
    final Topology topology;
    final UnusableLinks unusable;
    final Placement placement;
    final PortNumbers numbers;
    final UsableFabric fabric;
    final Routing routing;
    final boolean fastFailover;
    /** Whether any two switches of the fabric are joined by several links. */
    final boolean parallelLinks;
    /** Whether the switches of ROS have rules for prefixes. */
    final boolean prefixRules;
    /** Those of packets to the addresses of the fabric; of IPv4 if it has none yet. */
    final List<Integer> etherTypes;
    final RuleInterner interner;
    final SharedEdgePrograms edgePrograms = new SharedEdgePrograms();
    /** By the index of the address; null for an address without a route. */
    private final @Nullable Route[] routes;
    /** By plane id, then by the index of the address: the interned number of the spine choice. */
    private final Map<Integer, int[]> spineChoices = new HashMap<>();
    /** Indexes of the addresses with routes for packets from some pods. */
    private final int[] byPod;

    CompileContext(Topology topology, UnusableLinks unusable, Placement placement, PortNumbers numbers) {
        this(topology, unusable, placement, numbers, new RuleInterner(topology), null);
    }

    private CompileContext(Topology topology, UnusableLinks unusable, Placement placement, PortNumbers numbers,
            RuleInterner interner, @Nullable CompileContext before) {
        this.topology = topology;
        this.unusable = unusable;
        this.placement = placement;
        this.numbers = numbers;
        this.interner = interner;
        routes = interner.hosts().stream().map(host -> placement.routes().get(host.endpoint().address()))
            .toArray(Route[]::new);
        byPod = IntStream.range(0, routes.length)
            .filter(host -> routes[host] != null && !routes[host].fromPods().isEmpty()).toArray();
        fabric = new UsableFabric(topology, unusable);
        routing = new Routing(topology, unusable, placement, fabric);
        fastFailover = topology.spec().policy().protection().fastFailover();
        parallelLinks = topology.hasParallelLinks();
        prefixRules = topology.spec().policy().rules() == Policy.Rules.COMPRESSED;
        // those of IPv4 come first
        etherTypes = topology.addresses().isEmpty() ? List.of(Match.IPV4)
            : Stream.of(topology.addresses().firstKey(), topology.addresses().lastKey()).map(Match::etherType)
                .distinct().toList();
        for (int plane : topology.planes()) {
            spineChoices.put(plane, spineChoices(plane, before));
        }
    }

    /** The context after a change that leaves the topology as it is; it shares the interned rules and ids. */
    CompileContext next(UnusableLinks nextUnusable, Placement nextPlacement, PortNumbers nextNumbers) {
        return new CompileContext(topology, nextUnusable, nextPlacement, nextNumbers, interner, this);
    }

    /** Copies the choices of addresses whose route is the same object as before. */
    private int[] spineChoices(int plane, @Nullable CompileContext before) {
        int[] chosen = new int[routes.length];
        for (int host = 0; host < chosen.length; host++) {
            chosen[host] = before != null && routes[host] == before.routes[host] ? before.spineChoices.get(plane)[host]
                : interner.number(spineChoice(plane, routes[host]));
        }
        return chosen;
    }

    /** The route of an address for packets from a pod; null if the address has none. */
    @Nullable Route route(RuleInterner.Host host, int fromPod) {
        Route route = routes[host.index()];
        return route == null ? null : route.from(fromPod);
    }

    /** The spines of a plane that carry an address's packets from a pod; 0 and 0 for an address without a route. */
    SpineChoice spineChoice(int plane, int fromPod, RuleInterner.Host host) {
        return spineChoice(plane, route(host, fromPod));
    }

    /** Whether packets from some pod take a route of their own to some address. */
    boolean isByPod() {
        return byPod.length > 0;
    }

    private static SpineChoice spineChoice(int plane, @Nullable Route route) {
        return route == null ? SpineChoice.NONE : route.spineChoice(plane);
    }

    /** The interned numbers of the spine choices of a plane for packets from a pod, by the index of the address. */
    int[] spineChoices(int plane, int fromPod) {
        int[] chosen = spineChoices.get(plane);
        if (!isByPod()) {
            return chosen;
        }
        int[] fromThere = chosen.clone();
        for (int host : byPod) {
            fromThere[host] = interner.number(spineChoice(plane, routes[host].from(fromPod)));
        }
        return fromThere;
    }

    /** The lane of an address; empty where the two switches have a single link, which needs no choice. */
    Optional<PortId> lane(String lower, String upper, Address address) {
        return topology.between(lower, upper).size() > 1 ? routing.lane(lower, upper, address).map(Segment::id)
            : Optional.empty();
    }
}
