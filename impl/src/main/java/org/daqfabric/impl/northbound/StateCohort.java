package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.opendaylight.controller.cluster.access.concepts.TransactionIdentifier;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.common.api.DataValidationFailedException;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCandidate;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCommitCohort;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.Alarms;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunControl;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Refuses state that a member writes which is not active any more. A member that stood still, or was cut off, may have
 * such writes under way, and the datastore carries them out as soon as it can, over those of the member that is active
 * by then; that one writes only what changes, so the state would stay wrong. Every member has a cohort; the one of the
 * datastore's leader is asked.
 */
public final class StateCohort implements DOMDataTreeCommitCohort, AutoCloseable {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final DataObjectIdentifier<Active> LEASE = DataObjectIdentifier.builder(Active.class).build();

    private final DataBroker leases;
    private final List<Registration> registrations;

    /** Checks all writes of state from now until {@link #close()}. */
    public StateCohort(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer, DataBroker leases) {
        this.leases = leases;
        var cohorts = broker.extension(DOMDataBroker.CommitCohortExtension.class);
        registrations = Stream.of(DataObjectIdentifier.builder(Fabrics.class).build(),
                DataObjectIdentifier.builder(PendingRemovals.class).build(),
                DataObjectIdentifier.builder(RunControl.class).build(),
                DataObjectIdentifier.builder(Alarms.class).build())
            .map(root -> cohorts.registerCommitCohort(
                DOMDataTreeIdentifier.of(STORE, serializer.toYangInstanceIdentifier(root)), this))
            .toList();
    }

    @Override
    public FluentFuture<PostCanCommitStep> canCommit(Object txId, EffectiveModelContext context,
            Collection<DOMDataTreeCandidate> candidates) {
        if (!(txId instanceof TransactionIdentifier tx)) {
            return PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
        }
        String writer = tx.getHistoryId().getClientId().getFrontendId().getMemberName().getName();
        try (ReadTransaction read = leases.newReadOnlyTransaction()) {
            return read.read(STORE, LEASE)
                .transformAsync(active -> judge(writer, active), MoreExecutors.directExecutor())
                // whoever writes may do so while nobody can tell
                .catchingAsync(ReadFailedException.class, failure -> PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE,
                    MoreExecutors.directExecutor());
        }
    }

    private static FluentFuture<PostCanCommitStep> judge(String writer, Optional<Active> lease) {
        Optional<String> active = lease.map(Active::getMember);
        if (active.isEmpty() || active.get().equals(writer)) {
            return PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
        }
        return FluentFutures.immediateFailedFluentFuture(new DataValidationFailedException(
            YangInstanceIdentifier.class, YangInstanceIdentifier.of(), "state is written by " + active.get()
                + ", which is active, and not by " + writer));
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }
}
