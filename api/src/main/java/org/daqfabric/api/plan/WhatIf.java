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
public record WhatIf(Optional<FabricSpec> candidate, Parts drain, Parts undrain, Parts fail) {
    public static WhatIf drain(Parts parts) {
        return new WhatIf(Optional.empty(), parts, Parts.NONE, Parts.NONE);
    }

    public static WhatIf undrain(Parts parts) {
        return new WhatIf(Optional.empty(), Parts.NONE, parts, Parts.NONE);
    }

    public static WhatIf fail(Parts parts) {
        return new WhatIf(Optional.empty(), Parts.NONE, Parts.NONE, parts);
    }

    /** Whether it says nothing at all. */
    public boolean isEmpty() {
        return candidate.isEmpty() && drain.isEmpty() && undrain.isEmpty() && fail.isEmpty();
    }
}
