package org.daqfabric.impl.engine.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.impl.engine.topology.Role;

/** Which role the configuration assigns to which switch, rightly or wrongly. */
final class Roles {
    /**
     * A node of the configuration that gives a switch a role.
     *
     * @param location the node that names the switch
     */
    record Assignment(String switchName, Role role, Location location) {
        /** The role in words. */
        String description() {
            return switch (role) {
                case Role.OfSpine spine -> "spine " + spine.spine() + " of plane " + spine.plane();
                case Role.OfLeaf leaf -> "the leaf of pod " + leaf.pod() + " in plane " + leaf.plane();
                case Role.OfRos ros -> "ROS '" + ros.ros() + "' of pod " + ros.pod();
                case Role.OfRack rack -> "HLT rack '" + rack.rack() + "' of pod " + rack.pod();
                case Role.OfHosts hosts -> "the edge switch of other hosts of pod " + hosts.pod();
                // what is assigned is a part of the role: a node that is both has two assignments
                default -> "without a role";
            };
        }

        /** The pod of an edge switch, 0 of another. */
        int pod() {
            return switch (role) {
                case Role.OfRos ros -> ros.pod();
                case Role.OfRack rack -> rack.pod();
                case Role.OfHosts hosts -> hosts.pod();
                default -> 0;
            };
        }
    }

    private final List<Assignment> assignments = new ArrayList<>();
    private final Map<String, List<Assignment>> bySwitch = new HashMap<>();

    Roles(FabricSpec spec) {
        NodeLocations locations = NodeLocations.of(spec.name());
        for (Plane plane : spec.planes()) {
            for (Spine spine : plane.spines()) {
                add(spine.switchName(), new Role.OfSpine(plane.id(), spine.id()), locations.spine(plane, spine));
            }
            for (Leaf leaf : plane.leaves()) {
                add(leaf.switchName(), new Role.OfLeaf(plane.id(), leaf.pod()), locations.leaf(plane, leaf));
            }
        }
        for (Pod pod : spec.pods()) {
            for (Ros ros : pod.ros()) {
                add(ros.switchName(), new Role.OfRos(pod.id(), ros.name()), locations.ros(pod, ros));
            }
            for (HltRack rack : pod.racks()) {
                add(rack.switchName(), new Role.OfRack(pod.id(), rack.name()), locations.rack(pod, rack));
            }
        }
        // a host gives its switch a role only where nothing else does
        for (Pod pod : spec.pods()) {
            for (Host host : pod.hosts()) {
                if (of(host.switchName()).isEmpty()) {
                    add(host.switchName(), new Role.OfHosts(pod.id()), locations.host(pod, host));
                }
            }
        }
    }

    private void add(String switchName, Role role, Location location) {
        Assignment assignment = new Assignment(switchName, role, location);
        assignments.add(assignment);
        bySwitch.computeIfAbsent(switchName, name -> new ArrayList<>()).add(assignment);
    }

    List<Assignment> assignments() {
        return assignments;
    }

    /** The roles assigned to a switch: more than one only by mistake, none for a spare. */
    List<Assignment> of(String switchName) {
        return bySwitch.getOrDefault(switchName, List.of());
    }

    /** The leaves an edge switch of a pod can be linked to, in words. */
    String leavesOf(int pod) {
        return "a leaf of pod " + pod + assignments.stream()
            .filter(assignment -> assignment.role() instanceof Role.OfLeaf leaf && leaf.pod() == pod)
            .map(assignment -> "'" + assignment.switchName() + "'")
            .reduce((one, other) -> one + ", " + other)
            .map(names -> " (" + names + ")").orElse("");
    }
}
