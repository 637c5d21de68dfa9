package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** The options of daqrings, and the MTU. */
class BridgeCompilerTest {
    private static final String LEAF = "leaf-1-1";
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 2, 6, 6, 2);

    private SortedMap<String, String> options(DaqringOptions own, Ipv4 of, Ipv4 dcm) {
        Policy policy = spec.policy();
        Topology topology = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links(), new Policy(policy.placement(), new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES,
            Policy.Backend.DAQRING, new DaqringOptions(100, 2, 30), new TreeMap<>(Map.of(of, own))),
            policy.protection(), policy.rules())));
        String port = "ring-" + dcm + "-br-daq";
        Bridge bridge = BridgeCompiler.of(topology, new PortNumbers(new TreeMap<>(Map.of(LEAF,
            new TreeMap<>(Map.of(port, PortNumbers.FIRST_RING))))), LEAF);
        return bridge.ports().get(port).options();
    }

    /** Every bridge of a fabric has its MTU. */
    @Test
    void bridgesHaveTheMtuOfTheFabric() {
        Policy policy = spec.policy();
        Topology topology = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links(), new Policy(policy.placement(), policy.daqring(), policy.protection(), policy.rules(),
            OptionalInt.of(9000))));
        assertThat(spec.switches()).allSatisfy(each ->
            assertThat(BridgeCompiler.of(topology, PortNumbers.EMPTY, each.name()).mtu()).hasValue(9000));
        assertThat(BridgeCompiler.of(new Topology(spec), PortNumbers.EMPTY, LEAF).mtu()).isEmpty();
    }

    @Test
    void dcmMayHaveItsOwn() {
        Ipv4 own = spec.pods().get(0).racks().get(0).dcms().get(0).address();
        Ipv4 other = spec.pods().get(0).racks().get(0).dcms().get(1).address();
        DaqringOptions options = new DaqringOptions(7, 1, 9, OptionalInt.of(0), OptionalInt.of(5));
        assertThat(options(options, own, own)).containsExactlyInAnyOrderEntriesOf(
            Map.of("ring-size", "7", "max-burst", "1", "polling-interval", "9", "credit", "0", "ecn-threshold", "5"));
        assertThat(options(options, own, other)).containsExactlyInAnyOrderEntriesOf(
            Map.of("ring-size", "100", "max-burst", "2", "polling-interval", "30"));
    }
}
