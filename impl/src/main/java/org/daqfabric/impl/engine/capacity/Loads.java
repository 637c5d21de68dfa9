package org.daqfabric.impl.engine.capacity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.routing.Lanes;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The event traffic on every link in each direction, found by following the fragments of every ROS to every DCM. A load
 * is the sum of fragment weight times DCM weight over the pairs whose packets use the link; those of one node use none.
 * The flows of other hosts add to it, see {@link FlowLoads}.
 */
public final class Loads {
    private static final double EPSILON = 1e-9;

    private final UsableFabric fabric;
    private final Placement placement;
    private final List<RosGroup> groups;
    /** [plane][edge switch][lane], up from ROS and down to racks. */
    private final double[][][] fromEdges;
    private final double[][][] toEdges;
    /** [plane][spine][pod][lane], from leaf to spine and from spine to leaf. */
    private final double[][][][] upLoads;
    private final double[][][][] downLoads;
    /** [group][plane], weight of the DCMs to which the group sends by the plane; 0 for groups with parallel links. */
    private final double[][] dcmWeights;
    /** By DCM: number of ROS that reach it. */
    private final SortedMap<Address, Integer> reachable = new TreeMap<>();
    private double delivered;
    private final List<LinkLoad> links = new ArrayList<>();

    private Loads(Topology topology, UnusableLinks unusable, UsableFabric fabric, Placement placement) {
        this.fabric = fabric;
        this.placement = placement;
        groups = RosGroup.of(topology, fabric);
        fromEdges = new double[fabric.planes()][fabric.edges()][];
        toEdges = new double[fabric.planes()][fabric.edges()][];
        upLoads = new double[fabric.planes()][][][];
        downLoads = new double[fabric.planes()][][][];
        dcmWeights = new double[groups.size()][fabric.planes()];
        for (int plane = 0; plane < fabric.planes(); plane++) {
            for (int edge = 0; edge < fabric.edges(); edge++) {
                fromEdges[plane][edge] = new double[fabric.edgeLinks(plane, edge).size()];
                toEdges[plane][edge] = new double[fabric.edgeLinks(plane, edge).size()];
            }
            upLoads[plane] = new double[fabric.spines(plane)][fabric.pods()][];
            downLoads[plane] = new double[fabric.spines(plane)][fabric.pods()][];
            for (int spine = 0; spine < fabric.spines(plane); spine++) {
                for (int pod = 0; pod < fabric.pods(); pod++) {
                    upLoads[plane][spine][pod] = new double[fabric.spineLinks(plane, spine, pod).size()];
                    downLoads[plane][spine][pod] = new double[fabric.spineLinks(plane, spine, pod).size()];
                }
            }
        }
        topology.endpoints().values().stream().filter(Endpoint::isDcm).forEach(this::follow);
        addRosUplinks();
        collect(topology);
        if (!topology.others().isEmpty()) {
            FlowLoads flows = FlowLoads.of(topology, unusable, fabric, placement, delivered);
            links.replaceAll(flows::addedTo);
            links.addAll(flows.onOtherLinks(links));
        }
    }

    /** The loads of a placement with some links unusable, whether or not it was made for these. */
    public static Loads of(Topology topology, UnusableLinks unusable, Placement placement) {
        return new Loads(topology, unusable, new UsableFabric(topology, unusable), placement);
    }

    /** Adds the traffic from all ROS to a DCM. */
    private void follow(Endpoint dcm) {
        Route route = placement.routes().get(dcm.address());
        int reached = 0;
        if (route != null) {
            Route routeBefore = null;
            int[] planes = {};
            for (int group = 0; group < groups.size(); group++) {
                Route ofGroup = route.from(fabric.podId(groups.get(group).pod()));
                if (ofGroup != routeBefore) {
                    planes = ofGroup.planes().stream().mapToInt(fabric::plane).toArray();
                    routeBefore = ofGroup;
                }
                int at = usedPlane(planes, groups.get(group), fabric.edge(dcm.edge()));
                if (at >= 0) {
                    addTraffic(group, dcm, planes[at], ofGroup.spineChoice(ofGroup.planes().get(at)));
                    reached += groups.get(group).edges().length;
                }
            }
        }
        reachable.put(dcm.address(), reached);
    }

    /** Position of the first of some planes that leads from a group to an edge switch, -1 if none does. */
    private int usedPlane(int[] planes, RosGroup group, int edge) {
        for (int at = 0; at < planes.length; at++) {
            if (planes[at] >= 0 && fabric.connects(planes[at], group.edges()[0], edge)) {
                return at;
            }
        }
        return -1;
    }

    private void addTraffic(int group, Endpoint dcm, int plane, SpineChoice choice) {
        RosGroup ros = groups.get(group);
        int edge = fabric.edge(dcm.edge());
        double load = ros.weight() * dcm.weight();
        delivered += load;
        if (ros.edges()[0] == edge) {
            return;
        }
        int pod = fabric.podOfEdge(edge);
        Address address = dcm.address();
        if (fabric.edgeLinks(plane, ros.edges()[0]).size() == 1) {
            dcmWeights[group][plane] += dcm.weight();
        } else {
            add(fromEdges[plane][ros.edges()[0]], fabric.edgeLinks(plane, ros.edges()[0]), address, load);
        }
        if (ros.pod() != pod) {
            int spine = fabric.spine(plane, ros.pod(), pod, fabric.spine(plane, choice.spine()),
                fabric.spine(plane, choice.backup()));
            add(upLoads[plane][spine][ros.pod()], fabric.spineLinks(plane, spine, ros.pod()), address, load);
            add(downLoads[plane][spine][pod], fabric.spineLinks(plane, spine, pod), address, load);
        }
        add(toEdges[plane][edge], fabric.edgeLinks(plane, edge), address, load);
    }

    private void add(double[] loads, List<Segment> lanes, Address address, double load) {
        int lane = lanes.size() == 1 ? 0 : Lanes.chosen(placement,
            new Bundle(lanes.get(0).lower().switchName(), lanes.get(0).upper().switchName()), lanes, address);
        loads[lane] += load;
    }

    /** Adds what was summed per group to the uplinks of each of its ROS. */
    private void addRosUplinks() {
        for (int group = 0; group < groups.size(); group++) {
            RosGroup ros = groups.get(group);
            for (int plane = 0; plane < fabric.planes(); plane++) {
                for (int i = 0; dcmWeights[group][plane] > 0 && i < ros.edges().length; i++) {
                    fromEdges[plane][ros.edges()[i]][0] += dcmWeights[group][plane] * ros.weights()[i];
                }
            }
        }
    }

    private void collect(Topology topology) {
        for (int plane = 0; plane < fabric.planes(); plane++) {
            for (int edge = 0; edge < fabric.edges(); edge++) {
                Role role = topology.roles().get(fabric.edgeName(edge));
                if (role.sendsFragments()) {
                    collect(fabric.edgeLinks(plane, edge), true, fromEdges[plane][edge]);
                }
                if (role.buildsEvents()) {
                    collect(fabric.edgeLinks(plane, edge), false, toEdges[plane][edge]);
                }
            }
            for (int spine = 0; spine < fabric.spines(plane); spine++) {
                for (int pod = 0; pod < fabric.pods(); pod++) {
                    collect(fabric.spineLinks(plane, spine, pod), true, upLoads[plane][spine][pod]);
                    collect(fabric.spineLinks(plane, spine, pod), false, downLoads[plane][spine][pod]);
                }
            }
        }
    }

    private void collect(List<Segment> segments, boolean upwards, double[] loads) {
        for (int lane = 0; lane < loads.length; lane++) {
            links.add(new LinkLoad(segments.get(lane), upwards, loads[lane], 0));
        }
    }

    /**
     * Every usable link in the directions of events: up from ROS, down to racks, both between leaf and spine; and in
     * those of flows.
     */
    public List<LinkLoad> links() {
        return Collections.unmodifiableList(links);
    }

    /** The load that arrives at all DCMs together, that from ROS of their own nodes included. */
    public double delivered() {
        return delivered;
    }

    /** The link with the highest relative load, of equals the first by name; empty without traffic. */
    public Optional<LinkLoad> bottleneck() {
        double highest = links.stream().mapToDouble(LinkLoad::relative).max().orElse(0);
        return links.stream().filter(link -> link.load() > 0 && link.relative() >= highest * (1 - EPSILON))
            .min((one, other) -> one.toString().compareTo(other.toString()));
    }

    /** Gbps arriving at all DCMs together when the bottleneck is full, equation (6.1) for any fabric. */
    public double bandwidth() {
        return bottleneck().map(link -> delivered / link.relative()).orElse(0.0);
    }

    /** The relative load of a switch's fullest link divided by that of the bottleneck, 0..1. */
    public double relativeToBottleneck(String switchName) {
        double highest = links.stream().filter(link -> link.segment().upper().switchName().equals(switchName)
            || link.segment().lower().switchName().equals(switchName)).mapToDouble(LinkLoad::relative).max().orElse(0);
        return bottleneck().map(link -> highest / link.relative()).orElse(0.0);
    }

    /** Number of ROS with a path to each DCM, by its address. */
    public SortedMap<Address, Integer> reachableRos() {
        return Collections.unmodifiableSortedMap(reachable);
    }
}
