package org.daqfabric.impl.engine.place;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The least repair after links are lost: what took them takes another spine of the same plane, on which loads stay most
 * even, or where the plane does not lead to its pod any more, as after the loss of a leaf, the next plane of its route.
 * No plane of a route changes; balance between planes is left to a later placement. By DCM only a spine without a link
 * to the pod of the DCM is replaced; from other pods that lost theirs packets take the backup, as they do before any
 * repair.
 */
public final class SpineRepair {
    private final PlacementModel model;
    private final UsableFabric fabric;
    private final PodState state;
    private final SortedMap<Address, Route> routes;
    private final boolean byPod;

    /** A flow whose spine no longer joins its pods, what its packets take now, and which choice of that this is. */
    private record Lost(int flow, PlaneChoice[] taken, int at) {
        int plane() {
            return taken[at].plane();
        }
    }

    private SpineRepair(PlacementModel model, SortedMap<Address, Route> routes, boolean byPod) {
        this.model = model;
        this.routes = routes;
        this.byPod = byPod;
        fabric = model.fabric;
        state = new PodState(model);
    }

    /**
     * Repairs a placement.
     *
     * @return empty if a plane that is left leads where the routes do not have it, or other hosts need other planes
     */
    public static Optional<Placement> repair(Topology topology, UnusableLinks unusable, Placement previous) {
        UsableFabric fabric = new UsableFabric(topology, unusable);
        HostRoutes hosts = HostRoutes.of(topology, fabric, previous, Scope.REPAIR);
        if (!hosts.routes().entrySet().stream().allMatch(host -> keepsPlanes(previous, host))) {
            return Optional.empty();
        }
        SortedMap<Address, Route> routes = new TreeMap<>(previous.routes());
        routes.putAll(hosts.routes());
        boolean isEnough = new SpineRepair(PlacementModel.events(topology, fabric, hosts.loads()), routes,
            topology.spec().policy().placement().byPod()).run()
            && new SpineRepair(PlacementModel.requests(topology, fabric), routes, false).run();
        return !isEnough ? Optional.empty() : Optional.of(new Placement(ImmutableSortedMap.copyOf(routes),
            new LaneSpread(topology, fabric, routes, previous, true).lanes()));
    }

    private static boolean keepsPlanes(Placement previous, Map.Entry<Address, Route> host) {
        Route before = previous.routes().get(host.getKey());
        return before != null && before.planes().equals(host.getValue().planes());
    }

    /** Returns whether every flow has all planes that lead to its address. */
    private boolean run() {
        boolean isEnough = true;
        SortedMap<Integer, List<Lost>> lost = new TreeMap<>();
        for (int flow = 0; flow < state.routes.length; flow++) {
            if (routes.containsKey(model.addressOf(state.address(flow)))) {
                Lost found = assign(flow);
                isEnough &= state.servesAsMuch(flow, state.routes[flow]);
                if (found != null) {
                    lost.computeIfAbsent(state.address(flow), any -> new ArrayList<>()).add(found);
                }
            }
        }
        if (!isEnough) {
            return false;
        }
        for (List<Lost> flows : lost.values()) {
            while (!flows.isEmpty()) {
                Lost first = flows.get(0);
                List<Lost> together = flows.stream()
                    .filter(each -> each.plane() == first.plane() && choice(each).equals(choice(first))).toList();
                flows.removeAll(together);
                replace(together);
            }
        }
        return true;
    }

    /** Gives a flow what its packets take, and returns it if its spine is to be replaced, the first of several. */
    private @Nullable Lost assign(int flow) {
        Route route = route(flow);
        PlaneChoice[] taken = PlaneChoice.UNPLACED;
        int lost = -1;
        for (int id : route.planes()) {
            if (taken.length > 0 && state.servesAlike(flow)) {
                break;
            }
            int plane = fabric.plane(id);
            if (plane >= 0 && fabric.inPlane(plane, model.edgeOf[state.address(flow)])
                && state.servesMore(flow, plane, taken)) {
                SpineChoice choice = route.spineChoice(id);
                lost = lost < 0 && isLost(flow, plane, choice) ? taken.length : lost;
                taken = Waterfill.with(taken, new PlaneChoice(plane, spine(flow, plane, choice)));
            }
        }
        state.assign(flow, taken);
        return lost < 0 ? null : new Lost(flow, taken, lost);
    }

    private boolean isLost(int flow, int plane, SpineChoice choice) {
        int spine = fabric.spine(plane, choice.spine());
        return state.from(flow) != state.to(flow) && (byPod
            ? !fabric.joins(plane, spine, state.from(flow), state.to(flow)) : !hasLink(plane, spine, state.to(flow)));
    }

    private Route route(int flow) {
        return routes.get(model.addressOf(state.address(flow))).from(fabric.podId(state.from(flow)));
    }

    private SpineChoice choice(Lost lost) {
        return route(lost.flow()).spineChoice(fabric.planeId(lost.plane()));
    }

    /** The spine that packets of a flow take under a choice. */
    private int spine(int flow, int plane, SpineChoice choice) {
        return state.from(flow) == state.to(flow) ? PlaneChoice.NO_SPINE
            : fabric.spine(plane, state.from(flow), state.to(flow), fabric.spine(plane, choice.spine()),
                fabric.spine(plane, choice.backup()));
    }

    private boolean hasLink(int plane, int spine, int pod) {
        return spine >= 0 && !fabric.spineLinks(plane, spine, pod).isEmpty();
    }

    /** Replaces the spine of flows to one address that lost the same one: by that with which loads rise least. */
    private void replace(List<Lost> flows) {
        SpineChoice before = choice(flows.get(0));
        List<SpineChoice> choices = choices(flows, before, true);
        if (choices.isEmpty() && byPod && flows.size() > 1) {
            flows.forEach(each -> replace(List.of(each)));
            return;
        }
        double unit = Math.max(state.highestLoad(), Double.MIN_NORMAL);
        flows.forEach(each -> state.unassign(each.flow()));
        SpineChoice best = before;
        double lowest = Double.POSITIVE_INFINITY;
        for (SpineChoice choice : choices.isEmpty() ? choices(flows, before, false) : choices) {
            double rise = 0;
            for (Lost each : flows) {
                PlaneChoice[] taken = taken(each, choice);
                rise += state.riseIfAssigned(each.flow(), taken, unit);
                state.assign(each.flow(), taken);
            }
            flows.forEach(each -> state.unassign(each.flow()));
            if (RelativeLoad.below(rise, lowest)) {
                best = choice;
                lowest = rise;
            }
        }
        for (Lost each : flows) {
            state.assign(each.flow(), taken(each, best));
        }
        write(flows, before, best);
    }

    /** The spines that join the pods of all these flows, or of any, each with a backup. */
    private List<SpineChoice> choices(List<Lost> flows, SpineChoice before, boolean ofAll) {
        int plane = flows.get(0).plane();
        int to = state.to(flows.get(0).flow());
        return IntStream.range(0, fabric.spines(plane)).filter(spine -> {
            IntPredicate joins = from -> fabric.joins(plane, spine, from, to);
            IntStream pods = flows.stream().mapToInt(each -> state.from(each.flow()));
            return ofAll ? pods.allMatch(joins) : pods.anyMatch(joins);
        }).mapToObj(spine -> new SpineChoice(fabric.spineId(plane, spine), backup(plane, spine, to, before))).toList();
    }

    /** The backup as before, unless that is the spine itself or lost: then the next spine with a link to the pod. */
    private int backup(int plane, int spine, int to, SpineChoice before) {
        int count = fabric.spines(plane);
        return IntStream.concat(IntStream.of(fabric.spine(plane, before.backup())),
            IntStream.range(1, count).map(step -> (spine + step) % count))
            .filter(other -> other != spine && hasLink(plane, other, to)).map(other -> fabric.spineId(plane, other))
            .findFirst().orElse(SpineChoice.NONE.backup());
    }

    private PlaneChoice[] taken(Lost lost, SpineChoice choice) {
        PlaneChoice[] taken = lost.taken().clone();
        taken[lost.at()] = new PlaneChoice(lost.plane(), spine(lost.flow(), lost.plane(), choice));
        return taken;
    }

    /** Changes the route from the pods of these flows; that of the address if none can take the spine any more. */
    private void write(List<Lost> flows, SpineChoice before, SpineChoice choice) {
        int plane = flows.get(0).plane();
        int id = fabric.planeId(plane);
        int flow = flows.get(0).flow();
        Address address = model.addressOf(state.address(flow));
        Route old = routes.get(address);
        Route common = old.spineChoice(id).equals(before)
            && !hasLink(plane, fabric.spine(plane, before.spine()), state.to(flow)) ? with(old, id, choice)
                : old.withPods(Collections.emptySortedMap());
        SortedMap<Integer, Route> fromPods = new TreeMap<>(old.fromPods());
        flows.forEach(each -> {
            int pod = fabric.podId(state.from(each.flow()));
            fromPods.put(pod, with(old.from(pod), id, choice));
        });
        fromPods.values().removeIf(common::equals);
        routes.put(address, common.withPods(fromPods));
    }

    private static Route with(Route route, int plane, SpineChoice choice) {
        SortedMap<Integer, SpineChoice> spines = new TreeMap<>(route.spines());
        spines.put(plane, choice);
        return new Route(route.planes(), spines);
    }
}
