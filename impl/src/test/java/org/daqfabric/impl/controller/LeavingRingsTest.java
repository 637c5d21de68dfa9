package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A spine with daqrings that hold packets is drained. */
class LeavingRingsTest {
    private static final Duration A_WHILE = Duration.ofMillis(2500);
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 2, 6, 6, 2);
    private final World world =
        new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
    private String spine;
    private int ring;

    @BeforeEach
    void fill() {
        world.configure(spec);
        world.pass(Duration.ofSeconds(10));
        spine = spec.switches().stream().map(Switch::name)
            .filter(name -> name.startsWith("spine") && !rings(name).isEmpty()).findFirst().orElseThrow();
        ring = rings(spine).values().iterator().next();
        world.network.devices.hold(spine, ring, 3);
    }

    private Map<String, Integer> rings(String switchName) {
        Map<String, Integer> rings = new TreeMap<>();
        world.network.bridge(switchName).orElseThrow().ports().forEach((name, port) -> {
            if (PortAllocator.isRing(port.number())) {
                rings.put(name, port.number());
            }
        });
        return rings;
    }

    private void drain() {
        world.manager.fabricChanged(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream()
            .map(each -> each.name().equals(spine) ? new Switch(each.name(), each.systemId(), each.ovsdbAddress(),
                each.bridge(), each.datapathType(), AdminState.DRAINED) : each).toList(), spec.links(),
            spec.policy()));
    }

    /** Whether a rule takes what leaves the daqring onward. */
    private boolean isServed() {
        Program program = world.network.programs().get(spine);
        return program.rules().values().stream().anyMatch(rule -> rule.match().inPort().equals(
            OptionalInt.of(ring)));
    }

    @Test
    void daqringAndItsRuleStayUntilItIsEmpty() {
        drain();
        world.pass(A_WHILE);
        assertThat(rings(spine)).containsValue(ring);
        assertThat(isServed()).isTrue();
        world.network.devices.hold(spine, ring, 0);
        world.pass(A_WHILE);
        assertThat(rings(spine)).isEmpty();
        assertThat(isServed()).isFalse();
    }

    /** One that does not become empty, because its switch has no time or its port sends nothing, goes in the end. */
    @Test
    void daqringIsNotWaitedForForever() {
        drain();
        world.pass(Duration.ofSeconds(60));
        assertThat(rings(spine)).isEmpty();
    }

    /** What is drained comes back before its daqrings have gone: they stay. */
    @Test
    void daqringThatIsNeededAgainStays() {
        drain();
        world.pass(A_WHILE);
        world.manager.fabricChanged(spec);
        world.settle();
        world.pass(Duration.ofSeconds(60));
        assertThat(rings(spine)).isNotEmpty();
    }
}
