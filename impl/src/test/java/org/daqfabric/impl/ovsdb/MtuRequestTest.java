package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.junit.jupiter.api.Test;

/** The MTU of a fabric comes to its ports and goes, and one that was set by hand stays. */
class MtuRequestTest {
    private static final Bridge BRIDGE = TestBridges.bridge("br-daq", Map.of("up1", TestBridges.device(1), "ring-1",
        TestBridges.port(10_000, "daqring", Map.of())));

    private final MemoryDatabase database = new MemoryDatabase("leaf-1-1");

    private BridgePlan plan(Bridge bridge) {
        return BridgePlan.of(database.snapshot(), new Desired(new TreeMap<>(Map.of(bridge.name(), bridge)), Map.of(),
            false, Map.of(), new TreeSet<>(), ""));
    }

    private void carryOut(Bridge bridge) {
        plan(bridge).changes().values().forEach(database::transact);
        assertThat(plan(bridge).changes()).isEmpty();
    }

    /** What every interface is asked to have, by name. */
    private Map<String, Long> requests() {
        Map<String, Long> requests = new TreeMap<>();
        database.snapshot().interfaces().values().forEach(row ->
            row.mtuRequest().ifPresent(mtu -> requests.put(row.name(), mtu)));
        return requests;
    }

    /** Every port but a daqring has it, and so has the bridge's own; what is taken back leaves no trace. */
    @Test
    void comesAndGoes() {
        carryOut(BRIDGE);
        assertThat(requests()).isEmpty();
        carryOut(TestBridges.mtu(BRIDGE, 9000));
        assertThat(requests()).isEqualTo(Map.of("br-daq", 9000L, "up1", 9000L));
        carryOut(TestBridges.mtu(BRIDGE, 4000));
        assertThat(requests()).isEqualTo(Map.of("br-daq", 4000L, "up1", 4000L));
        carryOut(BRIDGE);
        assertThat(requests()).isEmpty();
        assertThat(database.snapshot().ports().values()).allSatisfy(port ->
            assertThat(port.externalIds()).isEqualTo(Map.of(BridgePlan.MARK, TestBridges.FABRIC)));
    }

    /** A bridge that is made with an MTU has it from the beginning. */
    @Test
    void newBridgesHaveIt() {
        carryOut(TestBridges.mtu(BRIDGE, 9000));
        assertThat(requests()).isEqualTo(Map.of("br-daq", 9000L, "up1", 9000L));
    }

    @Test
    void whatWasSetByHandStays() {
        carryOut(BRIDGE);
        database.table("Interface").values().forEach(row -> row.addProperty("mtu_request", 2000));
        assertThat(plan(BRIDGE).changes()).isEmpty();
    }
}
