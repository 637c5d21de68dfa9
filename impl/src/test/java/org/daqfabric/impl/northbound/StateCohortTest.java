package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opendaylight.controller.cluster.access.concepts.ClientIdentifier;
import org.opendaylight.controller.cluster.access.concepts.FrontendIdentifier;
import org.opendaylight.controller.cluster.access.concepts.FrontendType;
import org.opendaylight.controller.cluster.access.concepts.LocalHistoryIdentifier;
import org.opendaylight.controller.cluster.access.concepts.MemberName;
import org.opendaylight.controller.cluster.access.concepts.TransactionIdentifier;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.ActiveBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;

/** State of a member that is not active any more is refused, however late it arrives. */
class StateCohortTest {
    private static final DataObjectIdentifier<Active> LEASE = DataObjectIdentifier.builder(Active.class).build();

    private final InMemoryBroker broker = new InMemoryBroker();
    private final StateCohort cohort = new StateCohort(
        new CheckedStore(broker.model(), DataTreeConfiguration.DEFAULT_OPERATIONAL), broker.serializer(),
        broker.broker());

    @Test
    void onlyTheActiveMemberWrites() throws Exception {
        lease(new ActiveBuilder().setMember("member-3").build());
        assertThat(write("member-3")).isSameAs(PostCanCommitStep.NOOP);
        assertThatThrownBy(() -> write("member-1")).isInstanceOf(ExecutionException.class)
            .hasMessageContaining("state is written by member-3, which is active, and not by member-1");
        lease(new ActiveBuilder().setMember("member-1").build());
        assertThat(write("member-1")).isSameAs(PostCanCommitStep.NOOP);
        assertThatThrownBy(() -> write("member-3")).hasMessageContaining("not by member-3");
    }

    @Test
    void anyMemberWritesWhileNoneIsActive() throws Exception {
        assertThat(write("member-2")).isSameAs(PostCanCommitStep.NOOP);
        lease(new ActiveBuilder().setFollows("given back").build());
        assertThat(write("member-2")).isSameAs(PostCanCommitStep.NOOP);
    }

    private void lease(Active active) throws Exception {
        var tx = broker.broker().newWriteOnlyTransaction();
        tx.put(LogicalDatastoreType.OPERATIONAL, LEASE, active);
        tx.commit().get();
    }

    private PostCanCommitStep write(String member) throws Exception {
        var client = ClientIdentifier.create(FrontendIdentifier.create(MemberName.forName(member),
            FrontendType.forName("datastore-operational")), 0);
        return cohort.canCommit(new TransactionIdentifier(new LocalHistoryIdentifier(client, 0), 0), broker.model(),
            List.of()).get();
    }
}
