package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCommitCohort;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMTransactionChain;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTree;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidate;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidateNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeModification;
import org.opendaylight.yangtools.yang.data.tree.impl.di.InMemoryDataTreeFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * A datastore that asks a commit cohort as the clustered one does, which the in-memory broker of mdsal
 * cannot: a write makes a candidate, the cohort sees it from its own root, and its failure drops the write.
 */
final class CheckedStore implements DOMDataBroker, DOMDataBroker.CommitCohortExtension {
    private final DataTree tree;
    private final EffectiveModelContext model;
    private DOMDataTreeIdentifier root;
    private DOMDataTreeCommitCohort cohort;

    /** The configuration or the operational datastore. */
    CheckedStore(EffectiveModelContext model, DataTreeConfiguration which) {
        this.model = model;
        tree = new InMemoryDataTreeFactory().create(which, model);
    }

    void put(YangInstanceIdentifier path, NormalizedNode data) throws Exception {
        commit(tx -> tx.write(path, data));
    }

    void merge(YangInstanceIdentifier path, NormalizedNode data) throws Exception {
        commit(tx -> tx.merge(path, data));
    }

    void delete(YangInstanceIdentifier path) throws Exception {
        commit(tx -> tx.delete(path));
    }

    Optional<NormalizedNode> read(YangInstanceIdentifier path) {
        return tree.takeSnapshot().readNode(path);
    }

    boolean isChecked() {
        return cohort != null;
    }

    private void commit(java.util.function.Consumer<DataTreeModification> write) throws Exception {
        DataTreeModification tx = tree.takeSnapshot().newModification();
        write.accept(tx);
        tx.ready();
        tree.validate(tx);
        DataTreeCandidate candidate = tree.prepare(tx);
        if (cohort != null) {
            ask(candidate.getRootNode().modifiedChild(root.path().getLastPathArgument()));
        }
        tree.commit(candidate);
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // the cause is thrown itself
    private void ask(DataTreeCandidateNode node) throws Exception {
        try {
            cohort.canCommit("tx", model, List.of(new Candidate(root, node))).get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Override
    public Registration registerCommitCohort(DOMDataTreeIdentifier path, DOMDataTreeCommitCohort newCohort) {
        root = path;
        cohort = newCohort;
        return () -> cohort = null;
    }

    @Override
    public List<Extension> supportedExtensions() {
        return List.of(this);
    }

    @Override
    public DOMDataTreeReadTransaction newReadOnlyTransaction() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DOMDataTreeWriteTransaction newWriteOnlyTransaction() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DOMDataTreeReadWriteTransaction newReadWriteTransaction() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DOMTransactionChain createTransactionChain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DOMTransactionChain createMergingTransactionChain() {
        throw new UnsupportedOperationException();
    }
}
