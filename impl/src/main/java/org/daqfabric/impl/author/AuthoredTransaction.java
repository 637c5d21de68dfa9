package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/**
 * A transaction that says who made it, if that is known and it changes a fabric, and keeps why it failed. Like any
 * transaction it is used by one at a time.
 */
final class AuthoredTransaction implements DOMDataTreeReadWriteTransaction {
    private static final YangInstanceIdentifier FABRICS = YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME));

    private final DOMDataTreeReadWriteTransaction tx;
    private final Author author;
    private final Optional<FailedCommit> failure;
    private boolean changesFabrics;

    AuthoredTransaction(DOMDataTreeReadWriteTransaction tx, Author author, Optional<FailedCommit> failure) {
        this.tx = tx;
        this.author = author;
        this.failure = failure;
    }

    @Override
    public Object getIdentifier() {
        return tx.getIdentifier();
    }

    @Override
    public void put(LogicalDatastoreType store, YangInstanceIdentifier path, NormalizedNode data) {
        tx.put(store, path, data);
        note(store, path);
    }

    @Override
    public void merge(LogicalDatastoreType store, YangInstanceIdentifier path, NormalizedNode data) {
        tx.merge(store, path, data);
        note(store, path);
    }

    @Override
    public void delete(LogicalDatastoreType store, YangInstanceIdentifier path) {
        tx.delete(store, path);
        note(store, path);
    }

    private void note(LogicalDatastoreType store, YangInstanceIdentifier path) {
        changesFabrics |= store == LogicalDatastoreType.CONFIGURATION && FABRICS.contains(path);
    }

    @Override
    public FluentFuture<? extends CommitInfo> commit() {
        if (changesFabrics && author.isKnown()) {
            tx.merge(LogicalDatastoreType.CONFIGURATION, FABRICS, WriteEntry.node(author));
        }
        FluentFuture<? extends CommitInfo> commit = tx.commit();
        return failure.isPresent() ? failure.get().noting(commit) : commit;
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

    @Override
    public FluentFuture<Boolean> exists(LogicalDatastoreType store, YangInstanceIdentifier path) {
        return tx.exists(store, path);
    }
}
