package org.daqfabric.impl.author;

import java.util.Map;
import java.util.Optional;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.api.schema.LeafSetNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContext;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContext.Composite;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContextTree;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Why something must not be written over RESTCONF: it is the controller's own store, which would be acted on, or state,
 * of whatever module. OpenDaylight's data tree refuses state itself, but before anyone can take it out of the
 * datastore's queue again, in which everything else waits behind it.
 *
 * @param tag what kind of error it is
 * @param message what to do instead
 */
public record Reserved(ErrorTag tag, String message) {
    private static final String OWN = "this is the controller's own store, which it alone writes: ";
    /** What to do instead, by the nodes at which the store begins. */
    private static final Map<String, String> INSTEAD = Map.of(
        "decisions", "configure the fabric, or call rpc rebalance of daqfabric-operations",
        "removals", "call rpc forget-removals of daqfabric-operations",
        "partitions", "call the rpcs of daqfabric-run-control",
        "alarms", "call the rpcs of daqfabric-alarms",
        "history", "call rpc roll-back of daqfabric-operations",
        "write", "say why in the header " + AuthorFilter.REASON);
    private static final Reserved STATE = new Reserved(ErrorTag.INVALID_VALUE,
        "this is state, which the controller writes: leave it out of the configuration");
    private static final Reserved ROOT = new Reserved(ErrorTag.ACCESS_DENIED,
        "the controller's own store is in there as well: write the containers that you mean, one by one");

    /** Why a node of the model must not be written; empty if it may, as far as it is not below one that must not. */
    public static Optional<Reserved> node(DataSchemaNode node) {
        QName name = node.getQName();
        return name.getNamespace().equals(Decisions.QNAME.getNamespace())
            ? Optional.of(new Reserved(ErrorTag.ACCESS_DENIED, OWN + INSTEAD.getOrDefault(name.getLocalName(),
                "call the rpcs of daqfabric")))
            : node.effectiveConfig().orElse(true) ? Optional.empty() : Optional.of(STATE);
    }

    /** Why the datastore as a whole must be neither replaced nor deleted. */
    static Reserved root() {
        return ROOT;
    }

    /**
     * Why a write must not be made.
     *
     * @param path what is written or deleted
     * @param data what is written; null to delete
     */
    static Optional<Reserved> write(EffectiveModelContext model, YangInstanceIdentifier path,
            @Nullable NormalizedNode data) {
        DataSchemaContext place = DataSchemaContextTree.from(model).getRoot();
        for (PathArgument step : path.getPathArguments()) {
            place = child(place, step);
            if (place == null) {
                return Optional.empty(); // the datastore knows it no more than the model does
            }
            Optional<Reserved> found = node(place.dataSchemaNode());
            if (found.isPresent()) {
                return found;
            }
        }
        return data == null ? Optional.empty() : Optional.ofNullable(below(place, data));
    }

    private static @Nullable DataSchemaContext child(DataSchemaContext place, PathArgument step) {
        return place instanceof Composite composite ? composite.childByArg(step) : null;
    }

    private static @Nullable Reserved below(DataSchemaContext place, NormalizedNode data) {
        if (data instanceof NormalizedNodeContainer<?> container && !(data instanceof LeafSetNode)) {
            for (NormalizedNode node : container.body()) {
                DataSchemaContext child = child(place, node.name());
                if (child != null) {
                    Reserved found = node(child.dataSchemaNode()).orElseGet(() -> below(child, node));
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return null;
    }
}
