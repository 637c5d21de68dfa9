package org.daqfabric.impl.controller.spi;

import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.run.FabricStatus;

/** What run control can ask of the fabrics. */
public interface FabricControl {
    /** Every configured fabric by name. */
    SortedMap<String, FabricSpec> specs();

    /**
     * Gives a fabric a new directive.
     *
     * @return the fabric when its placement follows the directive; switches may still be changing
     */
    CompletionStage<FabricStatus> control(String fabric, RunDirective directive);
}
