package org.daqfabric.impl.controller;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.engine.run.FabricStatus;

/** Run control without partitions: every fabric is free. */
public final class NoRuns implements RunHooks {
    @Override
    public CompletionStage<RunDirective> directive(String fabric) {
        return CompletableFuture.completedFuture(RunDirective.FREE);
    }

    @Override
    public CompletionStage<List<DropEpisode>> withRuns(String fabric, List<DropEpisode> episodes) {
        return CompletableFuture.completedFuture(episodes);
    }

    @Override
    public void changed(FabricStatus status) {
        // not needed
    }

    @Override
    public void removed(String fabric) {
        // not needed
    }
}
