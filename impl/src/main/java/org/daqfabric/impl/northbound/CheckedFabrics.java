package org.daqfabric.impl.northbound;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.check.Problem;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;

/**
 * Fabrics read from the configuration and checked.
 *
 * @param specs those that could be read
 * @param problems empty if everything is valid
 */
record CheckedFabrics(List<FabricSpec> specs, List<Problem> problems) {
    static CheckedFabrics of(Iterable<Fabric> fabrics) {
        List<FabricSpec> specs = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Fabric fabric : fabrics) {
            FabricReader.Result result = FabricReader.read(fabric);
            result.spec().ifPresent(specs::add);
            problems.addAll(result.problems());
        }
        problems.addAll(FabricChecks.check(specs));
        return new CheckedFabrics(List.copyOf(specs), List.copyOf(problems));
    }
}
