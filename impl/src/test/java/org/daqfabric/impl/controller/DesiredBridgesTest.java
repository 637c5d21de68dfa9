package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryRemovalStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which bridges exist when the configuration of a fabric changes. */
class DesiredBridgesTest {
    private final FabricSpec spec = withSwitches(TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1), each -> each);
    private final Nodes nodes = new Nodes();
    private final World world = new World(1);
    private final Removals removals = new Removals(new FabricServices(world, new MemoryRemovalStore(), world,
        world.clocks, (delay, task) -> { }, Runnable::run, Runnable::run, Runnable::run, Duration.ZERO, Recorder.NONE),
        nodes);
    private final DesiredBridges bridges = new DesiredBridges("tiny", removals);

    /** Carries out every request at once. */
    private static final class Nodes implements BridgeDriver {
        final SortedSet<String> bridges = new TreeSet<>();
        final SortedSet<String> everRemoved = new TreeSet<>();
        /** Bridges that were last asked for with whatever further ports they have. */
        final SortedSet<String> withSurplus = new TreeSet<>();

        @Override
        public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
            bridges.add(systemId + "/" + bridge.name());
            withSurplus.remove(bridge.name() + " of " + systemId);
            if (bridge.surplusStays()) {
                withSurplus.add(bridge.name() + " of " + systemId);
            }
        }

        @Override
        public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
            bridges.remove(bridge.systemId() + "/" + bridge.bridge());
            everRemoved.add(bridge.systemId() + "/" + bridge.bridge());
        }

        @Override
        public void endRemoval(MarkedBridge bridge) {
            // removals do not wait here
        }

        @Override
        public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
            return CompletableFuture.completedFuture(new TreeMap<>());
        }

        @Override
        public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
            return CompletableFuture.completedFuture(new TreeMap<>());
        }
    }

    @BeforeEach
    void bringUp() {
        removals.load();
        removals.configurationRead();
        change(spec);
        assertThat(nodes.bridges).hasSize(spec.switches().size()).contains("spine-1-1/br-daq");
    }

    /** A spine is renamed and stays on its node. */
    @Test
    void renamedSwitchKeepsItsBridge() {
        FabricSpec renamed = withSwitches(spec, each -> each.name().equals("spine-1-1")
            ? described("spine-x", each.systemId(), each.bridge()) : each);
        Plane plane = renamed.planes().get(0);
        change(new FabricSpec("tiny", List.of(new Plane(plane.id(), List.of(new Spine(1, "spine-x"),
            plane.spines().get(1)), plane.leaves())), renamed.pods(), renamed.switches(),
            renamed.links().stream().filter(link -> !link.toString().contains("spine-1-1")).toList(),
            renamed.policy()));
        assertThat(nodes.bridges).hasSize(spec.switches().size()).contains("spine-1-1/br-daq");
        assertThat(nodes.everRemoved).isEmpty();
    }

    /** Two spines exchange their nodes. */
    @Test
    void exchangedBridgesStay() {
        change(withSwitches(spec, each -> switch (each.name()) {
            case "spine-1-1" -> described(each.name(), "spine-1-2", each.bridge());
            case "spine-1-2" -> described(each.name(), "spine-1-1", each.bridge());
            default -> each;
        }));
        assertThat(nodes.bridges).hasSize(spec.switches().size()).contains("spine-1-1/br-daq", "spine-1-2/br-daq");
        assertThat(nodes.everRemoved).isEmpty();
    }

    /** A spine moves to another node and one of another name takes its place: only what nobody has is removed. */
    @Test
    void bridgeThatASwitchHasLeftIsRemoved() {
        change(withSwitches(spec, each -> switch (each.name()) {
            case "spine-1-1" -> described(each.name(), "spine-1-2", each.bridge());
            case "spine-1-2" -> described(each.name(), "new", each.bridge());
            default -> each;
        }));
        assertThat(nodes.bridges).hasSize(spec.switches().size()).contains("spine-1-2/br-daq", "new/br-daq");
        assertThat(nodes.everRemoved).containsExactly("spine-1-1/br-daq");
    }

    /** A bridge gets another name. */
    @Test
    void bridgeOfTheOldNameIsRemoved() {
        change(withSwitches(spec, each -> each.name().equals("spine-1-1")
            ? described(each.name(), each.systemId(), "br-new") : each));
        assertThat(nodes.bridges).hasSize(spec.switches().size()).contains("spine-1-1/br-new");
        assertThat(nodes.everRemoved).containsExactly("spine-1-1/br-daq");
    }

    /**
     * A controller may stop when it has stored the decision without a link and has not told all switches: the link's
     * ports stay until the switches have confirmed the decision's rules to the next controller.
     */
    @Test
    void portsOfAnEarlierDecisionStayAfterARestart() {
        Topology topology = new Topology(spec);
        DesiredBridges restarted = new DesiredBridges("tiny", removals);
        restarted.assume(topology, Decision.NONE, Set.of(), Set.of(), Map.of());
        restarted.extend(topology, Decision.NONE);
        assertThat(nodes.withSurplus).hasSize(spec.switches().size());
        restarted.extend(topology, Decision.NONE);
        assertThat(nodes.withSurplus).hasSize(spec.switches().size());
        restarted.trim(topology, Decision.NONE);
        assertThat(nodes.withSurplus).isEmpty();
    }

    private void change(FabricSpec next) {
        Topology topology = new Topology(next);
        removals.configured(next);
        bridges.extend(topology, Decision.NONE);
        bridges.trim(topology, Decision.NONE);
    }

    private Switch described(String name, String systemId, String bridge) {
        Switch like = spec.switches().get(0);
        return new Switch(name, systemId, Optional.empty(), bridge, like.datapathType(), like.adminState());
    }

    private static FabricSpec withSwitches(FabricSpec spec, UnaryOperator<Switch> change) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream().map(change).toList(),
            spec.links(), spec.policy());
    }
}
