package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadOperations;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;

/** When a fabric was changed last: what its history says, which never goes back. */
final class StoredTime {
    static final YangInstanceIdentifier FABRICS = YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME));
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final QName FABRIC = QName.create(History.QNAME, "fabric");
    private static final QName NAME = QName.create(History.QNAME, "name");
    private static final QName CHANGED = QName.create(History.QNAME, "changed");
    /** Of a path: the container, the list, and the entry. */
    private static final int ENTRY = 2;

    private StoredTime() {
    }

    /** That of the fabric which a node is or belongs to; empty if it is of none, or has no history. */
    static FluentFuture<Optional<Instant>> of(DOMDataTreeReadOperations tx, YangInstanceIdentifier node) {
        List<PathArgument> path = node.getPathArguments();
        if (!FABRICS.contains(node) || path.size() <= ENTRY
                || !(path.get(ENTRY) instanceof NodeIdentifierWithPredicates fabric)) {
            return FluentFutures.immediateFluentFuture(Optional.empty());
        }
        return tx.read(STORE, YangInstanceIdentifier.of(new NodeIdentifier(History.QNAME), new NodeIdentifier(FABRIC),
                NodeIdentifierWithPredicates.of(FABRIC, NAME, fabric.values().iterator().next()),
                new NodeIdentifier(CHANGED)))
            .transform(leaf -> leaf.flatMap(StoredTime::time), MoreExecutors.directExecutor())
            .catching(ReadFailedException.class, failure -> Optional.empty(), MoreExecutors.directExecutor());
    }

    /** Whether the history has all that was written by known users: it follows them, a moment later. */
    static FluentFuture<Boolean> isComplete(DOMDataTreeReadOperations tx) {
        return tx.read(STORE, FABRICS.node(Write.QNAME)).transform(writes -> writes.map(list ->
            ((NormalizedNodeContainer<?>) list).isEmpty()).orElse(true), MoreExecutors.directExecutor());
    }

    private static Optional<Instant> time(NormalizedNode leaf) {
        try {
            return Optional.of(OffsetDateTime.parse(leaf.body().toString()).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
