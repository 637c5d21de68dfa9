package org.daqfabric.impl.northbound.views;

import com.google.common.util.concurrent.FluentFuture;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCandidate;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCommitCohort;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yang.svc.v1.urn.opendaylight.flow.inventory.rev130819.YangModuleInfoImpl;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidateNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Has changes of our views judged as those of state are; what others show in the same trees, from whatever member, is
 * theirs.
 */
public final class ViewsCohort implements DOMDataTreeCommitCohort, AutoCloseable {
    private static final NodeIdentifier MARK = new NodeIdentifier(
        QName.create(YangModuleInfoImpl.getInstance().getName(), "manufacturer"));

    private final DOMDataTreeCommitCohort state;
    private final YangInstanceIdentifier topologies;
    private final List<Registration> registrations;

    /**
     * Checks all writes of views from now until {@link #close()}.
     *
     * @param state what judges our changes
     */
    public ViewsCohort(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer,
            DOMDataTreeCommitCohort state) {
        this.state = state;
        topologies = serializer.toYangInstanceIdentifier(DataObjectIdentifier.builder(NetworkTopology.class).build());
        YangInstanceIdentifier nodes =
            serializer.toYangInstanceIdentifier(DataObjectIdentifier.builder(Nodes.class).build());
        DOMDataBroker.CommitCohortExtension cohorts = broker.extension(DOMDataBroker.CommitCohortExtension.class);
        registrations = Stream.of(topologies, nodes).map(root -> cohorts.registerCommitCohort(
            DOMDataTreeIdentifier.of(LogicalDatastoreType.OPERATIONAL, root), this)).toList();
    }

    @Override
    public FluentFuture<PostCanCommitStep> canCommit(Object txId, EffectiveModelContext context,
            Collection<DOMDataTreeCandidate> candidates) {
        return candidates.stream().anyMatch(this::isOurs) ? state.canCommit(txId, context, candidates)
            : PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
    }

    /** Whether a view of ours is among the changed topologies or nodes. */
    private boolean isOurs(DOMDataTreeCandidate candidate) {
        boolean topology = candidate.getRootPath().path().equals(topologies);
        return candidate.getRootNode().childNodes().stream().flatMap(list -> list.childNodes().stream())
            .anyMatch(entry -> topology ? isOurTopology(entry)
                : isOurNode(entry.dataBefore()) || isOurNode(entry.dataAfter()));
    }

    private static boolean isOurTopology(DataTreeCandidateNode entry) {
        return entry.name() instanceof NodeIdentifierWithPredicates key
            && key.values().stream().anyMatch(id -> id.toString().startsWith(ShownFabric.id("")));
    }

    private static boolean isOurNode(@Nullable NormalizedNode node) {
        NormalizedNode mark = node instanceof DataContainerNode entry ? entry.childByArg(MARK) : null;
        return mark != null && InventoryTree.MARK.equals(mark.body());
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }
}
