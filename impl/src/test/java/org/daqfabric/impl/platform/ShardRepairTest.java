package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.Answers.RETURNS_MOCKS;
import static org.mockito.Mockito.mock;

import com.google.common.base.Ticker;
import com.google.common.util.concurrent.FutureCallback;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.daqfabric.impl.platform.ShardRepair.HeldWrite;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.controller.cluster.access.concepts.ClientIdentifier;
import org.opendaylight.controller.cluster.access.concepts.FrontendIdentifier;
import org.opendaylight.controller.cluster.access.concepts.FrontendType;
import org.opendaylight.controller.cluster.access.concepts.LocalHistoryIdentifier;
import org.opendaylight.controller.cluster.access.concepts.MemberName;
import org.opendaylight.controller.cluster.access.concepts.TransactionIdentifier;
import org.opendaylight.controller.cluster.datastore.CommitCohort;
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
    private static final LocalHistoryIdentifier HISTORY = new LocalHistoryIdentifier(ClientIdentifier.create(
        FrontendIdentifier.create(MemberName.forName("member-1"), FrontendType.forName("test")), 0), 0);

    private final Shard shard = mock(Shard.class, call -> call.getMethod().getName().equals("ticker")
        ? Ticker.systemTicker() : RETURNS_MOCKS.answer(call));
    private final Map<Integer, String> answers = new TreeMap<>();
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

    /** A member's write reaches the shard, which is to say whether it can be committed. */
    private CommitCohort ask(int number, DataTreeModification modification) throws ReflectiveOperationException {
        Method ready = ShardDataTree.class.getDeclaredMethod("createReadyCohort", TransactionIdentifier.class,
            DataTreeModification.class, SortedSet.class);
        ready.setAccessible(true);
        CommitCohort write = (CommitCohort) ready.invoke(tree, new TransactionIdentifier(HISTORY, number), modification,
            null);
        write.canCommit(answerOf(number));
        return write;
    }

    private <T> FutureCallback<T> answerOf(int number) {
        return new FutureCallback<>() {
            @Override
            public void onSuccess(T result) {
                answers.put(number, "yes");
            }

            @Override
            public void onFailure(Throwable cause) {
                answers.put(number, "no");
            }
        };
    }

    /** As in OpenDaylight: not needed here at the write after one that is refused. */
    @Test
    void leaderGoesOnAfterARefusedWrite() throws ReflectiveOperationException {
        DataTree data = (DataTree) internals.committed().get(tree);
        CommitCohort first = ask(1, write(data, "member-1"));
        for (int number = 2; number <= 4; number++) {
            ask(number, write(data, "member-2"));
        }
        DataTreeModification empty = data.takeSnapshot().newModification();
        empty.ready();
        ask(5, empty);
        assertThat(answers).containsOnlyKeys(1);
        first.preCommit(answerOf(1));
        assertThat(answers).containsExactly(entry(1, "yes"), entry(2, "no"));

        internals.checkWaiting(shard);

        assertThat(answers).containsExactly(entry(1, "yes"), entry(2, "no"), entry(3, "no"), entry(4, "no"),
            entry(5, "yes"));
    }

    @SuppressWarnings("unchecked") // as the field is declared
    private Collection<Object> submitted() throws ReflectiveOperationException {
        return (Collection<Object>) internals.submitted().get(tree);
    }

    /** As in OpenDaylight: a write in progress that never ends keeps every later one from its path. */
    @Test
    void writeOfAFormerLeaderBlocksNobodyAnyMore() throws Exception {
        DataTree data = (DataTree) internals.committed().get(tree);
        internals.tip().set(tree, data.prepare(write(data, "member-1")));
        submitted().add(mock(CommitCohort.class));
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
