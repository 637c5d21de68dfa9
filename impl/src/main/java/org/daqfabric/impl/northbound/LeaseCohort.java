package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FluentFuture;
import java.util.Collection;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.DataValidationFailedException;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCandidate;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCommitCohort;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Compare and set for the lease: accepts a write only if it was decided on the lease that is stored now. The
 * datastore's own check for conflicts is not enough, because a new leader of the datastore replays writes that were not
 * confirmed, on whatever is stored by then. Every member has a cohort; the one of the datastore's leader is asked.
 */
public final class LeaseCohort implements DOMDataTreeCommitCohort, AutoCloseable {
    private final BindingNormalizedNodeSerializer serializer;
    private final YangInstanceIdentifier root;
    private final Registration registration;

    /** Checks all writes from now until {@link #close()}. */
    public LeaseCohort(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer) {
        this.serializer = serializer;
        root = serializer.toYangInstanceIdentifier(DataObjectIdentifier.builder(Active.class).build());
        registration = broker.extension(DOMDataBroker.CommitCohortExtension.class).registerCommitCohort(
            DOMDataTreeIdentifier.of(LogicalDatastoreType.OPERATIONAL, root), this);
    }

    /** Identifies a stored lease; a write says with it on which one it was decided. */
    static String mark(Optional<Active> stored) {
        return stored.map(active -> active.getSession() == null ? "nobody after " + active.getFollows()
            : active.getSession() + " " + active.getRenewals()).orElse("nothing");
    }

    @Override
    public FluentFuture<PostCanCommitStep> canCommit(Object txId,
            EffectiveModelContext context,
            Collection<DOMDataTreeCandidate> candidates) {
        for (DOMDataTreeCandidate candidate : candidates) {
            String stored = mark(active(candidate.getRootNode().dataBefore()));
            Optional<Active> next = active(candidate.getRootNode().dataAfter());
            if (next.isEmpty() || !stored.equals(next.get().getFollows())) {
                return FluentFutures.immediateFailedFluentFuture(new DataValidationFailedException(
                    YangInstanceIdentifier.class, root, "the lease is " + stored + " by now, not "
                        + next.map(Active::getFollows).orElse("to be removed")));
            }
        }
        return PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
    }

    private Optional<Active> active(NormalizedNode node) {
        return Optional.ofNullable(node).map(known -> (Active) serializer.fromNormalizedNode(root, known).getValue());
    }

    @Override
    public void close() {
        registration.close();
    }
}
