package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.PortReading.Line;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortConditionsTest {
    /** All links have 10 Gbps. */
    private final Topology topology = new Topology(TestFabrics.regular("f", 1, 2, 2, 1, 1, 2));
    private final Link link = topology.spec().links().get(0);

    private List<PortState> with(PortId port, Line line) {
        return with(port, Map.of(port.port(), new PortReading(Map.of(), line),
            "other", new PortReading(Map.of(), line)));
    }

    private List<PortState> with(PortId port, Map<String, PortReading> read) {
        return PortConditions.of(topology, Map.of(port.switchName(), SwitchPorts.UNKNOWN.after(read)));
    }

    private static Line line(double gbps, String duplex) {
        return new Line(OptionalDouble.of(gbps), duplex, OptionalLong.of(1500));
    }

    /** Both ends of a link are compared with its capacity; ports of no link are not shown. */
    @Test
    void slowerThanDeclared() {
        for (PortId port : List.of(link.end(), link.peer())) {
            assertThat(with(port, line(1, "full"))).containsExactly(new PortState(port, OptionalDouble.of(1), "full",
                OptionalLong.of(1500), "1 Gbps where 10 Gbps are declared: use a card, transceiver and cable of that"
                    + " speed, or correct the capacity of link " + link.end()));
        }
    }

    /** A capacity of 9.999 for 10 or the other way round is a matter of taste, and a faster card may be planned. */
    @ParameterizedTest
    @ValueSource(doubles = { 9.995, 10, 25 })
    void asFastAsDeclared(double gbps) {
        assertThat(with(link.end(), line(gbps, "full"))).extracting(PortState::fault).containsExactly("");
    }

    @Test
    void unknownIsNoFault() {
        assertThat(with(link.end(), new Line(OptionalDouble.empty(), "", OptionalLong.of(9000))))
            .containsExactly(new PortState(link.end(), OptionalDouble.empty(), "", OptionalLong.of(9000), ""));
    }

    /** What was missed before the first reading is history; what is missed now is reported until it ends. */
    @Test
    void missesPackets() {
        SwitchPorts ports = SwitchPorts.UNKNOWN;
        List<Boolean> missing = new ArrayList<>();
        for (long count : new long[] { 70, 70, 75, 76, 76, 3 }) {
            ports = ports.after(Map.of(link.end().port(), new PortReading(Map.of("rx_missed_errors", count),
                line(10, "full"))));
            missing.add(PortConditions.of(topology, Map.of(link.end().switchName(), ports)).get(0).fault()
                .startsWith("it misses packets"));
        }
        assertThat(missing).containsExactly(false, false, true, true, false, false);
    }

    @Test
    void halfDuplex() {
        assertThat(with(link.end(), line(0.1, "half"))).singleElement().extracting(PortState::fault).asString()
            .startsWith("0.1 Gbps where 10 Gbps").contains("; half duplex");
    }
}
