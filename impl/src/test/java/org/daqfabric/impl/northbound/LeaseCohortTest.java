package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.ActiveBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer.NodeResult;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;

/** A write that was based on another term is refused, however late it arrives. */
class LeaseCohortTest {
    private static final DataObjectIdentifier<Active> PATH = DataObjectIdentifier.builder(Active.class).build();

    private final InMemoryBroker broker = new InMemoryBroker();
    private final CheckedStore store = new CheckedStore(broker.model(), DataTreeConfiguration.DEFAULT_OPERATIONAL);

    @BeforeEach
    void check() {
        new LeaseCohort(store, broker.serializer());
    }

    @Test
    void aClaimThatWasOvertakenIsRefused() throws Exception {
        Active one = term("a", 1, Optional.empty());
        Active other = term("b", 1, Optional.empty());
        write(one);
        assertThatThrownBy(() -> write(other)).hasMessageContaining("the lease is a 1 by now, not nothing");
        Active renewal = term("a", 2, Optional.of(one));
        write(renewal);
        // carried out once more
        assertThatThrownBy(() -> write(renewal)).hasMessageContaining("by now");
        assertThatThrownBy(() -> write(one)).hasMessageContaining("by now");
        assertThat(standing()).contains(renewal);
    }

    /** A release that is carried out late does not take the lease from the member that holds it by then. */
    @Test
    void aReleaseThatWasOvertakenIsRefused() throws Exception {
        Active one = term("a", 1, Optional.empty());
        write(one);
        Active release = new ActiveBuilder().setFollows(LeaseCohort.mark(Optional.of(one))).build();
        write(release);
        Active next = term("b", 1, Optional.of(release));
        write(next);
        assertThatThrownBy(() -> write(release)).hasMessageContaining("by now");
        assertThatThrownBy(() -> store.delete(path())).hasMessageContaining("to be removed");
        assertThat(standing()).contains(next);
        // nobody holds it again, but another member has held it meanwhile
        Active second = new ActiveBuilder().setFollows(LeaseCohort.mark(Optional.of(next))).build();
        write(second);
        assertThatThrownBy(() -> write(term("a", 1, Optional.of(release)))).hasMessageContaining("by now");
    }

    private static Active term(String session, int renewals, Optional<Active> follows) {
        return new ActiveBuilder().setMember("member-" + session).setAddress("10.0.0.1").setSession(session)
            .setRenewals(Uint64.valueOf(renewals)).setFollows(LeaseCohort.mark(follows)).build();
    }

    private YangInstanceIdentifier path() {
        return broker.serializer().toYangInstanceIdentifier(PATH);
    }

    private void write(Active term) throws Exception {
        NodeResult node = (NodeResult) broker.serializer().toNormalizedNode(PATH, term);
        store.put(node.path(), node.node());
    }

    private Optional<Active> standing() {
        return store.read(path()).map(node -> (Active) broker.serializer().fromNormalizedNode(path(), node).getValue());
    }
}
