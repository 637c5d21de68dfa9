package org.daqfabric.impl.northbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Futures;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunControl;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.Partition;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.PartitionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes partitions into the operational datastore: one transaction at a time, only the differences, and only the
 * newest of the states that arrive meanwhile. A write that fails is repeated. Everything runs on one thread.
 */
final class PartitionWriter {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionWriter.class);
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final long RETRY_SECONDS = 1;

    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    private Map<String, PartitionState> written = Map.of();
    private Map<String, PartitionState> wanted = Map.of();
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private boolean writing;

    /**
     * Starts with nothing written.
     *
     * @param executor the one thread
     */
    PartitionWriter(DataBroker broker, ScheduledExecutorService executor) {
        this.broker = broker;
        this.executor = executor;
    }

    void write(List<PartitionState> states) {
        wanted = states.stream().collect(Collectors.toMap(each -> each.partition().name(), Function.identity()));
        next();
    }

    /** Completes the future when everything passed to {@link #write} so far can be read. */
    void whenWritten(CompletableFuture<Void> done) {
        waiting.add(done);
        next();
    }

    private void next() {
        if (writing) {
            return;
        }
        if (wanted.equals(written)) {
            waiting.forEach(done -> done.complete(null));
            waiting.clear();
            return;
        }
        writing = true;
        Map<String, PartitionState> target = wanted;
        begin(target).whenComplete((done, failure) -> {
            if (failure == null) {
                executor.execute(() -> written(target));
            } else {
                LOG.warn("The partitions' state could not be written; trying again: {}", Causes.inWords(failure));
                executor.schedule(() -> written(Map.of()), RETRY_SECONDS, TimeUnit.SECONDS);
            }
        });
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a write that cannot begin has failed like any other
    private CompletableFuture<?> begin(Map<String, PartitionState> target) {
        try {
            return commit(target);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<?> commit(Map<String, PartitionState> target) {
        WriteTransaction tx = broker.newWriteOnlyTransaction();
        target.forEach((name, state) -> {
            if (!state.equals(written.get(name))) {
                tx.put(STORE, path(name), RunTree.of(state));
            }
        });
        written.keySet().stream().filter(name -> !target.containsKey(name))
            .forEach(name -> tx.delete(STORE, path(name)));
        return Futures.completable(tx.commit());
    }

    private void written(Map<String, PartitionState> target) {
        written = target;
        writing = false;
        next();
    }

    private static DataObjectIdentifier<Partition> path(String name) {
        return DataObjectIdentifier.builder(RunControl.class).child(Partition.class, new PartitionKey(name)).build();
    }
}
