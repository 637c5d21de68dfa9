package org.daqfabric.impl.runcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/** Whoever finds no state of a partition can ask whether that is because the controller does not know it yet. */
class KnownPartitionsTest {
    private final CompletableFuture<List<Partition>> stored = new CompletableFuture<>();
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private final RunListener listener = mock(RunListener.class);
    private RunControl runs;
    private CompletableFuture<Void> known;

    @BeforeEach
    void begin() {
        RunStore store = mock(RunStore.class);
        when(store.load()).thenReturn(stored);
        when(listener.published()).thenReturn(written);
        runs = new RunControl(mock(FabricControl.class), store, listener, new EventLog("1", InstantSource.system()),
            Clocks.system(), (delay, task) -> { }, Runnable::run);
        known = runs.known().toCompletableFuture();
    }

    @Test
    void onceTheyAreReadAndCanBeRead() {
        assertThat(known).isNotDone();
        verify(listener, never()).partitionsChanged(any());
        stored.complete(List.of(new Partition("det", "f", RunState.IDLE, Instant.EPOCH, "", "",
            new Selection(new TreeSet<>(), new TreeSet<>()), 0, true, Optional.empty(), Optional.empty(), List.of())));
        assertThat(known).isNotDone();
        InOrder order = inOrder(listener);
        order.verify(listener).partitionsChanged(any());
        order.verify(listener).published();
        written.complete(null);
        assertThat(known).isCompleted();
    }

    @Test
    void whoeverAsksIsToldThatItEnds() {
        runs.close();
        assertThatThrownBy(known::join).hasRootCauseInstanceOf(UnansweredException.class);
    }
}
