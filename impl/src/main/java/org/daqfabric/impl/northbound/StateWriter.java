package org.daqfabric.impl.northbound;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;

/**
 * Writes fabric states into the operational datastore: one transaction at a time for a fabric, and only the
 * differences.
 */
public final class StateWriter implements StatePublisher, AutoCloseable {
    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    private final LatestWriter<List<PendingRemoval>> removals;
    @GuardedBy("writers")
    private final Map<String, LatestWriter<Optional<FabricState>>> writers = new HashMap<>();
    @GuardedBy("writers")
    private boolean closed;

    /**
     * Starts with nothing published.
     *
     * @param executor where states are compared and transactions made; not shut down by {@link #close()}
     */
    public StateWriter(DataBroker broker, ScheduledExecutorService executor) {
        this.broker = broker;
        this.executor = executor;
        removals = new LatestWriter<>("The list of bridges that are still to be removed", broker, executor,
            LatestWriter.LIMIT, PendingRemovalTree::write);
    }

    @Override
    public void publish(FabricState state) {
        want(state.fabric(), Optional.of(state));
    }

    @Override
    public void withdraw(String fabric) {
        want(fabric, Optional.empty());
    }

    @Override
    public void forget(String fabric) {
        synchronized (writers) {
            LatestWriter<Optional<FabricState>> writer = writers.remove(fabric);
            if (writer != null) {
                writer.end();
            }
        }
    }

    @Override
    public void pending(List<PendingRemoval> all) {
        removals.want(all);
    }

    private void want(String fabric, Optional<FabricState> state) {
        synchronized (writers) {
            if (!closed) {
                writers.computeIfAbsent(fabric, this::writer).want(state);
            }
        }
    }

    /** Writes nothing more. Written states stay, because another member of the cluster may already be writing them. */
    @Override
    public void close() {
        synchronized (writers) {
            closed = true;
            writers.values().forEach(LatestWriter::end);
        }
        removals.end();
    }

    private LatestWriter<Optional<FabricState>> writer(String fabric) {
        return new LatestWriter<>("Fabric " + fabric + ": its state", broker, executor, LatestWriter.LIMIT,
            (tx, before, target) -> {
                if (target.isEmpty()) {
                    tx.delete(LogicalDatastoreType.OPERATIONAL, StateChange.fabric(fabric));
                } else if (before == null || before.isEmpty()) {
                    StateChange.writeAll(tx, target.get());
                } else {
                    StateChange.write(tx, before.get(), target.get());
                }
            });
    }
}
