package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.util.Collection;
import org.daqfabric.impl.platform.ShardRepair.HeldWrite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.controller.cluster.datastore.Shard;
import org.opendaylight.controller.cluster.datastore.ShardDataTree;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.data.tree.api.ConflictingModificationAppliedException;
import org.opendaylight.yangtools.yang.data.tree.api.DataTree;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeModification;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeTip;
import org.opendaylight.yangtools.yang.data.tree.api.TreeType;

/** What a shard is left with when it ceases to lead is dropped; what a majority has stays. */
class ShardRepairTest {
    private final Shard shard = mock(Shard.class);
    private ShardInternals internals;
    private ShardDataTree tree;

    @BeforeEach
    void makeShard() throws ReflectiveOperationException {
        internals = ShardInternals.find();
        tree = new ShardDataTree(shard, BindingRuntimeHelpers.createRuntimeContext(Active.class).modelContext(),
            TreeType.OPERATIONAL);
        internals.store().set(shard, tree);
    }

    private static DataTreeModification write(DataTree data, String member) {
        DataTreeModification modification = data.takeSnapshot().newModification();
        modification.write(YangInstanceIdentifier.of(Active.QNAME), ImmutableNodes.newContainerBuilder()
            .withNodeIdentifier(NodeIdentifier.create(Active.QNAME))
            .withChild(ImmutableNodes.leafNode(QName.create(Active.QNAME, "member"), member)).build());
        modification.ready();
        return modification;
    }

    @SuppressWarnings("unchecked")
    private Collection<Object> submitted() throws ReflectiveOperationException {
        return (Collection<Object>) internals.submitted().get(tree);
    }

    /** As in OpenDaylight: a write in progress that never ends keeps every later one from its path. */
    @Test
    void writeOfAFormerLeaderBlocksNobodyAnyMore() throws Exception {
        DataTree data = (DataTree) internals.committed().get(tree);
        internals.tip().set(tree, data.prepare(write(data, "member-1")));
        submitted().add(mock(cohort()));
        DataTreeModification next = write(data, "member-2");
        assertThatThrownBy(() -> ((DataTreeTip) internals.tip().get(tree)).validate(next))
            .isInstanceOf(ConflictingModificationAppliedException.class);

        assertThat(internals.dropWrites(shard)).isEqualTo(1);

        DataTreeTip tip = (DataTreeTip) internals.tip().get(tree);
        tip.validate(next);
        data.commit(tip.prepare(next));
        assertThat(submitted()).isEmpty();
        assertThat(internals.oldestSubmitted(shard)).isNull();
        assertThat(internals.dropWrites(shard)).isEqualTo(-1);
    }

    private static Class<?> cohort() throws ClassNotFoundException {
        return Class.forName("org.opendaylight.controller.cluster.datastore.CommitCohort");
    }

    /** A leader that does not finish one write for long is blocked; one that finishes others is not. */
    @Test
    void leaderIsBlockedByOneWrite() {
        long limit = HeldWrite.LIMIT.toNanos();
        HeldWrite first = HeldWrite.NONE.next("a", 0);
        assertThat(first.next("a", limit - 1).isBlocked(limit - 1)).isFalse();
        assertThat(first.next("a", limit).isBlocked(limit)).isTrue();
        assertThat(first.next("b", limit).isBlocked(limit)).isFalse();
        assertThat(first.next(null, 1).next("a", limit).isBlocked(limit)).isFalse();
        assertThat(HeldWrite.NONE.next(null, limit).isBlocked(2 * limit)).isFalse();
    }
}
