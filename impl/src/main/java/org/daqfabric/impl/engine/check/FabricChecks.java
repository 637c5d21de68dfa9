package org.daqfabric.impl.engine.check;

import java.util.List;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.topology.FlowEnds;

/**
 * Says whether fabrics contradict themselves or each other. Uneven fabrics pass: planes with different numbers of
 * spines, edge switches without an uplink in some plane, parallel links, racks without DCMs, spare switches, and a
 * fabric that holds nothing yet.
 */
public final class FabricChecks {
    private FabricChecks() {
    }

    /** All problems of one fabric, in a fixed order; empty if it is valid. */
    public static List<Problem> check(FabricSpec spec) {
        return check(List.of(spec));
    }

    /** All problems of fabrics that are to be run together, in a fixed order; empty if they are valid. */
    public static List<Problem> check(List<FabricSpec> specs) {
        Problems problems = new Problems();
        for (FabricSpec spec : specs) {
            Roles roles = new Roles(spec);
            RangeChecks.check(spec, problems);
            RoleChecks.check(spec, roles, problems);
            PlaneChecks.check(spec, problems);
            LinkChecks.check(spec, roles, problems);
            PortChecks.check(spec, problems);
            PortCountChecks.check(spec, problems);
            UplinkChecks.check(spec, roles, problems);
            AddressChecks.check(spec, problems);
            // most fabrics have neither hosts nor flows, and thousands of names
            if (!spec.flows().isEmpty() || spec.pods().stream().anyMatch(pod -> !pod.hosts().isEmpty())) {
                FlowEnds ends = new FlowEnds(spec);
                HostChecks.check(spec, roles, ends, problems);
                FlowChecks.check(spec, ends, problems);
            }
        }
        NodeChecks.check(specs, problems);
        PortSettingsChecks.check(specs, problems);
        return problems.found();
    }
}
