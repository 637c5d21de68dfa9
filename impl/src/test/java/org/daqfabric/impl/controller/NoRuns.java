package org.daqfabric.impl.controller;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.engine.run.Picture;

/** For fabrics nobody runs anything through. */
public final class NoRuns implements RunHooks {
    @Override
    public CompletionStage<Control> wanted(String fabric) {
        return CompletableFuture.completedFuture(Control.FREE);
    }

    @Override
    public void seen(Picture picture) {
        // nobody asks
    }

    @Override
    public void removed(String fabric) {
        // nobody asks
    }
}
