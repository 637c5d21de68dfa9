package org.daqfabric.api.plan;

import java.util.Optional;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.TrafficMatrix.Weights;

/**
 * A change of a fabric's configuration, and failures after it.
 *
 * @param candidate the configuration instead of the present one; empty for the present one
 * @param drain what to drain in it
 * @param undrain what to put into service in it
 * @param fail what fails after the change
 * @param measured weights to configure in it, as they were measured; empty for those that are configured
 */
public record WhatIf(Optional<FabricSpec> candidate, FabricParts drain, FabricParts undrain, FabricParts fail,
        Optional<Weights> measured) {
    public static WhatIf drain(FabricParts parts) {
        return new WhatIf(Optional.empty(), parts, FabricParts.NONE, FabricParts.NONE,
            Optional.empty());
    }

    public static WhatIf undrain(FabricParts parts) {
        return new WhatIf(Optional.empty(), FabricParts.NONE, parts, FabricParts.NONE,
            Optional.empty());
    }

    public static WhatIf fail(FabricParts parts) {
        return new WhatIf(Optional.empty(), FabricParts.NONE, FabricParts.NONE, parts,
            Optional.empty());
    }

    /** Whether it asks nothing. */
    public boolean isEmpty() {
        return candidate.isEmpty() && drain.isEmpty() && undrain.isEmpty() && fail.isEmpty() && measured.isEmpty();
    }
}
