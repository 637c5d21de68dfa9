package org.daqfabric.impl.controller;

import java.util.function.BooleanSupplier;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunHooks;

/**
 * The drivers and hooks that a controller has only while it is active.
 *
 * @param mayChange whether switches may be changed at this moment; a change that is not allowed is made after
 *     {@link FabricManager#resume()}
 */
public record FabricDrivers(RuleChannel rules, BridgeDriver bridges, RunHooks runs, PathProver proofs,
        BooleanSupplier mayChange) {
    /** Proves no paths. */
    public FabricDrivers(RuleChannel rules, BridgeDriver bridges, RunHooks runs, BooleanSupplier mayChange) {
        this(rules, bridges, runs, PathProver.NONE, mayChange);
    }
}
