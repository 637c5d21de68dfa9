package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.ErrorSeverity;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * A transaction that says who made it, if that is known and it changes a fabric, and keeps why it failed. One that
 * writes what is reserved never comes to the datastore: it fails when it is committed. Like any transaction it is used
 * by one at a time.
 */
final class AuthoredTransaction implements DOMDataTreeReadWriteTransaction {
    private static final YangInstanceIdentifier FABRICS = YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME));

    private final DOMDataTreeReadWriteTransaction tx;
    private final EffectiveModelContext model;
    private final Author author;
    private final Optional<FailedCommit> failure;
    private boolean changesFabrics;
    private Optional<Reserved> refusal = Optional.empty();
    /** What is to be looked at before the first change. */
    private Optional<Condition> condition;
    private Optional<ConditionFailedException> unmet = Optional.empty();
    /** Merges of parents, from which the node that the request is about cannot be told. */
    private final List<Runnable> parents = new ArrayList<>();

    AuthoredTransaction(DOMDataTreeReadWriteTransaction tx, EffectiveModelContext model, Author author,
            Optional<FailedCommit> failure, Optional<Condition> condition) {
        this.tx = tx;
        this.model = model;
        this.author = author;
        this.failure = failure;
        this.condition = condition;
    }

    @Override
    public Object getIdentifier() {
        return tx.getIdentifier();
    }

    @Override
    public void put(LogicalDatastoreType store, YangInstanceIdentifier path, NormalizedNode data) {
        if (mayReplace(path) && may(path, data) && holds(path)) {
            tx.put(store, path, data);
            note(store, path);
        }
    }

    @Override
    public void merge(LogicalDatastoreType store, YangInstanceIdentifier path, NormalizedNode data) {
        if (!may(path, data)) {
            return;
        }
        if (condition.isPresent() && !condition.get().isToldBy(path)) {
            parents.add(() -> tx.merge(store, path, data));
        } else if (holds(path)) {
            tx.merge(store, path, data);
            note(store, path);
        }
    }

    @Override
    public void delete(LogicalDatastoreType store, YangInstanceIdentifier path) {
        if (mayReplace(path) && may(path, null) && holds(path)) {
            tx.delete(store, path);
            note(store, path);
        }
    }

    /** Whether what the request demands holds; it is looked at once, before its first change. */
    private boolean holds(YangInstanceIdentifier path) {
        if (condition.isPresent() && condition.get().isToldBy(path)) {
            unmet = condition.get().refusal(tx, path);
            condition = Optional.empty();
            if (unmet.isEmpty()) {
                parents.forEach(Runnable::run);
            }
            parents.clear();
        }
        return unmet.isEmpty();
    }

    private boolean mayReplace(YangInstanceIdentifier path) {
        return !path.isEmpty() || may(Optional.of(Reserved.root()));
    }

    private boolean may(YangInstanceIdentifier path, @Nullable NormalizedNode data) {
        return refusal.isEmpty() && may(Reserved.write(model, path, data));
    }

    private boolean may(Optional<Reserved> found) {
        refusal = refusal.or(() -> found);
        return refusal.isEmpty();
    }

    private void note(LogicalDatastoreType store, YangInstanceIdentifier path) {
        changesFabrics |= store == LogicalDatastoreType.CONFIGURATION && FABRICS.contains(path);
    }

    @Override
    public FluentFuture<? extends CommitInfo> commit() {
        FluentFuture<? extends CommitInfo> commit = refusal.isPresent() ? refused(refusal.get())
            : unmet.isPresent() ? unmet(unmet.get()) : committed();
        return failure.isPresent() ? failure.get().noting(commit) : commit;
    }

    private FluentFuture<? extends CommitInfo> committed() {
        parents.forEach(Runnable::run);
        if (changesFabrics && author.isKnown()) {
            tx.merge(LogicalDatastoreType.CONFIGURATION, FABRICS, WriteEntry.node(author));
        }
        return tx.commit();
    }

    private FluentFuture<CommitInfo> unmet(ConditionFailedException why) {
        tx.cancel();
        return FluentFutures.immediateFailedFluentFuture(
            new TransactionCommitFailedException(why.getMessage(), why));
    }

    private FluentFuture<CommitInfo> refused(Reserved reserved) {
        tx.cancel();
        return FluentFutures.immediateFailedFluentFuture(new TransactionCommitFailedException(reserved.message(),
            new NetconfDocumentedException(reserved.message(), ErrorType.APPLICATION, reserved.tag(),
                ErrorSeverity.ERROR)));
    }

    @Override
    public FluentFuture<?> completionFuture() {
        return tx.completionFuture();
    }

    @Override
    public boolean cancel() {
        return tx.cancel();
    }

    @Override
    public FluentFuture<Optional<NormalizedNode>> read(LogicalDatastoreType store, YangInstanceIdentifier path) {
        return tx.read(store, path);
    }

    /**
     * RESTCONF asks on the thread of its request, and deletes on one of the datastore, which must not wait for it: what
     * the request demands is looked at now.
     */
    @Override
    public FluentFuture<Boolean> exists(LogicalDatastoreType store, YangInstanceIdentifier path) {
        holds(path);
        return tx.exists(store, path);
    }
}
