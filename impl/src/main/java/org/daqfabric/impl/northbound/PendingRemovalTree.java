package org.daqfabric.impl.northbound;

import java.util.List;
import org.daqfabric.api.state.PendingRemoval;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovalsBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.pending.removals.Removal;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.pending.removals.RemovalBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** The list of bridges that are still to be removed, as it is published. */
final class PendingRemovalTree {
    private static final DataObjectIdentifier<PendingRemovals> PATH =
        DataObjectIdentifier.builder(PendingRemovals.class).build();

    private PendingRemovalTree() {
    }

    /** Writes the whole list, whatever was there. */
    static void write(WriteTransaction tx, @Nullable List<PendingRemoval> before, List<PendingRemoval> target) {
        if (target.isEmpty()) {
            tx.delete(LogicalDatastoreType.OPERATIONAL, PATH);
        } else {
            tx.put(LogicalDatastoreType.OPERATIONAL, PATH, new PendingRemovalsBuilder()
                .setRemoval(BindingMap.of(target.stream().map(PendingRemovalTree::tree).toList())).build());
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
}
