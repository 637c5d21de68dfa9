package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.async.Causes;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovalsBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.pending.removals.Removal;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.pending.removals.RemovalBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the operational datastore which bridges are still to be removed: one transaction at a time, and only the
 * newest list of those that arrive meanwhile. A write that fails is repeated.
 */
final class PendingRemovalWriter implements FutureCallback<CommitInfo> {
    private static final Logger LOG = LoggerFactory.getLogger(PendingRemovalWriter.class);
    private static final long RETRY_SECONDS = 1;
    private static final DataObjectIdentifier<PendingRemovals> PATH =
        DataObjectIdentifier.builder(PendingRemovals.class).build();

    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    @GuardedBy("this")
    private @Nullable List<PendingRemoval> wanted;
    @GuardedBy("this")
    private @Nullable List<PendingRemoval> writing;
    @GuardedBy("this")
    private boolean closed;

    PendingRemovalWriter(DataBroker broker, ScheduledExecutorService executor) {
        this.broker = broker;
        this.executor = executor;
    }

    synchronized void want(List<PendingRemoval> all) {
        boolean idle = wanted == null && writing == null;
        wanted = all;
        if (idle) {
            execute(0);
        }
    }

    /** Writes nothing more. */
    synchronized void close() {
        closed = true;
    }

    private void execute(long delay) {
        try {
            executor.schedule(this::write, delay, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Pending removals are not written, the application is stopping", e);
        }
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a failed write is tried again, whatever failed
    private void write() {
        List<PendingRemoval> target;
        synchronized (this) {
            if (closed || wanted == null) {
                return;
            }
            target = wanted;
            writing = target;
            wanted = null;
        }
        try {
            WriteTransaction tx = broker.newWriteOnlyTransaction();
            if (target.isEmpty()) {
                tx.delete(LogicalDatastoreType.OPERATIONAL, PATH);
            } else {
                tx.put(LogicalDatastoreType.OPERATIONAL, PATH, new PendingRemovalsBuilder()
                    .setRemoval(BindingMap.of(target.stream().map(PendingRemovalWriter::tree).toList())).build());
            }
            tx.commit().addCallback(this, MoreExecutors.directExecutor());
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    private static Removal tree(PendingRemoval removal) {
        return new RemovalBuilder()
            .setSystemId(removal.bridge().systemId())
            .setBridge(removal.bridge().bridge())
            .setFabric(removal.bridge().fabric())
            .setSince(StateTree.time(removal.since()))
            .build();
    }

    @Override
    public synchronized void onSuccess(CommitInfo info) {
        writing = null;
        if (wanted != null) {
            execute(0);
        }
    }

    @Override
    public synchronized void onFailure(Throwable cause) {
        LOG.warn("The bridges that are still to be removed could not be published, trying again in {} s: {}",
            RETRY_SECONDS, Causes.inWords(cause));
        if (wanted == null) {
            wanted = writing;
        }
        writing = null;
        execute(RETRY_SECONDS);
    }
}
