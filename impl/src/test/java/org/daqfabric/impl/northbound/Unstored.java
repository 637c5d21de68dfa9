package org.daqfabric.impl.northbound;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;

/** Keeps no decision. */
final class Unstored implements DecisionStore {
    @Override
    public CompletionStage<Decision> load(String fabric) {
        return CompletableFuture.completedFuture(Decision.NONE);
    }

    @Override
    public CompletionStage<Void> save(String fabric, Decision decision) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Doubts> loadDoubts(String fabric) {
        return CompletableFuture.completedFuture(Doubts.NONE);
    }

    @Override
    public CompletionStage<Void> saveDoubts(String fabric, Doubts doubts) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        return CompletableFuture.completedFuture(null);
    }
}
