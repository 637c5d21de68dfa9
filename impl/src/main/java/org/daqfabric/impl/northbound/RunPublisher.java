package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.runcontrol.RunListener;
import org.daqfabric.impl.runcontrol.SequencedEvent;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;

/** Writes partitions into the state tree and publishes events as notifications, in order. */
public final class RunPublisher implements RunListener {
    private final PartitionWriter writer;
    private final NotificationPublishService notifications;
    private final ScheduledExecutorService executor;

    /**
     * Starts with no partitions.
     *
     * @param executor one thread that writes and notifies; not shut down by this
     */
    public RunPublisher(DataBroker broker, NotificationPublishService notifications,
            ScheduledExecutorService executor) {
        writer = new PartitionWriter(broker, executor);
        this.notifications = notifications;
        this.executor = executor;
    }

    @Override
    public void partitionsChanged(List<PartitionState> states) {
        executor.execute(() -> writer.write(states));
    }

    @Override
    public CompletionStage<Void> published() {
        CompletableFuture<Void> shown = new CompletableFuture<>();
        executor.execute(() -> writer.whenWritten(shown));
        return shown;
    }

    @Override
    public void eventOccurred(SequencedEvent event) {
        executor.execute(() -> {
            try {
                notifications.putNotification(Notifications.of(event));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
