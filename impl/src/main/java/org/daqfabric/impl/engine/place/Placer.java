package org.daqfabric.impl.engine.place;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Places every address of a fabric (thesis 6.2.2 and 6.2.4). Its objectives in this order: fewest addresses without a
 * path; lowest highest relative link load; fewest moved DCMs, moves within the plane first; lowest load after any
 * single failure; ties by name. The description of the package says which class serves which objective.
 */
public final class Placer {
    private Placer() {
    }

    /**
     * Places what may move.
     *
     * @param unusable links that the placement must not use
     * @param previous the placement in force, {@link Placement#EMPTY} if there is none: then everything is placed
     * @return a placement in which every pair of a ROS and a DCM with a physical path has one; the same for the same
     *     arguments, and {@code previous} itself in content if nothing is to be gained or repaired
     */
    public static Placement place(Topology topology, UnusableLinks unusable, Placement previous, Scope scope) {
        UsableFabric fabric = new UsableFabric(topology, unusable);
        HostRoutes hosts = HostRoutes.of(topology, fabric, previous, scope);
        PlacementModel model = PlacementModel.events(topology, fabric, hosts.loads());
        return complete(topology, fabric, topology.spec().policy().placement().byPod()
            ? new PodSolver(model, previous.routes(), scope).routes()
            : routes(topology, model, wholeRoutes(previous), scope), hosts, previous, scope);
    }

    /**
     * Places in scope {@link Scope#OPTIMISE}, but moves a limited number of DCMs; the moves that gain most come first.
     * If the limit is reached, all other DCMs are only repaired.
     */
    public static Placement place(Topology topology, UnusableLinks unusable, Placement previous, int maxMoves) {
        UsableFabric fabric = new UsableFabric(topology, unusable);
        HostRoutes hosts = HostRoutes.of(topology, fabric, previous, Scope.REPAIR);
        PlacementModel model = PlacementModel.events(topology, fabric, hosts.loads());
        if (topology.spec().policy().placement().byPod()) {
            PodState state = new PodSolver(model, previous.routes(), Scope.REPAIR).solve();
            PodMoves limited =
                new PodMoves(state, new PodSolver(model, previous.routes(), Scope.OPTIMISE).solve());
            if (limited.moves() <= maxMoves) {
                return place(topology, unusable, previous, Scope.OPTIMISE);
            }
            limited.run(maxMoves);
            return complete(topology, fabric, PodRoutes.of(state, previous.routes(), true), hosts, previous,
                Scope.REPAIR);
        }
        PreviousPlacement before = new PreviousPlacement(model, wholeRoutes(previous));
        PlacementState state = activeRoutes(topology, model, before, Scope.REPAIR);
        LimitedMoves limited = new LimitedMoves(state, activeRoutes(topology, model, before, Scope.OPTIMISE));
        if (limited.moves() <= maxMoves) {
            return place(topology, unusable, previous, Scope.OPTIMISE);
        }
        limited.run(maxMoves);
        return complete(topology, fabric, new StandbyRoutes(state, before, true).routes(), hosts, previous,
            Scope.REPAIR);
    }

    /**
     * A highest relative load of a link that no placement by pod is below: what must be carried, in whole flows.
     *
     * @param unusable links that a placement must not use
     */
    public static double leastLoadByPod(Topology topology, UnusableLinks unusable) {
        UsableFabric fabric = new UsableFabric(topology, unusable);
        PlacementModel model = PlacementModel.events(topology, fabric,
            HostRoutes.of(topology, fabric, Placement.EMPTY, Scope.OPTIMISE).loads());
        return PodBound.of(new PodState(model), new LowerBound(model));
    }

    /** Adds to the routes of the event traffic those of the other hosts and of the requests to the ROS, and lanes. */
    private static Placement complete(Topology topology, UsableFabric fabric, List<Map.Entry<Address, Route>> events,
            HostRoutes hosts, Placement previous, Scope scope) {
        List<Map.Entry<Address, Route>> all = new ArrayList<>(events);
        hosts.addTo(all);
        all.addAll(routes(topology, PlacementModel.requests(topology, fabric), wholeRoutes(previous), scope));
        if (!previous.routes().isEmpty()) {
            all.replaceAll(each -> Map.entry(each.getKey(),
                withUnreachableSpines(topology, each.getValue(), previous.routes().get(each.getKey()))));
        }
        SortedMap<Address, Route> routes = ImmutableSortedMap.copyOf(all);
        Placement placement = new Placement(routes,
            new LaneSpread(topology, fabric, routes, previous, scope == Scope.REPAIR).lanes());
        return topology.spec().policy().rules() == Policy.Rules.COMPRESSED
            ? PrefixNeighbours.together(topology, placement, previous) : placement;
    }

    /**
     * How a repair places the DCMs, without requests and, unless lanes depend on them, without standby routes. It
     * is enough to report loads and moves, in a fraction of the time.
     */
    public static Placement outline(Topology topology, UnusableLinks unusable, Placement previous) {
        UsableFabric fabric = new UsableFabric(topology, unusable);
        if (topology.spec().policy().placement().byPod()) {
            return place(topology, unusable, previous, Scope.REPAIR);
        }
        HostRoutes hosts = HostRoutes.of(topology, fabric, previous, Scope.REPAIR);
        PlacementModel model = PlacementModel.events(topology, fabric, hosts.loads());
        PreviousPlacement before = new PreviousPlacement(model, wholeRoutes(previous));
        PlacementState state = activeRoutes(topology, model, before, Scope.REPAIR);
        List<Map.Entry<Address, Route>> all =
            new ArrayList<>(new RouteTable(model, state.routes, before.placed).routes());
        hosts.addTo(all);
        SortedMap<Address, Route> routes = ImmutableSortedMap.copyOf(all);
        Placement outline = new Placement(routes, new LaneSpread(topology, fabric, routes, previous, true).lanes());
        // where an address uses several planes or a backup at once, its lanes depend on the whole route
        boolean dependsOnStandby = !outline.lanes().isEmpty() && Arrays.stream(state.routes)
            .anyMatch(route -> route.length > 1 || route.length == 1 && route[0].backup() != PlaneChoice.NO_SPINE);
        return dependsOnStandby ? place(topology, unusable, previous, Scope.REPAIR) : outline;
    }

    /** Keeps the spines of planes that are out of reach, so that rules there stay until the planes are back. */
    private static Route withUnreachableSpines(Topology topology, Route route, Route before) {
        if (before == null || route.spines().keySet().containsAll(before.spines().keySet())) {
            return route;
        }
        SortedMap<Integer, SpineChoice> spines = new TreeMap<>(route.spines());
        before.spines().forEach((plane, choice) -> {
            if (!spines.containsKey(plane) && topology.planes().contains(plane)
                && topology.spines(plane).containsKey(choice.spine())) {
                spines.put(plane, choice);
            }
        });
        SortedMap<Integer, Route> fromPods = new TreeMap<>();
        route.fromPods().forEach((pod, other) ->
            fromPods.put(pod, withUnreachableSpines(topology, other, before.from(pod))));
        return new Route(route.planes(), spines, fromPods);
    }

    /** The previous routes without those of packets from some pods, which a change of the policy leaves behind. */
    private static Map<Address, Route> wholeRoutes(Placement previous) {
        if (previous.routes().values().stream().allMatch(route -> route.fromPods().isEmpty())) {
            return previous.routes();
        }
        SortedMap<Address, Route> routes = new TreeMap<>();
        previous.routes().forEach((address, route) -> routes.put(address,
            route.withPods(Collections.emptySortedMap())));
        return routes;
    }

    private static List<Map.Entry<Address, Route>> routes(Topology topology, PlacementModel model,
            Map<Address, Route> previous, Scope scope) {
        PreviousPlacement before = new PreviousPlacement(model, previous);
        return new StandbyRoutes(activeRoutes(topology, model, before, scope), before, scope == Scope.REPAIR).routes();
    }

    private static PlacementState activeRoutes(Topology topology, PlacementModel model, PreviousPlacement before,
            Scope scope) {
        return topology.spec().policy().placement().algorithm() == Policy.Algorithm.ROUND_ROBIN
            ? new RoundRobin(model, RoundRobin.BY_RACK, RoundRobin.BY_PLANE).solve(before, scope)
            : new Solver(model, before, scope, new LowerBound(model)).solve();
    }
}
