package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A placement by pod while it is made: the active route of every flow, and the load of every link under these routes. A
 * flow is what the sources of one pod send to one address, without what its own node sends; it is numbered
 * {@code address * pods + pod}. Its spine joins the two pods, so none is partial. Of a flow within a pod the spine has
 * no meaning and is {@link PlaneChoice#NO_SPINE}.
 */
final class PodState {
    final PlacementModel model;
    final int pods;
    /** By flow: its active route; {@link PlaneChoice#UNPLACED} if there are no sources or none has a path. */
    final PlaneChoice[][] routes;
    /** By link as numbered in the model. */
    private final double[] load;
    /** [from pod][edge switch]: what the flows there have in common, shared by those alike in pods and planes. */
    private final Kind[][] kinds;

    /** The links of the newest trace, each once for every group of sources, and what the flow adds to its load. */
    private int traced;
    private final int[] tracedLink;
    private final double[] tracedLoad;

    PodState(PlacementModel model) {
        this.model = model;
        pods = model.fabric.pods();
        routes = new PlaneChoice[model.addresses.size() * pods][];
        Arrays.fill(routes, PlaneChoice.UNPLACED);
        load = new double[model.links()];
        tracedLink = new int[PlacementState.LINK_KINDS * Math.max(1, model.groups)];
        tracedLoad = new double[tracedLink.length];
        kinds = new Kind[pods][model.fabric.edges()];
        findKinds();
    }

    /**
     * What flows have in common.
     *
     * @param senders the groups that send by a link, and the weight of those that any option leads from
     * @param options the planes and spines that lead from any sender, and by plane whether there are some in it
     * @param alike whether the planes of all options serve the same senders
     */
    private record Kind(int[] senders, double weight, PlaneChoice[] options, boolean[] planes, boolean alike) {
    }

    private void findKinds() {
        Map<List<Object>, Kind> shared = new HashMap<>();
        for (int address = 0; address < model.edgeOf.length; address++) {
            int edge = model.edgeOf[address];
            if (kinds[0][edge] == null) {
                int own = model.ownGroup[address];
                int to = model.podOf[address];
                List<Integer> planes = IntStream.range(0, model.fabric.planes())
                    .filter(plane -> model.fabric.inPlane(plane, edge)).boxed().toList();
                for (int pod = 0; pod < pods; pod++) {
                    int from = pod;
                    kinds[pod][edge] = shared.computeIfAbsent(List.of(from, from == to ? own : -1, to, planes),
                        key -> kind(from, to, own, planes));
                }
            }
        }
    }

    private Kind kind(int from, int to, int own, List<Integer> planes) {
        int[] senders = IntStream.range(0, model.groups)
            .filter(group -> model.podOfGroup[group] == from && group != own).toArray();
        PlaneChoice[] options = options(from, to, senders, planes);
        int[] used = Arrays.stream(options).mapToInt(PlaneChoice::plane).distinct().toArray();
        boolean[] inPlane = new boolean[model.fabric.planes()];
        IntStream.of(used).forEach(plane -> inPlane[plane] = true);
        double weight = IntStream.of(senders)
            .filter(group -> IntStream.of(used).anyMatch(plane -> model.serves(plane, group, to)))
            .mapToDouble(group -> model.weightOfGroup[group]).sum();
        return new Kind(senders, weight, options, inPlane, IntStream.of(senders).allMatch(group -> IntStream.of(used)
                .mapToObj(plane -> model.serves(plane, group, to)).distinct().count() <= 1));
    }

    private PlaneChoice[] options(int from, int to, int[] senders, List<Integer> planes) {
        List<PlaneChoice> found = new ArrayList<>();
        for (int plane : planes) {
            boolean serves = IntStream.of(senders).anyMatch(group -> model.serves(plane, group, to));
            if (serves && from == to) {
                found.add(new PlaneChoice(plane, PlaneChoice.NO_SPINE));
            } else if (serves) {
                IntStream.range(0, model.fabric.spines(plane))
                    .filter(spine -> model.fabric.joins(plane, spine, from, to))
                    .forEach(spine -> found.add(new PlaneChoice(plane, spine)));
            }
        }
        return found.toArray(PlaneChoice[]::new);
    }

    int address(int flow) {
        return flow / pods;
    }

    int from(int flow) {
        return flow % pods;
    }

    int to(int flow) {
        return model.podOf[flow / pods];
    }

    private Kind kind(int flow) {
        return kinds[from(flow)][model.edgeOf[address(flow)]];
    }

    /** The weight of the sources of a flow that any option leads from. */
    double weightOf(int flow) {
        return kind(flow).weight();
    }

    /** The planes and spines that lead from any source of the flow to its address. */
    PlaneChoice[] options(int flow) {
        return kind(flow).options();
    }

    /** Whether a plane and spine are one of the options; within a pod any spine. */
    boolean isOption(int flow, int plane, int spine) {
        return kind(flow).planes()[plane]
            && (from(flow) == to(flow) || model.fabric.joins(plane, spine, from(flow), to(flow)));
    }

    /** Whether the planes of all options serve the same sources, so that one plane is all that a flow needs. */
    boolean servesAlike(int flow) {
        return kind(flow).alike();
    }

    /** The higher relative load of a spine's links to the pods of an unassigned flow, if all of it took the spine. */
    double spineLoad(int flow, PlaneChoice option) {
        double added = model.weightOf[address(flow)] * weightOf(flow);
        int links = model.spineLinks(option.plane(), option.spine());
        int down = PlacementModel.downlink(links, to(flow));
        int up = PlacementModel.uplink(links, from(flow));
        return Math.max((load[down] + added) * model.inverseCapacity[down],
            (load[up] + added) * model.inverseCapacity[up]);
    }

    /** Whether a plane serves sources of the flow that a route does not serve. */
    boolean servesMore(int flow, int plane, PlaneChoice[] route) {
        for (int group : kind(flow).senders()) {
            if (model.serves(plane, group, to(flow)) && model.servingChoice(group, to(flow), route) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a route serves all sources of the flow that any option serves. */
    boolean servesAsMuch(int flow, PlaneChoice[] route) {
        boolean[] planes = kind(flow).planes();
        return IntStream.range(0, planes.length).noneMatch(plane -> planes[plane] && servesMore(flow, plane, route));
    }

    void assign(int flow, PlaneChoice[] route) {
        routes[flow] = route;
        change(flow, route, 1);
    }

    /** Takes the route from a flow and returns it. */
    PlaneChoice[] unassign(int flow) {
        PlaneChoice[] route = routes[flow];
        routes[flow] = PlaneChoice.UNPLACED;
        change(flow, route, -1);
        return route;
    }

    private void change(int flow, PlaneChoice[] route, int sign) {
        trace(flow, route);
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] += sign * tracedLoad[i];
        }
    }

    /** Lists the links that a route uses. */
    private void trace(int flow, PlaneChoice[] route) {
        traced = 0;
        if (route.length == 0) {
            return;
        }
        int address = address(flow);
        int from = from(flow);
        int to = to(flow);
        double weight = model.weightOf[address];
        for (int group : kind(flow).senders()) {
            int at = route.length == 1 && model.serves(route[0].plane(), group, to) ? 0
                : model.servingChoice(group, to, route);
            if (at >= 0) {
                int plane = route[at].plane();
                double product = weight * model.weightOfGroup[group];
                add(model.edgeDownlink(plane, model.edgeOf[address]), product);
                add(model.sourceUplink(plane, group), weight);
                if (from != to) {
                    int links = model.spineLinks(plane, route[at].spine());
                    add(PlacementModel.downlink(links, to), product);
                    add(PlacementModel.uplink(links, from), product);
                }
            }
        }
    }

    private void add(int link, double added) {
        tracedLink[traced] = link;
        tracedLoad[traced++] = added;
    }

    boolean uses(int flow, int link) {
        trace(flow, routes[flow]);
        for (int i = 0; i < traced; i++) {
            if (tracedLink[i] == link) {
                return true;
            }
        }
        return false;
    }

    /** The highest relative load on a route if an unassigned flow were assigned it. */
    double highestIfAssigned(int flow, PlaneChoice[] route) {
        change(flow, route, 1);
        double highest = 0;
        for (int i = 0; i < traced; i++) {
            highest = Math.max(highest, relativeLoad(tracedLink[i]));
        }
        change(flow, route, -1);
        return highest;
    }

    /**
     * By how much the {@link #unevenness} of all links would rise if an unassigned flow were assigned a route.
     *
     * @param unit the relative load that counts as 1
     */
    double riseIfAssigned(int flow, PlaneChoice[] route, double unit) {
        trace(flow, route);
        double rise = 0;
        for (int i = 0; i < traced; i++) {
            double before = relativeLoad(tracedLink[i]);
            load[tracedLink[i]] += tracedLoad[i];
            rise += unevenness(relativeLoad(tracedLink[i]) / unit) - unevenness(before / unit);
        }
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] -= tracedLoad[i];
        }
        return rise;
    }

    /** What a link contributes to the unevenness: a power so high that the fullest links count most, by far. */
    static double unevenness(double relative) {
        double second = relative * relative;
        double fourth = second * second;
        double eighth = fourth * fourth;
        double sixteenth = eighth * eighth;
        return sixteenth * sixteenth;
    }

    double relativeLoad(int link) {
        return load[link] * model.inverseCapacity[link];
    }

    /** The highest relative load of all links: what a placement minimises. */
    double highestLoad() {
        double highest = 0;
        for (int link = 0; link < load.length; link++) {
            highest = Math.max(highest, relativeLoad(link));
        }
        return highest;
    }

    /** The links whose relative load is at least the limit, fullest first. */
    List<Integer> linksAtLeast(double limit) {
        return IntStream.range(0, load.length).filter(link -> relativeLoad(link) >= limit).boxed()
            .sorted((one, other) -> Double.compare(relativeLoad(other), relativeLoad(one))).toList();
    }
}
