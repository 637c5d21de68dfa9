package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes fabric states into the operational datastore: at most one transaction at a time for a fabric, only the
 * differences, and only the newest of the states that arrive meanwhile. A write that fails is repeated.
 */
public final class StateWriter implements StatePublisher, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateWriter.class);
    private static final long RETRY_SECONDS = 1;

    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    private final PendingRemovalWriter removals;
    @GuardedBy("slots")
    private final Map<String, Slot> slots = new HashMap<>();
    private volatile boolean closed;

    /**
     * Starts with nothing published.
     *
     * @param executor where states are compared and transactions made; not shut down by {@link #close()}
     */
    public StateWriter(DataBroker broker, ScheduledExecutorService executor) {
        this.broker = broker;
        this.executor = executor;
        removals = new PendingRemovalWriter(broker, executor);
    }

    @Override
    public void publish(FabricState state) {
        slot(state.fabric()).want(Optional.of(state));
    }

    @Override
    public void withdraw(String fabric) {
        slot(fabric).want(Optional.empty());
    }

    @Override
    public void forget(String fabric) {
        synchronized (slots) {
            Slot slot = slots.remove(fabric);
            if (slot != null) {
                slot.left = true;
            }
        }
    }

    @Override
    public void pending(List<PendingRemoval> all) {
        removals.want(all);
    }

    private Slot slot(String fabric) {
        synchronized (slots) {
            return slots.computeIfAbsent(fabric, Slot::new);
        }
    }

    /** Writes nothing more. Written states stay, because another member of the cluster may already be writing them. */
    @Override
    public void close() {
        closed = true;
        removals.close();
    }

    /** One fabric. An empty Optional is a withdrawn state, null an unknown one. */
    private final class Slot implements FutureCallback<CommitInfo> {
        private final String fabric;
        @GuardedBy("this")
        private @Nullable Optional<FabricState> wanted;
        @GuardedBy("this")
        private @Nullable Optional<FabricState> writing;
        @GuardedBy("this")
        private @Nullable Optional<FabricState> written;
        /** Whether another member of the cluster writes it now. */
        private volatile boolean left;

        Slot(String fabric) {
            this.fabric = fabric;
        }

        synchronized void want(Optional<FabricState> state) {
            boolean idle = wanted == null && writing == null;
            wanted = state;
            if (idle) {
                execute(0);
            }
        }

        private void execute(long delay) {
            if (!closed && !left) {
                try {
                    executor.schedule(this::write, delay, TimeUnit.SECONDS);
                } catch (RejectedExecutionException e) {
                    LOG.debug("Fabric {}: not written, the application is stopping", fabric, e);
                }
            }
        }

        @SuppressWarnings("checkstyle:illegalCatch") // a failed write is tried again, whatever failed
        private void write() {
            Optional<FabricState> target;
            Optional<FabricState> before;
            synchronized (this) {
                if (closed || left || wanted == null) {
                    return;
                }
                target = wanted;
                before = written;
                writing = target;
                wanted = null;
            }
            if (target.equals(before)) {
                onSuccess(null);
                return;
            }
            try {
                WriteTransaction tx = broker.newWriteOnlyTransaction();
                if (target.isEmpty()) {
                    tx.delete(LogicalDatastoreType.OPERATIONAL, StateChange.fabric(fabric));
                } else if (before == null || before.isEmpty()) {
                    StateChange.writeAll(tx, target.get());
                } else {
                    StateChange.write(tx, before.get(), target.get());
                }
                tx.commit().addCallback(this, MoreExecutors.directExecutor());
            } catch (Throwable e) {
                onFailure(e);
            }
        }

        @Override
        public synchronized void onSuccess(CommitInfo info) {
            written = writing;
            writing = null;
            if (wanted != null) {
                execute(0);
            }
        }

        @Override
        public synchronized void onFailure(Throwable cause) {
            LOG.warn("Fabric {}: its state could not be written, trying again in {} s: {}", fabric, RETRY_SECONDS,
                Causes.inWords(cause));
            written = null;
            if (wanted == null) {
                wanted = writing;
            }
            writing = null;
            execute(RETRY_SECONDS);
        }
    }
}
