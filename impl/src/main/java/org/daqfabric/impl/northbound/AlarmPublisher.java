package org.daqfabric.impl.northbound;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.impl.alarms.AlarmListener;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.Alarms;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmsBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarms.AlarmKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the list of alarms into the state tree and publishes what happens to them as notifications, in order. */
public final class AlarmPublisher implements AlarmListener {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmPublisher.class);
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final DataObjectIdentifier<Alarms> PATH = DataObjectIdentifier.builder(Alarms.class).build();

    private final DataBroker broker;
    private final NotificationPublishService notifications;
    private final ScheduledExecutorService executor;
    private @Nullable LatestWriter<List<Alarm>> writer;

    /**
     * Starts with nothing published.
     *
     * @param executor one thread that writes and notifies; not shut down by this
     */
    public AlarmPublisher(DataBroker broker, NotificationPublishService notifications,
            ScheduledExecutorService executor) {
        this.broker = broker;
        this.notifications = notifications;
        this.executor = executor;
    }

    @Override
    public synchronized void listChanged(List<Alarm> alarms) {
        if (writer == null) {
            writer = new LatestWriter<>("The list of alarms", broker, executor, LatestWriter.LIMIT,
                AlarmPublisher::write);
        }
        writer.want(alarms);
    }

    /** What is written stays: another member of the cluster may already be writing it. */
    @Override
    public synchronized void ended() {
        if (writer != null) {
            writer.end();
            writer = null;
        }
    }

    private static void write(WriteTransaction tx, @Nullable List<Alarm> before, List<Alarm> target) {
        if (before == null) {
            tx.put(STORE, PATH, head(target)
                .setAlarm(BindingMap.of(target.stream().map(AlarmTree::of).toList())).build());
            return;
        }
        Map<AlarmId, Alarm> known = before.stream().collect(Collectors.toMap(Alarm::id, Function.identity()));
        target.stream().filter(each -> !each.equals(known.remove(each.id())))
            .forEach(each -> tx.put(STORE, path(each.id()), AlarmTree.of(each)));
        known.keySet().forEach(each -> tx.delete(STORE, path(each)));
        tx.merge(STORE, PATH, head(target).build());
    }

    private static AlarmsBuilder head(List<Alarm> alarms) {
        return new AlarmsBuilder().setNumberOfAlarms(new org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf
            .yang.types.rev130715.Gauge32(Uint32.valueOf(alarms.size())))
            .setLastChanged(alarms.stream().map(Alarm::changed).max(Comparator.<Instant>naturalOrder())
                .map(StateTree::time).orElse(null));
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarms.Alarm> path(AlarmId id) {
        return PATH.toBuilder().child(
            org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarms.Alarm.class,
            new AlarmKey(AlarmTree.type(id.type()), id.resource().toString())).build();
    }

    @Override
    public void statusChanged(Alarm alarm) {
        if (!alarm.shelved()) {
            announce(AlarmTree.notification(alarm));
        }
    }

    @Override
    public void operatorActed(Alarm alarm) {
        announce(AlarmTree.acted(alarm));
    }

    private void announce(Notification<?> notification) {
        try {
            executor.execute(() -> {
                try {
                    notifications.putNotification(notification);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        } catch (RejectedExecutionException e) {
            // the controller stops while its loops still run
            LOG.debug("{} is not announced", notification, e);
        }
    }
}
