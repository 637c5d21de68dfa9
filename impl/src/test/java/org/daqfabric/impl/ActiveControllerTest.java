package org.daqfabric.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.alarms.AlarmKeeper;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.metrics.Metrics;
import org.daqfabric.impl.northbound.FabricHistory;
import org.daqfabric.impl.northbound.Uptake;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.service.ControllerService;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;

/** What runs while a controller is active. */
class ActiveControllerTest {
    private final FabricManager manager = mock();
    private final DataBroker broker = mock();
    private final ActiveController controller = new ActiveController(manager, mock(RuleChannel.class),
        mock(OvsdbBridgeDriver.class), PathProver.NONE, () -> true,
        new ActiveController.Platform(broker, mock(RpcProviderService.class, RETURNS_DEEP_STUBS),
            mock(NotificationPublishService.class), mock(OwnInstallation.class),
            new Uptake(broker)),
        mock(FabricHistory.class, RETURNS_DEEP_STUBS), new ControllerService.Views(null, mock(), name -> name),
        mock(Metrics.class), mock(AlarmKeeper.class), (delay, task) -> { }, Runnable::run,
        mock(ScheduledExecutorService.class));

    private void nothingIsStored() {
        ReadTransaction nothing = mock();
        when(broker.newReadOnlyTransaction()).thenReturn(nothing);
        when(nothing.read(any(), any(DataObjectIdentifier.class)))
            .thenReturn(FluentFutures.immediateFluentFuture(Optional.empty()));
    }

    /** No fabric would be repaired until a loop that stands had ended, which may be never. */
    @Test
    void fabricsAreNotEndedWhileAnEventLoopStands() {
        nothingIsStored();
        FabricSpec spec = TestFabrics.prototype();
        when(manager.specs()).thenReturn(new TreeMap<>(Map.of(spec.name(), spec)));
        when(manager.loopState(spec.name())).thenReturn(Optional.of(
            new LoopState(Duration.ofSeconds(3), 0, 0, Duration.ZERO)));
        when(manager.deactivate()).thenReturn(CompletableFuture.completedFuture(null));
        controller.begin();
        assertThatThrownBy(() -> controller.restart(() -> CompletableFuture.completedFuture("done"))
            .toCompletableFuture().join()).cause().isInstanceOf(FrozenException.class)
            .hasMessageContaining(spec.name());
        verify(manager, never()).deactivate();
        when(manager.loopState(spec.name())).thenReturn(Optional.of(
            new LoopState(Duration.ofMillis(500), 0, 0, Duration.ZERO)));
        assertThat(controller.restart(() -> CompletableFuture.completedFuture("done"))).isCompletedWithValue("done");
        verify(manager).deactivate();
        verify(manager, times(2)).activate(any());
    }

    /** A controller that stops closes its connections to switches; in the record of a run they have not failed. */
    @Test
    void runControlEndsBeforeConnectionsAreClosed() {
        nothingIsStored();
        controller.begin();
        ArgumentCaptor<FabricDrivers> drivers = ArgumentCaptor.captor();
        verify(manager).activate(drivers.capture());
        assertThat(drivers.getValue().runs().directive("first")).isCompleted();
        controller.close();
        assertThat(drivers.getValue().runs().directive("first")).isNotDone();
    }
}
