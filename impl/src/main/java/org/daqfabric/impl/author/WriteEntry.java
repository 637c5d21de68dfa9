package org.daqfabric.impl.author;

import java.util.Optional;
import java.util.UUID;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Fabrics1;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.WriteBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.WriteKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;

/** The entry that says in the configuration who changes it: list {@code write} of module daqfabric-store. */
public final class WriteEntry {
    private static final QName ID = QName.create(Write.QNAME, "id");
    private static final QName USER = QName.create(Write.QNAME, "user");
    private static final QName REASON = QName.create(Write.QNAME, "reason");

    private WriteEntry() {
    }

    /** Adds the entry to a transaction that changes a fabric. */
    public static void add(WriteTransaction tx, Author author) {
        String id = UUID.randomUUID().toString();
        tx.put(LogicalDatastoreType.CONFIGURATION, path(id), new WriteBuilder().setId(id)
            .setUser(author.user().orElse(null)).setReason(author.reason().orElse(null)).build());
    }

    /** Where the entry of an id is. */
    public static DataObjectIdentifier<Write> path(String id) {
        return DataObjectIdentifier.builder(Fabrics.class).augmentation(Fabrics1.class)
            .child(Write.class, new WriteKey(id)).build();
    }

    public static Author read(Write entry) {
        return new Author(Optional.ofNullable(entry.getUser()), Optional.ofNullable(entry.getReason()));
    }

    /** A new entry in its container, to be merged into the datastore's. */
    static ContainerNode node(Author author) {
        String id = UUID.randomUUID().toString();
        var entry = ImmutableNodes.newMapEntryBuilder()
            .withNodeIdentifier(NodeIdentifierWithPredicates.of(Write.QNAME, ID, id))
            .withChild(ImmutableNodes.leafNode(ID, id));
        author.user().ifPresent(user -> entry.withChild(ImmutableNodes.leafNode(USER, user)));
        author.reason().ifPresent(reason -> entry.withChild(ImmutableNodes.leafNode(REASON, reason)));
        return ImmutableNodes.newContainerBuilder().withNodeIdentifier(new NodeIdentifier(Fabrics.QNAME))
            .withChild(ImmutableNodes.newSystemMapBuilder().withNodeIdentifier(new NodeIdentifier(Write.QNAME))
                .withChild(entry.build()).build()).build();
    }

    /** Reads an entry as the datastore holds it. */
    public static Author read(MapEntryNode entry) {
        return new Author(text(entry, USER), text(entry, REASON));
    }

    private static Optional<String> text(MapEntryNode entry, QName leaf) {
        return Optional.ofNullable(entry.childByArg(new NodeIdentifier(leaf))).map(child -> child.body().toString());
    }
}
