package org.daqfabric.impl.engine.place;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Places every address of a fabric (thesis 6.2.2 and 6.2.4). In this order it seeks the fewest addresses without a
 * path, the lowest highest relative link load, the fewest moved DCMs, moves within the plane first, and the lowest load
 * after any single failure; ties go by name.
 */
public final class Placer {
    private Placer() {
    }

    /**
     * Places what may move.
     *
     * @param previous the placement in force, {@link Placement#EMPTY} if there is none: then everything is placed
     * @return a placement in which every pair of a ROS and a DCM with a physical path has one; the same for the same
     *     arguments, and {@code previous} itself in content if nothing is to be gained or repaired
     */
    public static Placement place(Topology topology, UnusableLinks view, Placement previous, Scope scope) {
        UsableFabric fabric = new UsableFabric(topology, view);
        return whole(topology, fabric, routes(topology, PlacementModel.events(topology, fabric), previous, scope), previous,
            scope);
    }

    /**
     * Places anew what gains by it, but moves so many DCMs at most, those first that gain most. If that is fewer than
     * would move, all else stays where it is.
     */
    public static Placement place(Topology topology, UnusableLinks view, Placement previous, int mostMoves) {
        UsableFabric fabric = new UsableFabric(topology, view);
        PlacementModel problem = PlacementModel.events(topology, fabric);
        PreviousPlacement before = new PreviousPlacement(problem, previous.routes());
        PlacementState loading = loading(topology, problem, before, Scope.REPAIR);
        LimitedMoves limited = new LimitedMoves(loading, loading(topology, problem, before, Scope.OPTIMISE));
        if (limited.moves() <= mostMoves) {
            return place(topology, view, previous, Scope.OPTIMISE);
        }
        limited.run(mostMoves);
        return whole(topology, fabric, new StandbyRoutes(loading, before, true).routes(), previous, Scope.REPAIR);
    }

    /** With the requests to the ROS, and parallel links chosen. */
    private static Placement whole(Topology topology, UsableFabric fabric, List<Map.Entry<Ipv4, Route>> events,
            Placement previous, Scope scope) {
        List<Map.Entry<Ipv4, Route>> all = new ArrayList<>(events);
        all.addAll(routes(topology, PlacementModel.requests(topology, fabric), previous, scope));
        if (!previous.routes().isEmpty()) {
            all.replaceAll(each -> Map.entry(each.getKey(),
                remembering(topology, each.getValue(), previous.routes().get(each.getKey()))));
        }
        SortedMap<Ipv4, Route> routes = ImmutableSortedMap.copyOf(all);
        Placement placement = new Placement(routes,
            new LaneSpread(topology, fabric, routes, previous, scope == Scope.REPAIR).lanes());
        return topology.spec().policy().rules() == Policy.Rules.COMPRESSED
            ? PrefixNeighbours.together(topology, placement, previous) : placement;
    }

    /**
     * How a repair places the DCMs; if that can be told without it, not what is for the failure after it: enough to tell
     * loads and moves, and had in a fraction of the time.
     */
    public static Placement outline(Topology topology, UnusableLinks view, Placement previous) {
        UsableFabric fabric = new UsableFabric(topology, view);
        PlacementModel problem = PlacementModel.events(topology, fabric);
        PreviousPlacement before = new PreviousPlacement(problem, previous.routes());
        PlacementState loading = loading(topology, problem, before, Scope.REPAIR);
        SortedMap<Ipv4, Route> routes =
            ImmutableSortedMap.copyOf(new RouteTable(problem, loading.ways, before.routes).routes());
        Placement outline = new Placement(routes, new LaneSpread(topology, fabric, routes, previous, true).lanes());
        // where addresses use more than one way at once, parallel links are shared out among these and those held ready
        boolean shared = !outline.lanes().isEmpty() && Arrays.stream(loading.ways)
            .anyMatch(way -> way.length > 1 || way.length == 1 && way[0].backup() != RouteTable.NONE);
        return shared ? place(topology, view, previous, Scope.REPAIR) : outline;
    }

    /** Keeps the spines of planes that are out of reach, so that rules there stay as they are until they are back. */
    private static Route remembering(Topology topology, Route route, Route before) {
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
        return new Route(route.planes(), spines);
    }

    private static List<Map.Entry<Ipv4, Route>> routes(Topology topology, PlacementModel problem, Placement previous, Scope scope) {
        PreviousPlacement before = new PreviousPlacement(problem, previous.routes());
        return new StandbyRoutes(loading(topology, problem, before, scope), before, scope == Scope.REPAIR).routes();
    }

    private static PlacementState loading(Topology topology, PlacementModel problem, PreviousPlacement before, Scope scope) {
        return topology.spec().policy().placement().algorithm() == Policy.Algorithm.ROUND_ROBIN
            ? new RoundRobin(problem, RoundRobin.BY_RACK, RoundRobin.BY_PLANE).solve(before, scope)
            : new Solver(problem, before, scope).solve();
    }
}
