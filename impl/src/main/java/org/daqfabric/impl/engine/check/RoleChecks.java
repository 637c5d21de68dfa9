package org.daqfabric.impl.engine.check;

import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;

/** Every role is held by a declared switch, and every switch holds one role at most. */
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
            if (first != assignment) {
                problems.add(assignment.location().child("switch"),
                    "switch '%s' is %s and also %s: a switch has one role, name another switch for one of them",
                    assignment.switchName(), first.description(), assignment.description());
            }
        }
    }
}
