package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.NoRuns;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.whatif.RuleQueries;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.daqfabric.impl.memory.MemoryRemovalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.yang.svc.v1.urn.daqfabric.operations.rev261121.YangModuleInfoImpl;

/** The rpcs rules and export-topology in JSON, on a small fabric with a network in memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewRpcsTest {
    private static final FabricSpec SMALL = TestFabrics.regular("small", 2, 2, 2, 1, 1, 4);
    private final MemoryNetwork network = new MemoryNetwork(new Random(1), Set.of("system"));
    private final RpcCalls calls;

    ViewRpcsTest() {
        FabricManager manager = new FabricManager(new FabricServices(new Unstored(), new MemoryRemovalStore(),
            new Unseen(), new Clocks(() -> Instant.EPOCH, () -> Instant.EPOCH),
            (delay, task) -> { }, Runnable::run, Runnable::run, Runnable::run, Duration.ZERO,
            Recorder.NONE));
        manager.activate(new FabricDrivers(network, network, new NoRuns(), () -> true));
        network.listeners(manager, manager);
        network.build(new Topology(SMALL));
        manager.fabricChanged(SMALL);
        manager.configurationRead();
        settle();
        calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(), service -> new ViewRpcs(service,
            new RuleQueries(manager.whatIf(), this::read), fabric -> "document of " + fabric,
            RpcCalls.takenUp()));
    }

    private void settle() {
        while (network.step()) {
            // until nothing is left
        }
    }

    private CompletionStage<InstalledState> read(long datapathId) {
        CompletionStage<InstalledState> answer = network.read(datapathId);
        settle();
        return answer;
    }

    private JsonObject rules(String more) {
        return calls.call("rules", "{\"fabric\":\"small\",\"switch\":\"leaf-1-1\"" + more + "}");
    }

    private static int count(JsonObject output, String list) {
        return output.has(list) ? output.getAsJsonArray(list).size() : 0;
    }

    /** A switch that holds its program shows each entry as installed; pages together are the whole. */
    @Test
    void pagesAreTheWhole() {
        JsonObject all = rules("");
        int entries = all.get("entries").getAsInt();
        assertThat(all.get("differences").getAsInt()).isZero();
        assertThat(count(all, "rule") + count(all, "group")).isEqualTo(entries);
        for (JsonElement rule : all.getAsJsonArray("rule")) {
            assertThat(rule.getAsJsonObject().get("state").getAsString()).isEqualTo("installed");
            assertThat(rule.getAsJsonObject().get("cookie").getAsString()).startsWith("0xdaf0");
        }
        int seen = 0;
        for (int offset = 0; offset < entries; offset += 3) {
            JsonObject page = rules(",\"offset\":\"" + offset + "\",\"limit\":\"3\"");
            assertThat(count(page, "rule") + count(page, "group")).isEqualTo(Math.min(3, entries - offset));
            seen += count(page, "rule") + count(page, "group");
        }
        assertThat(seen).isEqualTo(entries);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"fabric\":\"small\"} | switch: is missing",
        "{\"fabric\":\"small\",\"switch\":\"none\"} | has no switch none",
        "{\"fabric\":\"none\",\"switch\":\"leaf-1-1\"} | there is no fabric none",
        "{\"fabric\":\"small\",\"switch\":\"leaf-1-1\",\"address\":\"10.0.0\"} | /input/address: '10.0.0' is not",
        "{\"fabric\":\"small\",\"switch\":\"leaf-1-1\",\"limit\":\"10001\"} | /input/limit: a number from 0 to 10000",
        "{\"fabric\":\"small\",\"switch\":\"leaf-1-1\",\"offset\":\"-1\"} | /input/offset: a number from 0" })
    void wrongInputIsRefused(String input, String message) {
        assertThatThrownBy(() -> calls.call("rules", input)).hasMessageContaining(message);
    }

    @Test
    void exportIsADocument() {
        assertThat(calls.call("export-topology", "{\"fabric\":\"small\"}").get("document").getAsString())
            .isEqualTo("document of small");
        assertThatThrownBy(() -> calls.call("export-topology", "{}")).hasMessageContaining("/input/fabric");
    }
}
