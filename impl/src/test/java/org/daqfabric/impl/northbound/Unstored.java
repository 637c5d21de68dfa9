package org.daqfabric.impl.northbound;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;

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
    public CompletionStage<Set<String>> loadDoubt(String fabric) {
        return CompletableFuture.completedFuture(Set.of());
    }

    @Override
    public CompletionStage<Void> saveDoubt(String fabric, Set<String> inDoubt) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        return CompletableFuture.completedFuture(null);
    }
}
