package org.daqfabric.impl.northbound;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.Alarm.OperatorAction;
import org.daqfabric.api.alarm.Alarm.StatusChange;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.api.spec.PortId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmNotification;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.Alarms;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Alarms in the datastores and as notifications. */
class AlarmTreesTest {
    private static final Instant T0 = Instant.parse("2026-11-25T10:00:00.123Z");
    private static final Alarm DOWN = new Alarm(
        new AlarmId(AlarmResource.link("f", new PortId("leaf-1-1", "to/p1s1")), AlarmType.LINK_DOWN),
        AlarmSeverity.MAJOR, "is down", false, T0, T0.plusSeconds(2), T0.plusSeconds(2),
        List.of(new StatusChange(T0.plusSeconds(2), Optional.of(AlarmSeverity.MAJOR), "is down"),
            new StatusChange(T0.plusSeconds(1), Optional.empty(), "was down"),
            new StatusChange(T0, Optional.of(AlarmSeverity.CRITICAL), "was down")),
        List.of(new OperatorAction(T0.plusSeconds(4), "anna", OperatorState.SHELVED, ""),
            new OperatorAction(T0.plusSeconds(3), "anna", OperatorState.ACK, "on my way")));
    private static final Alarm CLOCK = new Alarm(
        new AlarmId(AlarmResource.own(AlarmResource.Kind.CONTROLLER, "clock"), AlarmType.CLOCK),
        AlarmSeverity.WARNING, "it was set", true, T0, T0, T0.plusSeconds(1),
        List.of(new StatusChange(T0.plusSeconds(1), Optional.empty(), "it was set"),
            new StatusChange(T0, Optional.of(AlarmSeverity.WARNING), "it was set")), List.of());

    private final InMemoryBroker broker = new InMemoryBroker();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    /** A restarted controller reads what was stored: times, histories and what operators did. */
    @Test
    void isReadAsItWasStored() throws Exception {
        DatastoreAlarmStore store = new DatastoreAlarmStore(broker.broker(), Runnable::run);
        assertThat(store.load().toCompletableFuture().get(5, SECONDS)).isEmpty();
        store.change(List.of(DOWN, CLOCK), Set.of()).toCompletableFuture().get(5, SECONDS);
        assertThat(new DatastoreAlarmStore(broker.broker(), Runnable::run).load().toCompletableFuture()
            .get(5, SECONDS)).containsExactlyInAnyOrder(DOWN, CLOCK);
        store.change(List.of(), Set.of(DOWN.id())).toCompletableFuture().get(5, SECONDS);
        assertThat(store.load().toCompletableFuture().get(5, SECONDS)).containsExactly(CLOCK);
    }

    /** The list of another controller is replaced as a whole; then only what changes is written. */
    @Test
    void listIsPublished() throws Exception {
        NotificationPublishService notifications = mock(NotificationPublishService.class);
        AlarmPublisher publisher = new AlarmPublisher(broker.broker(), notifications, executor);
        publisher.listChanged(List.of(DOWN, CLOCK));
        await().until(() -> published() != null && published().nonnullAlarm().size() == 2);
        assertThat(published().nonnullAlarm().values()).anySatisfy(each -> {
            assertThat(each.getResource()).isEqualTo("fabric/f/link/leaf-1-1:to/p1s1");
            assertThat(each.getShelved()).isTrue();
            assertThat(each.getOperatorState().getName()).isEqualTo("ack");
            assertThat(each.getAdvice()).contains("cable");
            assertThat(each.nonnullStatusChange()).hasSize(3);
        });
        publisher.ended();
        AlarmPublisher next = new AlarmPublisher(broker.broker(), notifications, executor);
        next.listChanged(List.of(CLOCK));
        await().until(() -> published().nonnullAlarm().size() == 1);
        next.listChanged(List.of());
        await().until(() -> published().nonnullAlarm().isEmpty());
        assertThat(published().getNumberOfAlarms().getValue().intValue()).isZero();
    }

    /** Shelved alarms are not told, others are. */
    @Test
    void changesAreTold() throws Exception {
        NotificationPublishService notifications = mock(NotificationPublishService.class);
        AlarmPublisher publisher = new AlarmPublisher(broker.broker(), notifications, executor);
        publisher.statusChanged(DOWN);
        publisher.statusChanged(CLOCK);
        verify(notifications, timeout(5000)).putNotification(any(AlarmNotification.class));
        verifyNoMoreInteractions(notifications);
        assertThat(AlarmTree.notification(CLOCK).getPerceivedSeverity().getName()).isEqualTo("cleared");
        assertThat(AlarmTree.acted(DOWN).getState().getName()).isEqualTo("shelved");
    }

    private Alarms published() throws Exception {
        return broker.read(LogicalDatastoreType.OPERATIONAL, DataObjectIdentifier.builder(Alarms.class).build());
    }
}
