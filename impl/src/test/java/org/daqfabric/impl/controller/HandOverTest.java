package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two members of a cluster on one network: both receive all reports, one is active. */
class HandOverTest {
    private static final Duration MINUTES = Duration.ofMinutes(3);

    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();
    private final Topology topology = new Topology(spec);
    private final FabricManager first = world.manager;
    private final FabricManager second = world.manager();

    @BeforeEach
    void bringUp() {
        world.network.listeners(new Both(first, second), new Both(first, second));
        second.fabricChanged(spec);
        second.configurationRead();
        world.configure(spec);
        world.pass(MINUTES);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** A new active member sends nothing if the switches have what they must have. */
    @Test
    void memberThatTakesOverSendsNothingWhenNothingChanged() {
        int sent = world.network.messages();
        Map<String, Program> installed = world.network.programs();
        first.deactivate();
        takeOver();
        world.pass(MINUTES);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.messages()).isEqualTo(sent);
        assertThat(world.network.programs()).isEqualTo(installed);
    }

    /** A configuration that is written again as it is, or reported twice, is no reason to place anything anew. */
    @Test
    void sameConfigurationAgainIsNoEvent() {
        long generation = world.states.get(spec.name()).generation();
        int sent = world.network.messages();
        FabricSpec same = TestFabrics.prototype();
        assertThat(same).isNotSameAs(spec).isEqualTo(spec);
        first.fabricChanged(same);
        world.pass(MINUTES);
        assertThat(world.states.get(spec.name()).generation()).isEqualTo(generation);
        assertThat(world.network.messages()).isEqualTo(sent);
    }

    /** A failure while no member is active is repaired by the next active member only. */
    @Test
    void newActiveMemberRepairsWhatFailedMeanwhile() {
        first.deactivate();
        int sent = world.network.messages();
        world.network.carrier(someLink(), false);
        world.pass(MINUTES);
        assertThat(world.network.messages()).isEqualTo(sent);
        takeOver();
        world.pass(MINUTES);
        assertThat(world.network.messages()).isGreaterThan(sent);
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
        assertThat(world.states.get(spec.name()).lastRepair().orElseThrow().confirmed()).isPresent();
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** An active member whose lease has expired sends nothing, whatever fails and for however long. */
    @Test
    void memberWithoutItsLeaseSendsNothing() {
        world.holdsLease = false;
        first.pause();
        int sent = world.network.messages();
        world.network.carrier(someLink(), false);
        world.network.edit(spec.switches().get(0).name(), program -> Program.EMPTY);
        world.pass(MINUTES);
        assertThat(world.network.messages()).isEqualTo(sent);
        assertThat(world.network.watched()).isEmpty();

        world.holdsLease = true;
        first.resume();
        world.pass(MINUTES);
        assertThat(world.network.messages()).isGreaterThan(sent);
        assertThat(world.network.watched()).isNotEmpty();
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** A member can become active a second time. */
    @Test
    void memberMayBecomeActiveAgain() {
        int sent = world.network.messages();
        first.deactivate();
        takeOver();
        world.pass(MINUTES);
        second.deactivate();
        first.activate(new FabricDrivers(world.network, world.network, world.runs, () -> true));
        world.pass(MINUTES);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.network.messages()).isEqualTo(sent);
    }

    /** A standby member refuses operations and names the active member. */
    @Test
    void standbyMemberRefuses() {
        second.standby(() -> "ask member-1");
        assertThat(second.standbyReason()).contains("ask member-1");
        assertThat(second.spec(spec.name())).isEqualTo(spec);
        assertThatThrownBy(() -> second.rebalance(spec.name(), OptionalInt.empty()).toCompletableFuture().join())
            .isInstanceOf(CompletionException.class).hasCauseInstanceOf(StandbyException.class)
            .hasMessageContaining("ask member-1");
    }

    private void takeOver() {
        second.activate(new FabricDrivers(world.network, world.network, world.runs, () -> true));
    }

    private Segment someLink() {
        return topology.between(topology.leaf(1, 1), topology.spines(1).firstEntry().getValue()).get(0);
    }

    /** Passes every report to both members. */
    private record Both(FabricManager one, FabricManager other) implements BridgeListener, RuleListener {
        private Stream<FabricManager> all() {
            return Stream.of(one, other);
        }

        @Override
        public void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes) {
            all().forEach(each -> each.nodeConnected(systemId, ovsVersion, interfaceTypes));
        }

        @Override
        public void nodeDisconnected(String systemId) {
            all().forEach(each -> each.nodeDisconnected(systemId));
        }

        @Override
        public boolean isExpected(String systemId) {
            return one.isExpected(systemId);
        }

        @Override
        public Optional<String> fabricOf(String systemId, String bridge) {
            return one.fabricOf(systemId, bridge).or(() -> other.fabricOf(systemId, bridge));
        }

        @Override
        public void bridgeGone(MarkedBridge bridge) {
            one.bridgeGone(bridge);
            other.bridgeGone(bridge);
        }

        @Override
        public void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
            all().forEach(each -> each.bridge(systemId, bridge, ports, error));
        }

        @Override
        public void ringsDropped(String systemId, String bridge, SortedMap<String, RingDrops> drops, boolean isNow) {
            all().forEach(each -> each.ringsDropped(systemId, bridge, drops, isNow));
        }

        @Override
        public void switchConnected(long datapathId) {
            all().forEach(each -> each.switchConnected(datapathId));
        }

        @Override
        public void switchDisconnected(long datapathId) {
            all().forEach(each -> each.switchDisconnected(datapathId));
        }

        @Override
        public void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits) {
            all().forEach(each -> each.portChanged(datapathId, number, up, bits));
        }

        @Override
        public void rulesChanged(long datapathId) {
            all().forEach(each -> each.rulesChanged(datapathId));
        }

        @Override
        public void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
            all().forEach(each -> each.peerSeen(datapathId, port, peerDatapathId, peerPort));
        }
    }
}
