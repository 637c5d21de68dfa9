package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadOperations;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** When a fabric was changed last: the time of the newest version of its history. */
final class StoredTime {
    private static final YangInstanceIdentifier FABRICS = YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME));
    private static final QName FABRIC = QName.create(History.QNAME, "fabric");
    private static final QName NAME = QName.create(History.QNAME, "name");
    private static final QName VERSION = QName.create(History.QNAME, "version");
    private static final QName NUMBER = QName.create(History.QNAME, "number");
    private static final QName TIME = QName.create(History.QNAME, "time");
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
        return tx.read(LogicalDatastoreType.CONFIGURATION, YangInstanceIdentifier.of(new NodeIdentifier(History.QNAME),
                new NodeIdentifier(FABRIC),
                NodeIdentifierWithPredicates.of(FABRIC, NAME, fabric.values().iterator().next()),
                new NodeIdentifier(VERSION)))
            .transform(versions -> versions.flatMap(StoredTime::newest), MoreExecutors.directExecutor());
    }

    private static Optional<Instant> newest(NormalizedNode versions) {
        return versions instanceof MapNode map ? map.body().stream().max(Comparator.comparing(StoredTime::number))
            .flatMap(StoredTime::time) : Optional.empty();
    }

    private static Uint32 number(MapEntryNode version) {
        return (Uint32) version.name().getValue(NUMBER);
    }

    private static Optional<Instant> time(MapEntryNode version) {
        try {
            return Optional.ofNullable(version.childByArg(new NodeIdentifier(TIME)))
                .map(leaf -> OffsetDateTime.parse(leaf.body().toString()).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
