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
import org.daqfabric.api.state.PortState.Queue;
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
        return new Line(OptionalDouble.of(gbps), duplex, OptionalLong.of(1500), OptionalLong.empty(), "", List.of());
    }

    /** Both ends of a link are compared with its capacity; ports of no link are not shown. */
    @Test
    void slowerThanDeclared() {
        for (PortId port : List.of(link.end(), link.peer())) {
            assertThat(with(port, line(1, "full"))).containsExactly(new PortState(port, OptionalDouble.of(1), "full",
                OptionalLong.of(1500), List.of(), "1 Gbps where 10 Gbps are declared: use a card, transceiver and cable"
                    + " of that speed, or correct the capacity of link " + link.end()));
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
        assertThat(with(link.end(), new Line(OptionalDouble.empty(), "", OptionalLong.of(9000), OptionalLong.empty(),
            "", List.of()))).containsExactly(new PortState(link.end(), OptionalDouble.empty(), "",
                OptionalLong.of(9000), List.of(), ""));
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
    void threadHasNoTimeLeft() {
        assertThat(faultOf(0, new Queue(0, 2, 0, 20, 94))).isEmpty();
        assertThat(faultOf(0, new Queue(0, 2, 0, 20, 20), new Queue(1, 3, 0, 20, 95)))
            .isEqualTo("the PMD thread of processor 3, which polls queue 1, is busy for 95 % of its time: give the"
                + " switch more processors of NUMA node 0 (pmd-cpus)");
        assertThat(faultOf(0, new Queue(0, 2, 0, 90, 100))).endsWith("(pmd-cpus), and the port more queues (n-rxq)");
    }

    @Test
    void cardIsFarFromTheThread() {
        assertThat(faultOf(1, new Queue(0, 2, 1, 20, 30))).isEmpty();
        assertThat(faultOf(1, new Queue(0, 2, 0, 20, 30))).isEqualTo("the card is at NUMA node 1, and queue 0 is polled"
            + " from processor 2 of NUMA node 0, which takes longer: give the switch processors of the card's node"
            + " (pmd-cpus)");
    }

    private String faultOf(long numa, Queue... queues) {
        return with(link.end(), new Line(OptionalDouble.of(10), "full", OptionalLong.of(1500), OptionalLong.of(numa),
            "", List.of(queues))).get(0).fault();
    }

    @Test
    void halfDuplex() {
        assertThat(with(link.end(), line(0.1, "half"))).singleElement().extracting(PortState::fault).asString()
            .startsWith("0.1 Gbps where 10 Gbps").contains("; half duplex");
    }
}
