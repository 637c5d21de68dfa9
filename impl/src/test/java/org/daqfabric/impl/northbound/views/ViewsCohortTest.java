package org.daqfabric.impl.northbound.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.daqfabric.impl.northbound.Candidate;
import org.daqfabric.impl.northbound.InMemoryBroker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.TopologyId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.Topology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.TopologyBuilder;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer.NodeResult;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.tree.api.DataTree;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidate;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidateNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeModification;
import org.opendaylight.yangtools.yang.data.tree.impl.di.InMemoryDataTreeFactory;

/** Where the member that writes is not active, its writes of our views are refused, and no others. */
class ViewsCohortTest {
    private final InMemoryBroker broker = new InMemoryBroker();
    private final DataTree tree =
        new InMemoryDataTreeFactory().create(DataTreeConfiguration.DEFAULT_OPERATIONAL, broker.model());
    private ViewsCohort cohort;

    @BeforeEach
    void check() {
        DOMDataBroker store = mock(DOMDataBroker.class);
        DOMDataBroker.CommitCohortExtension cohorts = mock(DOMDataBroker.CommitCohortExtension.class);
        when(store.extension(DOMDataBroker.CommitCohortExtension.class)).thenReturn(cohorts);
        when(cohorts.registerCommitCohort(any(), any())).thenReturn(() -> { });
        cohort = new ViewsCohort(store, broker.serializer(), (txId, context, candidates) ->
            FluentFutures.immediateFailedFluentFuture(new IllegalStateException("not active")));
    }

    @Test
    void ourSwitches() throws Exception {
        Node ours = InventoryTree.of(new SwitchNode("openflow:1", "p1s1", true, List.of(), Optional.empty()));
        Node theirs = new NodeBuilder().setId(new NodeId("openflow:7"))
            .addAugmentation(new FlowCapableNodeBuilder().setManufacturer("Nicira, Inc.").build()).build();
        assertThat(isRefused(InventoryTree.path("openflow:1"), ours)).isTrue();
        assertThat(isRefused(InventoryTree.path("openflow:7"), theirs)).isFalse();
        // changes below, and removal
        assertThat(isRefused(InventoryTree.read("openflow:1"), InventoryTree.read(Instant.EPOCH))).isTrue();
        assertThat(isRefused(InventoryTree.read("openflow:7"), InventoryTree.read(Instant.EPOCH))).isFalse();
        assertThat(isRefused(InventoryTree.path("openflow:1"), null)).isTrue();
        assertThat(isRefused(InventoryTree.path("openflow:7"), null)).isFalse();
    }

    @Test
    void ourTopologies() throws Exception {
        Topology ours = new TopologyBuilder().setTopologyId(new TopologyId("daqfabric:f")).build();
        Topology theirs = new TopologyBuilder().setTopologyId(new TopologyId("flow:1")).build();
        assertThat(isRefused(TopologyTree.path("daqfabric:f"), ours)).isTrue();
        assertThat(isRefused(TopologyTree.path("flow:1"), theirs)).isFalse();
        assertThat(isRefused(TopologyTree.path("daqfabric:f"), null)).isTrue();
        assertThat(isRefused(TopologyTree.path("flow:1"), null)).isFalse();
    }

    /** Whether a write is refused; it is in the datastore all the same then. No data removes what is there. */
    private <T extends DataObject> boolean isRefused(DataObjectIdentifier<T> where, T data) throws Exception {
        YangInstanceIdentifier path = broker.serializer().toYangInstanceIdentifier(where);
        DataTreeModification tx = tree.takeSnapshot().newModification();
        if (data == null) {
            tx.delete(path);
        } else {
            tx.write(path, ((NodeResult) broker.serializer().toNormalizedNode(where, data)).node());
        }
        tx.ready();
        tree.validate(tx);
        DataTreeCandidate change = tree.prepare(tx);
        tree.commit(change);
        DOMDataTreeIdentifier root = DOMDataTreeIdentifier.of(LogicalDatastoreType.OPERATIONAL,
            YangInstanceIdentifier.of(path.getPathArguments().get(0)));
        DataTreeCandidateNode node = change.getRootNode().modifiedChild(root.path().getLastPathArgument());
        return cohort.canCommit("tx", broker.model(), List.of(new Candidate(root, node)))
            != PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
    }
}
