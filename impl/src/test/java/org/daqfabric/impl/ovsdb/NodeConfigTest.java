package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.junit.jupiter.api.Test;

/** What a node is told for its DPDK, when it is taken back, and when ovs-vswitchd must be restarted. */
class NodeConfigTest {
    private static final Map<String, String> SMALL = Map.of("dpdk-init", "try", "dpdk-socket-mem", "1024");
    private static final Map<String, String> LARGE = Map.of("dpdk-init", "try", "dpdk-socket-mem", "2048",
        "pmd-cpu-mask", "0x6");

    private final MemoryDatabase database = new MemoryDatabase("leaf-1-1");

    private static Bridge bridge(String name, Map<String, String> node) {
        Bridge plain = TestBridges.bridge(name, Map.of());
        return new Bridge(plain.fabric(), name, plain.datapathId(), plain.mac(), plain.datapathType(), plain.ports(),
            OptionalInt.empty(), new TreeMap<>(node), false);
    }

    private void carryOut(Map<String, SortedSet<String>> toRemove, Bridge... bridges) {
        SortedMap<String, Bridge> byName = new TreeMap<>();
        for (Bridge bridge : bridges) {
            byName.put(bridge.name(), bridge);
        }
        Desired desired = new Desired(byName, toRemove, false, Map.of(), new TreeSet<>(), "");
        BridgePlan.of(database.snapshot(), desired).changes().values().forEach(database::transact);
        assertThat(BridgePlan.of(database.snapshot(), desired).changes()).isEmpty();
    }

    private SystemRow system() {
        return database.snapshot().system().orElseThrow();
    }

    private void set(String column, Map<String, String> value) {
        database.table("Open_vSwitch").values().forEach(row -> row.add(column, OvsdbValues.map(value)));
        database.transact(List.of());
    }

    private void dpdkRuns(boolean is) {
        database.table("Open_vSwitch").values().forEach(row -> row.addProperty("dpdk_initialized", is));
        database.transact(List.of());
    }

    /** A node without such ports is left as it is, also with settings of its own. */
    @Test
    void nodesThatNeedNothingAreLeftAlone() {
        set("other_config", Map.of("dpdk-init", "true", "theirs", "1"));
        carryOut(Map.of(), bridge("a", Map.of()));
        assertThat(system().otherConfig()).isEqualTo(Map.of("dpdk-init", "true", "theirs", "1"));
        assertThat(system().externalIds()).containsOnlyKeys("system-id");
    }

    /** What was there before is put back when the last bridge that needs it goes. */
    @Test
    void settingsComeAndGoWithTheFabric() {
        set("other_config", Map.of("dpdk-socket-mem", "512", "theirs", "1"));
        carryOut(Map.of(), bridge("a", SMALL), bridge("b", Map.of()));
        assertThat(system().otherConfig())
            .isEqualTo(Map.of("dpdk-init", "try", "dpdk-socket-mem", "1024", "theirs", "1"));
        carryOut(Map.of("a", new TreeSet<>(Set.of(TestBridges.FABRIC))), bridge("b", Map.of()));
        assertThat(system().otherConfig()).isEqualTo(Map.of("dpdk-socket-mem", "512", "theirs", "1"));
        assertThat(system().externalIds()).containsOnlyKeys("system-id");
    }

    /** DPDK that somebody has switched on stays so. */
    @Test
    void dpdkThatIsOnStaysOn() {
        set("other_config", Map.of("dpdk-init", "true"));
        carryOut(Map.of(), bridge("a", Map.of("dpdk-init", "try")));
        assertThat(system().otherConfig()).isEqualTo(Map.of("dpdk-init", "true"));
        carryOut(Map.of("a", new TreeSet<>(Set.of(TestBridges.FABRIC))));
        assertThat(system().otherConfig()).isEqualTo(Map.of("dpdk-init", "true"));
    }

    /** A controller that knows only some of the bridges, as it has just started, takes nothing back. */
    @Test
    void nothingIsTakenBackWhileABridgeIsUnknown() {
        carryOut(Map.of(), bridge("a", SMALL));
        carryOut(Map.of());
        assertThat(system().otherConfig()).isEqualTo(SMALL);
        carryOut(Map.of(), bridge("b", Map.of()));
        assertThat(system().otherConfig()).isEqualTo(SMALL);
    }

    /** DPDK reads its memory when it starts, and its processors always. */
    @Test
    void aRestartIsNeededForWhatDpdkReadsAtItsStart() {
        carryOut(Map.of(), bridge("a", SMALL));
        dpdkRuns(true);
        assertThat(NodeConfig.isRestartNeeded(system())).isFalse();
        carryOut(Map.of(), bridge("a", LARGE));
        assertThat(NodeConfig.trouble(database.snapshot(), bridge("a", LARGE))).contains("restart ovs-vswitchd on")
            .contains("dpdk-socket-mem=1024");
        assertThat(NodeConfig.trouble(database.snapshot(), bridge("b", Map.of()))).isEmpty();
        carryOut(Map.of(), bridge("a", SMALL));
        assertThat(NodeConfig.isRestartNeeded(system())).as("as it runs").isFalse();

        carryOut(Map.of(), bridge("a", LARGE));
        database.transact(NodeConfig.restarted(system()));
        carryOut(Map.of(), bridge("a", LARGE));
        assertThat(NodeConfig.isRestartNeeded(system())).isFalse();
    }

    /** A process that was not restarted has older connections, or ones that it had lost. */
    @Test
    void aRestartIsSeenByTheConnections() {
        long minute = TimeUnit.MINUTES.toNanos(1);
        assertThat(RestartWatch.hasRestarted(controllers(Map.of("sec_since_connect", "5")), minute)).isTrue();
        assertThat(RestartWatch.hasRestarted(controllers(Map.of("sec_since_connect", "70")), minute)).isFalse();
        assertThat(RestartWatch.hasRestarted(controllers(Map.of("sec_since_connect", "5", "sec_since_disconnect",
            "9")), minute)).isFalse();
        assertThat(RestartWatch.hasRestarted(controllers(), minute)).isFalse();
    }

    @SafeVarargs
    private static JsonArray controllers(Map<String, String>... statuses) {
        JsonArray rows = new JsonArray();
        for (Map<String, String> status : statuses) {
            JsonObject row = new JsonObject();
            row.add("external_ids", OvsdbValues.map(Map.of(BridgePlan.MARK, "atlas")));
            row.addProperty("is_connected", true);
            row.add("status", OvsdbValues.map(status));
            rows.add(row);
        }
        return rows;
    }
}
