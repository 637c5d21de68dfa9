package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Links of which nobody has told anything. */
class UnknownLinksTest {
    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();

    /** A link is not up before some switch has said so; then it stays up, also while its switches are away. */
    @Test
    void linksAreUnknownUntilASwitchReportsThem() {
        Topology topology = new Topology(spec);
        world.network.build(topology);
        topology.roles().keySet().forEach(world.network::isolate);
        world.manager.fabricChanged(spec);
        world.settle();
        assertThat(states()).containsExactly(OperState.UNKNOWN);
        assertThat(world.phase(spec)).isEqualTo(Phase.WAITING);

        topology.roles().keySet().forEach(world.network::reconnect);
        world.settle();
        assertThat(states()).containsExactly(OperState.UP);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);

        topology.roles().keySet().forEach(world.network::isolate);
        world.settle();
        assertThat(states()).containsExactly(OperState.UP);
    }

    private Set<OperState> states() {
        List<LinkState> links = world.states.get(spec.name()).links();
        assertThat(links).hasSameSizeAs(spec.links());
        return links.stream().map(LinkState::operState).collect(Collectors.toSet());
    }
}
