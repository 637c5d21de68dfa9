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
        for (Roles.Use use : roles.uses()) {
            if (!declared.contains(use.switchName())) {
                problems.add(use.location().child("switch"),
                    "%s names the unknown switch '%s': declare the switch or name a declared one", use.what(),
                    use.switchName());
            }
            Roles.Use first = roles.of(use.switchName()).get(0);
            if (first != use) {
                problems.add(use.location().child("switch"),
                    "switch '%s' is %s and also %s: a switch has one role, name another switch for one of them",
                    use.switchName(), first.what(), use.what());
            }
        }
    }
}
