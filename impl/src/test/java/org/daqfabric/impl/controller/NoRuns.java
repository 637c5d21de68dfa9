package org.daqfabric.impl.controller;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.engine.run.FabricStatus;

/** For fabrics nobody runs anything through. */
public final class NoRuns implements RunHooks {
    @Override
    public CompletionStage<RunDirective> wanted(String fabric) {
        return CompletableFuture.completedFuture(RunDirective.FREE);
    }

    @Override
    public void seen(FabricStatus picture) {
        // nobody asks
    }

    @Override
    public void removed(String fabric) {
        // nobody asks
    }
}
