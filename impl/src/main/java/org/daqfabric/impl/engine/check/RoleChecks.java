package org.daqfabric.impl.engine.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.Role;

/**
 * Every role is held by a declared switch, and every switch holds one role at most. But a ROS and an HLT rack of one
 * pod may name the same switch: that of a node that reads out and builds events.
 */
final class RoleChecks {
    private RoleChecks() {
    }

    static void check(FabricSpec spec, Roles roles, Problems problems) {
        Set<String> declared = spec.switches().stream().map(Switch::name).collect(Collectors.toSet());
        for (Roles.Assignment assignment : roles.assignments()) {
            if (!declared.contains(assignment.switchName())) {
                problems.add(assignment.location().child("switch"),
                    "%s names the unknown switch '%s': declare the switch or name a declared one",
                    assignment.description(), assignment.switchName());
            }
            Roles.Assignment first = roles.of(assignment.switchName()).get(0);
            if (isBuilder(roles.of(assignment.switchName()))) {
                differentPods(first, assignment, problems);
            } else if (first != assignment) {
                problems.add(assignment.location().child("switch"),
                    "switch '%s' is %s and also %s: a switch has one role, unless it is that of one "
                    + "ROS and one HLT rack; name another switch for one of them",
                    assignment.switchName(), first.description(), assignment.description());
            }
        }
    }

    /** Whether these are a ROS and an HLT rack. */
    private static boolean isBuilder(List<Roles.Assignment> assignments) {
        return assignments.size() == 2 && assignments.get(0).role() instanceof Role.OfRos
            && assignments.get(1).role() instanceof Role.OfRack;
    }

    private static void differentPods(Roles.Assignment ros, Roles.Assignment other, Problems problems) {
        if (ros.pod() != other.pod()) {
            problems.add(other.location().child("switch"),
                "switch '%s' is %s and also %s: a node that reads out and builds events is in one pod, move the ROS or "
                + "the rack into the pod of the other, or name another switch", other.switchName(),
                ros.description(), other.description());
        }
    }
}
