package org.daqfabric.api.plan;

import java.util.Optional;
import org.daqfabric.api.spec.FabricSpec;

/**
 * A change of a fabric's configuration, and failures after it.
 *
 * @param candidate configuration to have instead; empty for the one that is
 * @param drain what is to be drained in it
 * @param undrain what is to be in service in it
 * @param fail what fails then
 */
public record WhatIf(Optional<FabricSpec> candidate, FabricParts drain, FabricParts undrain, FabricParts fail) {
    public static WhatIf drain(FabricParts parts) {
        return new WhatIf(Optional.empty(), parts, FabricParts.NONE, FabricParts.NONE);
    }

    public static WhatIf undrain(FabricParts parts) {
        return new WhatIf(Optional.empty(), FabricParts.NONE, parts, FabricParts.NONE);
    }

    public static WhatIf fail(FabricParts parts) {
        return new WhatIf(Optional.empty(), FabricParts.NONE, FabricParts.NONE, parts);
    }

    /** Whether it says nothing at all. */
    public boolean isEmpty() {
        return candidate.isEmpty() && drain.isEmpty() && undrain.isEmpty() && fail.isEmpty();
    }
}
