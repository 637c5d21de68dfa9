package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Switch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Who drains what was shown drains nothing that has become something else meanwhile. */
class AdminStatesTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final DataObjectIdentifier<Fabric> PROTOTYPE = InMemoryBroker.FABRICS.toBuilder()
        .child(Fabric.class, new FabricKey(new Name("prototype"))).build();

    private final InMemoryBroker store = new InMemoryBroker();
    private final AdminStates states = new AdminStates(store.broker());
    private FabricSpec seen;

    @BeforeEach
    void configure() throws Exception {
        store.put(STORE, InMemoryBroker.FABRICS, store.fabrics(store.prototype()));
        seen = stored();
    }

    private FabricSpec stored() throws Exception {
        return FabricReader.read(store.read(STORE, PROTOTYPE)).spec().orElseThrow();
    }

    private static FabricParts part(String name) {
        return new FabricParts(List.of(name), List.of());
    }

    private List<String> drained() throws Exception {
        return stored().switches().stream().filter(each -> each.adminState() == AdminState.DRAINED).map(Switch::name)
            .toList();
    }

    @Test
    void whatWasSeenIsWritten() throws Exception {
        String name = seen.switches().getFirst().name();
        Link link = seen.links().getFirst();
        states.set(seen, new FabricParts(List.of(name), List.of(link.peer())), AdminState.DRAINED, Optional.of(seen));
        assertThat(drained()).containsExactly(name);
        assertThat(stored().links()).filteredOn(each -> each.adminState() == AdminState.DRAINED).extracting(Link::end)
            .containsExactly(link.end());
        states.set(seen, part(name), AdminState.IN_SERVICE, Optional.empty());
        assertThat(drained()).isEmpty();
    }

    @Test
    void nothingIsWrittenWhereSomebodyElseHasChangedTheFabric() throws Exception {
        String first = seen.switches().get(0).name();
        String second = seen.switches().get(1).name();
        states.set(seen, part(first), AdminState.DRAINED, Optional.empty());
        refused(states, second);
        assertThat(drained()).containsExactly(first);
        states.set(seen, part(second), AdminState.DRAINED, Optional.empty());
        assertThat(drained()).as("whoever agrees to any effect").containsExactlyInAnyOrder(first, second);
        store.delete(STORE, PROTOTYPE);
        refused(states, second);
        assertThat(store.read(STORE, PROTOTYPE)).isNull();
    }

    /** Not even if both write at the same instant. */
    @Test
    void nothingIsWrittenWhereSomebodyElseIsFirst() throws Exception {
        String first = seen.switches().get(0).name();
        AdminStates late = new AdminStates(store.brokerThatIsLate(
            () -> states.set(seen, part(first), AdminState.DRAINED, Optional.empty())));
        assertThatThrownBy(() -> late.set(seen, part(seen.switches().get(1).name()), AdminState.DRAINED,
            Optional.of(seen))).isInstanceOf(NotDoneException.class).hasMessageContaining("repeat the command");
        assertThat(drained()).containsExactly(first);
    }

    private void refused(AdminStates by, String name) {
        assertThatThrownBy(() -> by.set(seen, part(name), AdminState.DRAINED, Optional.of(seen)))
            .isInstanceOf(NotDoneException.class).hasMessageContainingAll("nothing was changed",
                "somebody else has changed prototype meanwhile", "Repeat the command");
    }
}
