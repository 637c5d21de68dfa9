package org.daqfabric.impl.northbound.views;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What views of generated fabrics show. */
class ShownFabricTest {
    /** Every link that works is there in both directions between ports that are there, and no other link. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void cablesAreTheLinksThatWork(long seed) {
        Random random = new Random(seed);
        FabricSpec spec = TestFabrics.generated(random);
        FabricPorts ports = new GeneratedPorts(spec, random).next();
        ShownFabric view = ShownFabric.of(ports, Map.of());
        Set<Set<String>> expected = ports.state().links().stream()
            .filter(state -> EnumSet.of(OperState.UP, OperState.DRAINED).contains(state.operState()))
            .map(LinkState::end)
            .map(end -> spec.links().stream().filter(link -> link.end().equals(end)).findFirst().orElseThrow())
            .map(link -> Set.of(link.end().toString(), link.peer().toString())).collect(Collectors.toSet());
        Map<String, String> names = view.switches().values().stream().flatMap(node -> node.ports().stream()
            .map(port -> Map.entry(port.id(), node.name() + ":" + port.name())))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(view.cables().values()).hasSize(2 * expected.size()).allSatisfy(cable -> {
            assertThat(expected).contains(Set.of(names.get(cable.from()), names.get(cable.to())));
            assertThat(cable.from()).startsWith(cable.fromNode() + ":").isEqualTo(cable.id());
            assertThat(cable.to()).startsWith(cable.toNode() + ":");
            assertThat(view.cables().get(cable.to()).to()).isEqualTo(cable.from());
        });
    }

    /** Ports have their numbers and what was reported and read of them; daqrings are no ports. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void portsAreAsReportedAndRead(long seed) {
        Random random = new Random(seed);
        GeneratedPorts generated = new GeneratedPorts(TestFabrics.generated(random), random);
        FabricPorts ports = generated.next();
        String name = generated.anySwitch();
        SwitchReading reading = generated.reading(name);
        ShownFabric view = ShownFabric.of(ports, Map.of(name, reading));
        SwitchNode node = view.switches().values().stream().filter(each -> each.name().equals(name)).findFirst()
            .orElseThrow();
        assertThat(node.read()).contains(reading.when());
        Set<String> expected = new TreeSet<>();
        ports.numbers().of(name).forEach((port, number) -> {
            if (number < PortNumbers.FIRST_RING) {
                expected.add(node.id() + ":" + number);
            }
        });
        assertThat(node.ports().stream().filter(port -> !port.number().equals("LOCAL")).map(SwitchNode.Port::id))
            .containsExactlyInAnyOrderElementsOf(expected);
        node.ports().forEach(port -> {
            assertThat(port.counters().keySet()).isSubsetOf("rx_bytes", "tx_packets");
            assertThat(port.counters().isEmpty()).isEqualTo(!reading.ports().containsKey(port.name()));
            port.state().ifPresent(state -> {
                var status = ports.reported().get(name).ports().get(port.name());
                assertThat(port.exists()).isEqualTo(status != null);
                assertThat(state.down()).isEqualTo(status == null || !status.up());
                assertThat(state.live()).isEqualTo(ports.reported().get(name).live()
                    .getOrDefault(Integer.valueOf(port.number()), false));
            });
            port.kbps().ifPresent(kbps -> assertThat(kbps).isEqualTo(25_000_000));
        });
    }
}
