package org.daqfabric.impl.engine.planning;

import java.util.List;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * Event bandwidth by (A.1) to (A.7), where b_net is (6.2) for all planes. If every ROS and rack has one uplink per
 * plane this is (6.1).
 *
 * @param network the equations of chapter 6
 * @param ros groups that make up all ROS
 * @param racks groups that make up all HLT racks
 */
public record Bandwidth(LeafSpineEquations network, List<NodeGroup> ros, List<NodeGroup> racks) {
    /** What limits a bandwidth. */
    public enum Limit { ROS_UPLINKS, RACK_UPLINKS, SPINES }

    public Bandwidth {
        Range.check("planes", network.planes(), 1, 255);
        Range.check("spines", network.spines(), 1, 1024);
        Range.check("pods", network.pods(), 1, 1024);
        Range.check("ros", network.ros(), 1, 65_535);
        Range.check("racks", network.racks(), 1, 65_535);
        Range.check("link-capacity", network.linkCapacity(), 0.001, 10_000);
        if (network.pods() > Math.min(network.ros(), network.racks())) {
            throw new InvalidInputException("pods", network.pods() + " pods for " + network.ros() + " ROS and "
                + network.racks() + " racks: give at most one for each ROS and for each rack");
        }
        check("ros-group", ros, network.ros());
        check("rack-group", racks, network.racks());
    }

    /** All ROS and racks have one uplink into each plane. */
    public static Bandwidth of(LeafSpineEquations network) {
        return new Bandwidth(network, List.of(new NodeGroup(network.ros(), network.planes())),
            List.of(new NodeGroup(network.racks(), network.planes())));
    }

    private static void check(String leaf, List<NodeGroup> groups, int nodes) {
        groups.forEach(group -> {
            Range.check(leaf, group.nodes(), 1, 65_535);
            Range.check(leaf, group.uplinks(), 1, 255);
        });
        if (NodeGroup.nodes(groups) != nodes) {
            throw new InvalidInputException(leaf, "its nodes are " + NodeGroup.nodes(groups)
                + " together, but there are " + nodes + ": make them equal");
        }
    }

    /** (A.5): B = sum over j of N_R min over i of (n_R,i b / N_H, n_H,j b / N_R, b_net). */
    public double bandwidth() {
        return bandwidth(flowBandwidthOfNetwork());
    }

    /** (A.7): B_inout, without a network that limits. */
    public double inputOutputBandwidth() {
        return bandwidth(Double.POSITIVE_INFINITY);
    }

    /** Third term of (A.6), where the thesis lacks N_R N_H: N_R N_H b_net; infinite in a single pod. */
    public double networkBandwidth() {
        return (double) network.ros() * network.racks() * flowBandwidthOfNetwork();
    }

    /** Mean of all flows of a ROS to a rack in a plane: b_RH of (6.1) where all have the same uplinks. */
    public double flowBandwidth() {
        return bandwidth() / network.planes() / network.ros() / network.racks();
    }

    /** The smallest of the three; the first if several are equal. */
    public Limit limit() {
        double ofRos = (double) network.ros() * NodeGroup.fewestUplinks(ros) * network.linkCapacity();
        double ofRacks = NodeGroup.uplinks(racks) * network.linkCapacity();
        double ofNetwork = networkBandwidth();
        return Rounding.reaches(ofRacks, ofRos) && Rounding.reaches(ofNetwork, ofRos) ? Limit.ROS_UPLINKS
            : Rounding.reaches(ofNetwork, ofRacks) ? Limit.RACK_UPLINKS : Limit.SPINES;
    }

    private double bandwidth(double net) {
        double b = network.linkCapacity();
        double ofRos = NodeGroup.fewestUplinks(ros) * b / network.racks();
        return racks.stream().mapToDouble(rack -> {
            double ofRack = rack.uplinks() * b / network.ros();
            return (double) rack.nodes() * network.ros() * Math.min(Math.min(ofRos, ofRack), net);
        }).sum();
    }

    /** b_net: the part of (6.2) in all planes. */
    private double flowBandwidthOfNetwork() {
        return network.planes() * network.flowBandwidthBetweenPods();
    }
}
