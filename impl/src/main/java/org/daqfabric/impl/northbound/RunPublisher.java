package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.runcontrol.Event;
import org.daqfabric.impl.runcontrol.RunListener;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunControl;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.PartitionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows partitions in the operational datastore, and notifies of what happens, in order and without a thread waiting. */
public final class RunPublisher implements RunListener {
    private static final Logger LOG = LoggerFactory.getLogger(RunPublisher.class);

    private final DataBroker broker;
    private final NotificationPublishService notifications;
    private final ExecutorService executor;
    private final Map<String, PartitionState> written = new HashMap<>();

    /**
     * Starts with nothing shown.
     *
     * @param executor one thread that writes and notifies; not shut down by this
     */
    public RunPublisher(DataBroker broker, NotificationPublishService notifications, ExecutorService executor) {
        this.broker = broker;
        this.notifications = notifications;
        this.executor = executor;
    }

    @Override
    public void partitions(List<PartitionState> states) {
        executor.execute(() -> write(states));
    }

    private void write(List<PartitionState> states) {
        WriteTransaction tx = broker.newWriteOnlyTransaction();
        Map<String, PartitionState> now = new HashMap<>();
        for (PartitionState state : states) {
            now.put(state.partition().name(), state);
            if (!state.equals(written.get(state.partition().name()))) {
                tx.put(LogicalDatastoreType.OPERATIONAL, path(state.partition().name()), RunTree.of(state));
            }
        }
        written.keySet().stream().filter(name -> !now.containsKey(name))
            .forEach(name -> tx.delete(LogicalDatastoreType.OPERATIONAL, path(name)));
        written.clear();
        written.putAll(now);
        tx.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(CommitInfo info) {
                LOG.debug("Partitions are shown");
            }

            @Override
            public void onFailure(Throwable failure) {
                LOG.warn("The partitions' state could not be written and is shown with the next change: {}",
                    Causes.inWords(failure));
                executor.execute(written::clear);
            }
        }, MoreExecutors.directExecutor());
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.Partition> path(String name) {
        return DataObjectIdentifier.builder(RunControl.class).child(
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.Partition.class,
            new PartitionKey(name)).build();
    }

    @Override
    public void happened(Event event) {
        executor.execute(() -> {
            try {
                notifications.putNotification(Notifications.of(event));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
