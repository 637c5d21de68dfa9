package org.daqfabric.impl.engine.check;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.Role;

/** Every edge switch has an uplink in one plane at least. */
final class UplinkChecks {
    private UplinkChecks() {
    }

    static void check(FabricSpec spec, Roles roles, Problems problems) {
        Set<String> declared = spec.switches().stream().map(Switch::name).collect(Collectors.toSet());
        Set<String> linked = new HashSet<>();
        for (Link link : spec.links()) {
            noteLeaf(link.peer().switchName(), link.end().switchName(), roles, linked);
            noteLeaf(link.end().switchName(), link.peer().switchName(), roles, linked);
        }
        for (Roles.Assignment assignment : roles.assignments()) {
            if (assignment.role().isEdge() && declared.contains(assignment.switchName())
                    && !linked.contains(assignment.switchName())) {
                int pod = assignment.pod();
                problems.add(assignment.location(), "%s has no uplink: link its switch '%s' to %s",
                    assignment.description(), assignment.switchName(), roles.leavesOf(pod));
            }
        }
    }

    private static void noteLeaf(String upper, String lower, Roles roles, Set<String> linked) {
        if (roles.of(upper).stream().anyMatch(assignment -> assignment.role() instanceof Role.OfLeaf)) {
            linked.add(lower);
        }
    }
}
