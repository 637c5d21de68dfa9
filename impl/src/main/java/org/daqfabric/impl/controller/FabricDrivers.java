package org.daqfabric.impl.controller;

import java.util.function.BooleanSupplier;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunHooks;

/**
 * What a controller has only while it is active.
 *
 * @param mayChange whether switches may be changed at this very moment; what may not be changed is changed after
 *     {@link FabricManager#resume()}
 */
public record FabricDrivers(RuleChannel rules, BridgeDriver bridges, RunHooks runs, BooleanSupplier mayChange) {
}
