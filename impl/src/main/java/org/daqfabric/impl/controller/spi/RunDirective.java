package org.daqfabric.impl.controller.spi;

import java.util.Optional;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What run control requires of a fabric.
 *
 * @param frozen whether a run is in progress: failures are repaired, and nothing else is changed
 * @param required Gbps towards the DCMs of all runs together; 0 for none
 * @param selection the ROS and DCMs that take part in runs; all if empty
 */
public record RunDirective(boolean frozen, double required, Optional<Selection> selection) {
    public static final RunDirective FREE = new RunDirective(false, 0, Optional.empty());

    /** Whether a run is in progress that allows repairs only. */
    public boolean allowsOnlyRepairs(Topology planned) {
        return frozen && planned.spec().policy().placement().onReturn() == Policy.Return.BETWEEN_RUNS;
    }
}
