package org.daqfabric.impl.controller.spi;

import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.run.FabricStatus;

/** The fabrics, as run control sees them. */
public interface FabricControl {
    /** Every configured fabric by name. */
    SortedMap<String, FabricSpec> specs();

    /**
     * Tells a fabric what is wanted of it.
     *
     * @return the fabric once it is so; switches may still be being told
     */
    CompletionStage<FabricStatus> control(String fabric, RunDirective control);
}
