package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.runcontrol.RunListener;
import org.daqfabric.impl.runcontrol.SequencedEvent;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunControl;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.Partition;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.PartitionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes partitions into the state tree and publishes events as notifications, in order. */
public final class RunPublisher implements RunListener {
    private static final Logger LOG = LoggerFactory.getLogger(RunPublisher.class);
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;

    private final LatestWriter<Map<String, PartitionState>> writer;
    private final NotificationPublishService notifications;
    private final ScheduledExecutorService executor;

    /**
     * Starts with no partitions.
     *
     * @param executor one thread that writes and notifies; not shut down by this
     */
    public RunPublisher(DataBroker broker, NotificationPublishService notifications,
            ScheduledExecutorService executor) {
        writer = new LatestWriter<>("The partitions' state", broker, executor, LatestWriter.LIMIT,
            RunPublisher::write);
        this.notifications = notifications;
        this.executor = executor;
    }

    @Override
    public void partitionsChanged(List<PartitionState> states) {
        writer.want(states.stream().collect(Collectors.toMap(each -> each.partition().name(), Function.identity())));
    }

    @Override
    public CompletionStage<Void> published() {
        return writer.whenWritten();
    }

    private static void write(WriteTransaction tx, @Nullable Map<String, PartitionState> known,
            Map<String, PartitionState> target) {
        Map<String, PartitionState> before = known == null ? Map.of() : known;
        target.forEach((name, state) -> {
            if (!state.equals(before.get(name))) {
                tx.put(STORE, path(name), RunTree.of(state));
            }
        });
        before.keySet().stream().filter(name -> !target.containsKey(name))
            .forEach(name -> tx.delete(STORE, path(name)));
    }

    private static DataObjectIdentifier<Partition> path(String name) {
        return DataObjectIdentifier.builder(RunControl.class).child(Partition.class, new PartitionKey(name)).build();
    }

    @Override
    public void eventOccurred(SequencedEvent event) {
        try {
            executor.execute(() -> announce(event));
        } catch (RejectedExecutionException e) {
            // the controller stops while its loops still run
            LOG.debug("Event {} is not announced", event.sequence(), e);
        }
    }

    private void announce(SequencedEvent event) {
        try {
            notifications.putNotification(Notifications.of(event));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
