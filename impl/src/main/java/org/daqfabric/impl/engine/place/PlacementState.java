package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * A placement while it is made: the active route of every address, and the load of every link under these routes. A
 * load is the sum of address weight times source weight over the pairs that use the link; divided by the capacity it is
 * the relative load: the inverse of the event rate at which the link is full.
 *
 * <p>Changing and judging a route share {@link #trace}, which lists the links of a route with what the address adds to
 * each. {@link #loadsIfChosen} gives the same loads without a trace for the innermost loop of {@link Waterfill}, where
 * hundreds of spines are compared for one address: {@link #preparePlane} computes what they have in common once.
 */
final class PlacementState {
    /** The kinds of link a route uses; loads are compared as one number per kind. */
    static final int LINK_KINDS = 4;
    private static final int EDGE_DOWNLINK = 0;
    private static final int SPINE_DOWNLINK = 1;
    private static final int SPINE_UPLINK = 2;
    private static final int SOURCE_UPLINK = 3;

    final PlacementModel model;
    /** The active route of each address. */
    final PlaneChoice[][] routes;
    /** By link as numbered in the model. */
    private final double[] load;
    /** [plane][spine], number of addresses whose first choice it is. */
    private final int[][] primaries;
    private long unassignments;

    /** The newest trace: so many links, and of each its kind and what the address adds to its load. */
    private int traced;
    private final int[] tracedKind;
    private final int[] tracedLink;
    private final double[] tracedLoad;

    /** What {@link #preparePlane} was called with and computed. */
    private int preparedAddress;
    private int preparedPod;
    private PlaneChoice[] preparedRoute;
    private PlaneSupply preparedSupply;
    private double preparedSourceLoad;
    private double preparedEdgeLoad;
    private final double[] preparedLoads = new double[LINK_KINDS];

    PlacementState(PlacementModel model) {
        this.model = model;
        routes = new PlaneChoice[model.addresses.size()][];
        Arrays.fill(routes, PlaneChoice.UNPLACED);
        load = new double[model.links()];
        tracedKind = new int[LINK_KINDS * Math.max(1, model.groups)];
        tracedLink = new int[tracedKind.length];
        tracedLoad = new double[tracedKind.length];
        primaries = new int[model.fabric.planes()][];
        for (int plane = 0; plane < primaries.length; plane++) {
            primaries[plane] = new int[model.fabric.spines(plane)];
        }
    }

    void assign(int address, PlaneChoice[] route) {
        routes[address] = route;
        change(address, route, 1);
    }

    /** Takes the route from an address and returns it. */
    PlaneChoice[] unassign(int address) {
        PlaneChoice[] route = routes[address];
        routes[address] = PlaneChoice.UNPLACED;
        if (route.length > 0) {
            change(address, route, -1);
            unassignments++;
        }
        return route;
    }

    private void change(int address, PlaneChoice[] route, int sign) {
        trace(address, route, 0);
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] += sign * tracedLoad[i];
        }
        if (route.length > 0 && route[0].spine() >= 0) {
            primaries[route[0].plane()][route[0].spine()] += sign;
        }
    }

    /** Number of unassignments so far: as long as it stays the same, no load has fallen. */
    long unassignments() {
        return unassignments;
    }

    /** Number of addresses whose first choice this is. */
    int primaryCount(PlaneChoice choice) {
        return choice.spine() < 0 ? 0 : primaries[choice.plane()][choice.spine()];
    }

    /** Lists the links that a route uses from one choice on. A link may be listed once per group of sources. */
    private void trace(int address, PlaneChoice[] route, int from) {
        int pod = model.podOf[address];
        traced = 0;
        if (from == 0 && route.length == 1 && model.isComplete(route[0], pod)) {
            traceComplete(address, route[0]);
            return;
        }
        double weight = model.weightOf[address];
        for (int group = 0; group < model.groups; group++) {
            int at = group == model.ownGroup[address] ? -1 : model.servingChoice(group, pod, route);
            if (at < from) {
                continue;
            }
            PlaneChoice choice = route[at];
            int plane = choice.plane();
            double product = weight * model.weightOfGroup[group];
            add(EDGE_DOWNLINK, model.edgeDownlink(plane, model.edgeOf[address]), product);
            add(SOURCE_UPLINK, model.sourceUplink(plane, group), weight);
            int sourcePod = model.podOfGroup[group];
            if (sourcePod != pod) {
                int spine = model.fabric.spine(plane, sourcePod, pod, choice.spine(), choice.backup());
                add(SPINE_DOWNLINK, model.spineDownlink(plane, spine, pod), product);
                add(SPINE_UPLINK, model.spineUplink(plane, spine, sourcePod), product);
            }
        }
    }

    /** The short form for most routes: one complete choice, whose loads are known per plane and pod. */
    private void traceComplete(int address, PlaneChoice choice) {
        int plane = choice.plane();
        int pod = model.podOf[address];
        double weight = model.weightOf[address];
        PlaneSupply supply = model.supply(plane, pod);
        add(EDGE_DOWNLINK, model.edgeDownlink(plane, model.edgeOf[address]),
            weight * (supply.total() - model.ownWeight(address)));
        int own = model.ownUplink(address, plane);
        for (int uplink : supply.sourceUplinks()) {
            if (uplink != own) {
                add(SOURCE_UPLINK, uplink, weight);
            }
        }
        int[] otherPods = supply.otherPods();
        if (otherPods.length > 0) {
            add(SPINE_DOWNLINK, model.spineDownlink(plane, choice.spine(), pod), weight * supply.fromOtherPods());
            for (int i = 0; i < otherPods.length; i++) {
                add(SPINE_UPLINK, model.spineUplink(plane, choice.spine(), otherPods[i]),
                    weight * supply.podWeights()[i]);
            }
        }
    }

    private void add(int kind, int link, double added) {
        tracedKind[traced] = kind;
        tracedLink[traced] = link;
        tracedLoad[traced++] = added;
    }

    /**
     * The relative loads on a route from one choice on if an unassigned address were assigned it: of each kind of link
     * the highest, highest first.
     */
    double[] loadsIfAssigned(int address, PlaneChoice[] route, int from) {
        double[] loads = new double[LINK_KINDS];
        trace(address, route, from);
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] += tracedLoad[i];
        }
        for (int i = 0; i < traced; i++) {
            loads[tracedKind[i]] = Math.max(loads[tracedKind[i]], relativeLoad(tracedLink[i]));
        }
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] -= tracedLoad[i];
        }
        RelativeLoad.sort(loads);
        return loads;
    }

    /**
     * Prepares {@link #loadsIfChosen} for the choices of one plane: computes the loads that do not depend on the spine.
     *
     * @param route what the address has been given so far; only sources that it does not serve count
     */
    void preparePlane(int address, PlaneChoice[] route, int plane) {
        preparedAddress = address;
        preparedPod = model.podOf[address];
        preparedRoute = route;
        preparedSupply = route.length == 0 ? model.supply(plane, preparedPod)
            : PlaneSupply.of(model, plane, preparedPod, group -> model.servingChoice(group, preparedPod, route) < 0);
        double weight = model.weightOf[address];
        double sourceLoad = 0;
        int own = model.ownUplink(address, plane);
        for (int uplink : preparedSupply.sourceUplinks()) {
            sourceLoad = Math.max(sourceLoad, uplink == own ? 0 : (load[uplink] + weight)
                * model.inverseCapacity[uplink]);
        }
        // a node is in the plane of the first choice of its addresses, so this is the only one that could serve it
        double brought = preparedSupply.total() - (route.length == 0 ? model.ownWeight(address) : 0);
        int downlink = model.edgeDownlink(plane, model.edgeOf[address]);
        preparedSourceLoad = sourceLoad;
        preparedEdgeLoad = (load[downlink] + weight * brought) * model.inverseCapacity[downlink];
    }

    /**
     * The same as {@link #loadsIfAssigned} for a choice in the prepared plane after the prepared route.
     *
     * @return valid until the next call
     */
    double[] loadsIfChosen(PlaneChoice choice) {
        if (!model.isComplete(choice, preparedPod)) {
            return loadsIfAssigned(preparedAddress, Waterfill.with(preparedRoute, choice), preparedRoute.length);
        }
        preparedLoads[0] = preparedSourceLoad;
        preparedLoads[1] = preparedEdgeLoad;
        int spineLinks = model.spineLinks(choice.plane(), choice.spine());
        preparedLoads[2] = spineUplinkLoad(spineLinks);
        preparedLoads[3] = spineDownlinkLoad(spineLinks);
        RelativeLoad.sort(preparedLoads);
        return preparedLoads;
    }

    /**
     * The relative load of the link from a spine of the prepared plane to the leaf of the prepared address, with it.
     *
     * @param spineLinks {@link PlacementModel#spineLinks} of the spine; ignored if all sources are in the address's pod
     */
    double spineDownlinkLoad(int spineLinks) {
        if (preparedSupply.otherPods().length == 0) {
            return 0;
        }
        int link = PlacementModel.downlink(spineLinks, preparedPod);
        return (load[link] + model.weightOf[preparedAddress] * preparedSupply.fromOtherPods())
            * model.inverseCapacity[link];
    }

    /** Likewise the highest relative load of the links from leaves with sources to the spine. */
    double spineUplinkLoad(int spineLinks) {
        double highest = 0;
        double weight = model.weightOf[preparedAddress];
        int[] otherPods = preparedSupply.otherPods();
        for (int i = 0; i < otherPods.length; i++) {
            int link = PlacementModel.uplink(spineLinks, otherPods[i]);
            highest = Math.max(highest,
                (load[link] + weight * preparedSupply.podWeights()[i]) * model.inverseCapacity[link]);
        }
        return highest;
    }

    /**
     * By how much the sum of the squares of all relative loads, a measure of unevenness, would change.
     *
     * @param sign 1 if the address were assigned the route, -1 if the route were taken from it
     */
    double squaredLoadChange(int address, PlaneChoice[] route, int sign) {
        trace(address, route, 0);
        double change = 0;
        for (int i = 0; i < traced; i++) {
            double before = relativeLoad(tracedLink[i]);
            load[tracedLink[i]] += sign * tracedLoad[i];
            double after = relativeLoad(tracedLink[i]);
            change += after * after - before * before;
        }
        for (int i = 0; i < traced; i++) {
            load[tracedLink[i]] -= sign * tracedLoad[i];
        }
        return change;
    }

    boolean uses(int address, int link) {
        trace(address, routes[address], 0);
        for (int i = 0; i < traced; i++) {
            if (tracedLink[i] == link) {
                return true;
            }
        }
        return false;
    }

    /** The links of an address's route whose relative load is at least the limit, within rounding. */
    Set<Integer> linksAtLeast(int address, double limit) {
        trace(address, routes[address], 0);
        Set<Integer> links = new TreeSet<>();
        for (int i = 0; i < traced; i++) {
            if (!RelativeLoad.below(relativeLoad(tracedLink[i]), limit)) {
                links.add(tracedLink[i]);
            }
        }
        return links;
    }

    /** The first of all links whose relative load is at least the limit, within rounding; -1 if none is. */
    int firstLinkAtLeast(double limit) {
        for (int link = 0; link < load.length; link++) {
            if (!RelativeLoad.below(relativeLoad(link), limit)) {
                return link;
            }
        }
        return -1;
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

    /** Number of addresses with a partial choice. */
    int partialRoutes() {
        int count = 0;
        for (int address = 0; address < routes.length; address++) {
            for (PlaneChoice choice : routes[address]) {
                if (!model.isComplete(choice, model.podOf[address])) {
                    count++;
                    break;
                }
            }
        }
        return count;
    }
}
