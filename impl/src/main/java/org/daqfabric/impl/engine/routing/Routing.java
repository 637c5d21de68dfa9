package org.daqfabric.impl.engine.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The paths of packets under a placement: the one definition of them, from which programs and loads are computed.
 *
 * <p>An edge switch sends a packet into the first plane of the address's route that leads there, the leaf in that plane
 * to the first spine, and every switch by the first lane. Each list below holds what is usable, most preferred first.
 */
public final class Routing {
    private final Topology topology;
    private final Placement placement;
    private final UnusableLinks unusable;
    private final UsableFabric fabric;

    public Routing(Topology topology, UnusableLinks unusable, Placement placement) {
        this(topology, unusable, placement, new UsableFabric(topology, unusable));
    }

    public Routing(Topology topology, UnusableLinks unusable, Placement placement, UsableFabric fabric) {
        this.topology = topology;
        this.unusable = unusable;
        this.placement = placement;
        this.fabric = fabric;
    }

    /** Ids of the planes by which an edge switch reaches an address. */
    public List<Integer> planes(String edge, Address address) {
        Route route = placement.routes().get(address);
        if (route == null) {
            return List.of();
        }
        int from = fabric.edge(edge);
        int to = fabric.edge(topology.addresses().get(address).edge());
        List<Integer> order = route.from(fabric.podId(fabric.podOfEdge(from))).planes();
        List<Integer> planes = new ArrayList<>(order.size());
        for (int id : order) {
            int plane = fabric.plane(id);
            if (plane >= 0 && fabric.connects(plane, from, to)) {
                planes.add(id);
            }
        }
        return planes;
    }

    /** The plane into which an edge switch sends an address's packets; empty if there is no path. */
    public Optional<Integer> plane(String edge, Address address) {
        return planes(edge, address).stream().findFirst();
    }

    /** Ids of the spines by which a pod's leaf reaches the address's leaf; empty in the address's own pod. */
    public List<Integer> spines(int plane, int fromPod, Address address) {
        int in = fabric.plane(plane);
        int from = fabric.pod(fromPod);
        int to = fabric.pod(topology.addresses().get(address).pod());
        if (from == to) {
            return List.of();
        }
        Route route = placement.routes().get(address);
        SpineChoice choice = route == null ? SpineChoice.NONE : route.from(fromPod).spineChoice(plane);
        int preferred = fabric.spine(in, choice.spine());
        int backup = fabric.spine(in, choice.backup());
        int count = fabric.spines(in);
        List<Integer> spines = new ArrayList<>(count);
        if (fabric.joins(in, preferred, from, to)) {
            spines.add(choice.spine());
        }
        if (backup != preferred && fabric.joins(in, backup, from, to)) {
            spines.add(choice.backup());
        }
        for (int step = 1; step <= count; step++) {
            int spine = (Math.max(preferred, -1) + step) % count;
            if (spine != preferred && spine != backup && fabric.joins(in, spine, from, to)) {
                spines.add(fabric.spineId(in, spine));
            }
        }
        return spines;
    }

    /**
     * The spine to which a pod's leaf sends an address's packets; empty if none leads there, or in the address's pod.
     */
    public Optional<Integer> spine(int plane, int fromPod, Address address) {
        return spines(plane, fromPod, address).stream().findFirst();
    }

    /** The usable parallel links between a switch and the one above it. */
    public List<Segment> lanes(String lower, String upper) {
        return topology.usable(lower, upper, unusable);
    }

    /** The usable parallel links between a switch and the one above it, for an address's packets. */
    public List<Segment> lanes(String lower, String upper, Address address) {
        List<Segment> usable = topology.usable(lower, upper, unusable);
        if (usable.size() < 2) {
            return usable;
        }
        int chosen = Lanes.chosen(placement, new Bundle(lower, upper), usable, address);
        List<Segment> lanes = new ArrayList<>(usable.subList(chosen, usable.size()));
        lanes.addAll(usable.subList(0, chosen));
        return lanes;
    }

    /** The parallel link an address's packets take between a switch and the one above it; empty if none is usable. */
    public Optional<Segment> lane(String lower, String upper, Address address) {
        return lanes(lower, upper, address).stream().findFirst();
    }
}
