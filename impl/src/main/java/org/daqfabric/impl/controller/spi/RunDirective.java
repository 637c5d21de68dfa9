package org.daqfabric.impl.controller.spi;

import java.util.Optional;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What run control wants of a fabric.
 *
 * @param frozen whether a run goes on: failures are repaired, and nothing else is changed
 * @param selection who takes part in runs; everybody if empty
 */
public record RunDirective(boolean frozen, Optional<Selection> selection) {
    public static final RunDirective FREE = new RunDirective(false, Optional.empty());

    /** Whether a run goes on that wants nothing but repairs. */
    public boolean wantsOnlyRepairs(Topology planned) {
        return frozen && planned.spec().policy().placement().onReturn() == Policy.Return.BETWEEN_RUNS;
    }
}
