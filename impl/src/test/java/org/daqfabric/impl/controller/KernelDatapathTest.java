package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.Test;

/** Open vSwitch lists the daqring among its types, but a bridge of the kernel's datapath can have none. */
class KernelDatapathTest {
    private static final String KERNEL = "leaf-1-1";
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 2, 6, 6, 2);
    private final World world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));

    private FabricSpec with(DatapathType type) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream()
            .map(each -> each.name().equals(KERNEL) ? new Switch(each.name(), each.systemId(), each.ovsdbAddress(),
                each.bridge(), type, each.adminState()) : each).toList(), spec.links(), spec.policy());
    }

    private long rings() {
        return world.network.bridge(KERNEL).orElseThrow().ports().values().stream()
            .filter(port -> PortAllocator.isRing(port.number())).count();
    }

    private FabricState state() {
        return world.states.get(spec.name());
    }

    @Test
    void itsDaqringsAreUnsupportedAndNothingIsDegraded() {
        world.configure(with(DatapathType.SYSTEM));
        world.pass(Duration.ofSeconds(10));
        assertThat(rings()).isZero();
        assertThat(state().phase()).isEqualTo(Phase.CONVERGED);
        assertThat(state().switches()).filteredOn(each -> each.daqrings().isEmpty()).singleElement()
            .matches(each -> each.name().equals(KERNEL));
        world.manager.fabricChanged(with(DatapathType.NETDEV));
        world.pass(Duration.ofSeconds(30));
        assertThat(rings()).isPositive();
        assertThat(state().switches()).noneMatch(each -> each.daqrings().isEmpty());
    }
}
