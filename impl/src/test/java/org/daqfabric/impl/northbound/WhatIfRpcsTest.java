package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.NoRuns;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.whatif.TrafficQueries;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.traffic.Counted;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.daqfabric.impl.memory.MemoryRemovalStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.yang.svc.v1.urn.daqfabric.operations.rev261121.YangModuleInfoImpl;

/** The rpcs plan, trace and what-fails in JSON, on a small fabric with a network in memory. */
class WhatIfRpcsTest {
    private static final FabricSpec SMALL = TestFabrics.regular("small", 2, 2, 2, 1, 1, 4);
    private static final Map<String, Map<String, Long>> COUNTS = new HashMap<>();
    private static RpcCalls calls;
    private static String unread = "";

    @BeforeAll
    static void bringUp() {
        MemoryNetwork network = new MemoryNetwork(new Random(1), Set.of("system", "daqring"));
        FabricManager manager = new FabricManager(new FabricServices(new Unstored(), new MemoryRemovalStore(),
            new Unseen(), new Clocks(() -> Instant.EPOCH, () -> Instant.EPOCH),
            (delay, task) -> { }, Runnable::run, task -> {
                throw new IllegalStateException("what users ask for keeps event loops waiting");
            }, Runnable::run, Duration.ZERO,
            Recorder.NONE));
        manager.activate(new FabricDrivers(network, network, new NoRuns(), () -> true));
        network.listeners(manager, manager);
        network.build(new Topology(SMALL));
        manager.fabricChanged(SMALL);
        manager.configurationRead();
        while (network.step()) {
            // until it settles
        }
        InMemoryBroker stored = new InMemoryBroker();
        calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(), service -> new WhatIfRpcs(service, manager,
            new FabricHistory(stored.broker(), new ConfigurationText(stored.serializer(), stored::model), 1),
            new TrafficQueries(manager.whatIf(), WhatIfRpcsTest::counted, Runnable::run), RpcCalls.takenUp()));
    }

    @AfterEach
    void nothingIsSent() {
        COUNTS.clear();
        unread = "";
    }

    private static List<JsonObject> list(JsonObject of, String name) {
        return of.has(name) ? of.getAsJsonArray(name).asList().stream().map(JsonElement::getAsJsonObject).toList()
            : List.of();
    }

    @Test
    void drainOfASpineMovesItsDcms() {
        JsonObject plan = calls.call("plan", "{'fabric':'small','drain-switch':['spine-1-1']}");
        assertThat(list(plan, "moved-dcm")).hasSize(2).allSatisfy(each -> {
            assertThat(each.get("from-plane").getAsInt()).isEqualTo(1);
            assertThat(each.get("from-spine").getAsInt()).isEqualTo(1);
        });
        JsonObject spine = list(plan, "switch").stream()
            .filter(each -> each.get("name").getAsString().equals("spine-1-1")).findFirst().orElseThrow();
        assertThat(spine.get("removed-daqrings").getAsInt()).isEqualTo(2);
        assertThat(spine.get("added-daqrings").getAsInt()).isZero();
        assertThat(plan.get("messages").getAsInt()).isEqualTo(list(plan, "switch").stream()
            .mapToInt(each -> each.get("messages").getAsInt()).sum()).isPositive();
        assertThat(plan.getAsJsonObject("before").get("utilisation").getAsString()).isEqualTo("1.0");
        assertThat(plan.getAsJsonObject("before").get("bandwidth").getAsDouble()).isEqualTo(40);
        assertThat(plan.getAsJsonObject("after").get("bandwidth").getAsDouble()).isEqualTo(40);
        assertThat(calls.call("plan", "{'fabric':'small','fail-switch':['leaf-1-1']}").getAsJsonObject("after")
            .get("bandwidth").getAsDouble()).isEqualTo(20);
    }

    /** Everything goes to two DCMs of a rack by the same plane; one ROS sends three times as much as the other. */
    @Test
    void measuredWeightsGainBandwidth() {
        List<String> same = list(calls.call("plan", "{'fabric':'small','drain-switch':['spine-1-1','spine-1-2']}"),
            "moved-dcm").stream().map(each -> each.get("dcm").getAsString()).filter(each -> each.startsWith("dcm-2"))
            .toList();
        assertThat(same).hasSize(2);
        COUNTS.put("ros-1-01", Map.of(same.get(0), 300L, same.get(1), 300L));
        COUNTS.put("ros-2-01", Map.of(same.get(0), 100L, same.get(1), 100L));
        JsonObject plan = calls.call("plan", "{'fabric':'small','measured-weights':0}");
        JsonObject measured = plan.getAsJsonObject("measured");
        assertThat(list(measured, "ros")).extracting(each -> each.get("fragment-weight").getAsDouble())
            .containsExactlyInAnyOrder(1.5, 0.5);
        assertThat(list(measured, "dcm")).extracting(each -> each.get("weight").getAsDouble())
            .containsExactlyInAnyOrder(0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 4.0, 4.0);
        assertThat(list(plan, "moved-dcm")).isNotEmpty();
        assertThat(plan.getAsJsonObject("before").get("bandwidth").getAsDouble()).isCloseTo(10, within(0.1));
        assertThat(plan.getAsJsonObject("after").get("bandwidth").getAsDouble()).isGreaterThan(13);
        unread = "it is off";
        assertThatThrownBy(() -> calls.call("plan", "{'fabric':'small','measured-weights':0}"))
            .hasMessageStartingWith("invalid-value: /input/measured-weights: what was sent is not known, as ros-1-01 "
                + "could not be read").hasMessageEndingWith("it is off");
    }

    /** What the rules of a ROS's switch have counted. */
    private static CompletionStage<SortedMap<Rule.Key, Counted>> counted(long datapathId) {
        if (!unread.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalStateException(unread));
        }
        Topology topology = new Topology(SMALL);
        SortedMap<Rule.Key, Counted> rules = new TreeMap<>();
        topology.endpoints().values().stream().filter(Endpoint::isDcm).forEach(dcm -> topology.endpoints().values()
            .stream().filter(host -> topology.datapathId(host.edge()) == datapathId).forEach(ros -> {
                long packets = COUNTS.getOrDefault(ros.name(), Map.of()).getOrDefault(dcm.name(), 0L);
                rules.put(new Rule.Key(2000, Match.to(dcm.address())), new Counted(packets, packets * 1000));
            }));
        return CompletableFuture.completedFuture(rules);
    }

    @Test
    void failureOfARackCutsItsDcmsOff() {
        JsonObject plan = calls.call("plan", "{'fabric':'small','fail-switch':['rack-1-01'],"
            + "'fail-link':[{'switch':'leaf-2-2','port':'h1'},{'switch':'rack-2-01','port':'p1'}]}");
        assertThat(list(plan, "cut-off")).hasSize(8).allSatisfy(each ->
            assertThat(each.get("reachable-ros").getAsInt()).isZero());
        assertThat(list(plan, "switch")).noneMatch(each -> each.get("name").getAsString().equals("rack-1-01"));
    }

    @Test
    void traceNamesPortsRulesGroupsAndDaqrings() {
        String input = "{'fabric':'small','ros':'ros-1-01','dcm':'dcm-2-01-001'";
        JsonObject now = calls.call("trace", input + "}");
        assertThat(now.keySet()).containsExactly("now");
        List<JsonObject> hops = list(now.getAsJsonObject("now").getAsJsonObject("to-dcm"), "hop");
        assertThat(hops).extracting(each -> each.get("index").getAsInt()).isSorted().hasSize(7);
        assertThat(hops.get(0).toString()).contains("LOCAL", "ros-1-01", "actions=group:");
        assertThat(hops).filteredOn(each -> each.has("daqring")).hasSize(2)
            .allSatisfy(each -> assertThat(each.get("daqring").getAsString()).isEqualTo("dcm-2-01-001"));
        JsonObject failed = calls.call("trace", input + ",'fail-switch':['leaf-1-2','leaf-2-2']}");
        JsonObject repaired = failed.getAsJsonObject("repaired").getAsJsonObject("to-dcm");
        assertThat(repaired.get("arrives").getAsBoolean()).isFalse();
        assertThat(repaired.get("problem").getAsString()).isNotEmpty();
        assertThat(failed.getAsJsonObject("switched").getAsJsonObject("to-ros").get("arrives").getAsBoolean())
            .isFalse();
    }

    /** The spine turns packets back until the controller has moved them. */
    @Test
    void traceTellsTheWayBeforeAndAfterTheRepair() {
        for (String dcm : List.of("dcm-2-01-001", "dcm-2-01-002", "dcm-2-01-003", "dcm-2-01-004")) {
            String input = "{'fabric':'small','ros':'ros-1-01','dcm':'" + dcm + "'";
            String spine = switches(calls.call("trace", input + "}"), "now").get(2);
            String other = spine.substring(0, spine.length() - 1) + (spine.endsWith("1") ? 2 : 1);
            String plane = spine.substring("spine-".length(), "spine-1".length());
            JsonObject failed = calls.call("trace", input + ",'fail-link':[{'switch':'leaf-" + plane + "-2','port':'s"
                + spine.substring(spine.length() - 1) + "'}]}");
            assertThat(switches(failed, "switched")).containsSubsequence(spine, "leaf-" + plane + "-1", other,
                "leaf-" + plane + "-2", "rack-2-01");
            assertThat(switches(failed, "repaired")).hasSize(5).doesNotContain(spine).endsWith("rack-2-01");
            for (String when : List.of("switched", "repaired")) {
                assertThat(failed.getAsJsonObject(when).getAsJsonObject("to-dcm").get("arrives").getAsBoolean())
                    .isTrue();
            }
        }
    }

    private static List<String> switches(JsonObject traced, String when) {
        List<String> names = new ArrayList<>();
        list(traced.getAsJsonObject(when).getAsJsonObject("to-dcm"), "hop").forEach(hop -> {
            String name = hop.get("switch").getAsString();
            if (names.isEmpty() || !names.get(names.size() - 1).equals(name)) {
                names.add(name);
            }
        });
        return names;
    }

    @Test
    void whatFailsListsEveryLinkAndSwitch() {
        JsonObject report = calls.call("what-fails", "{'fabric':'small'}");
        assertThat(list(report, "failure")).hasSize(SMALL.links().size()
            + SMALL.switches().size());
        assertThat(list(report, "failure").get(0).get("cut-off-dcms").getAsInt()).isEqualTo(4);
        assertThat(list(report, "failure").get(0).getAsJsonArray("cut-off-dcm")).hasSize(4);
    }

    /** A row for each ROS, with a name or a dash for each phase; the generation is that of the state. */
    @Test
    void scheduleHasEveryDcmOfEveryRos() {
        JsonObject schedule = calls.call("schedule", "{'fabric':'small'}");
        int phases = schedule.get("phases").getAsInt();
        assertThat(phases).isGreaterThanOrEqualTo(schedule.get("bound").getAsInt()).isPositive();
        assertThat(list(schedule, "ros")).hasSize(SMALL.pods().stream().mapToInt(pod -> pod.ros().size()).sum())
            .allSatisfy(ros -> assertThat(List.of(ros.get("dcms").getAsString().split(" "))).hasSize(phases)
                .contains("dcm-1-01-001").containsOnlyOnceElementsOf(List.of("dcm-1-01-001")));
        assertThat(schedule.get("bound-by").getAsString()).isNotEmpty();
        assertThat(schedule.get("pairs-without-path").getAsInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "schedule | {} | invalid-value: /input/fabric: name the fabric",
        "schedule | {'fabric':'nobody'} | invalid-value: /input/fabric: there is no fabric nobody",
        "plan | {} | invalid-value: /input/fabric: name the fabric",
        "plan | {'fabric':'small'} | invalid-value: /input: there is nothing to plan",
        "plan | {'fabric':'small','measured-weights':0} | invalid-value: /input/measured-weights: no ROS sent anything"
            + " to a DCM: measure while",
        "plan | {'fabric':'small','measured-weights':61} | invalid-value: /input/measured-weights: a number from 0",
        "plan | {'fabric':'small','measured-weights':'x'} | invalid-value: /input/measured-weights: this is no whole",
        "plan | {'fabric':'nobody','measured-weights':0} | invalid-value: /input/fabric: there is no fabric nobody",
        "plan | {'fabric':'nobody','candidate':{}} | invalid-value: /input/fabric: there is no fabric nobody",
        "plan | {'fabric':'small','drain-switch':['x']} | invalid-value: /input/drain-switch: fabric small has no "
            + "switch x",
        "plan | {'fabric':'small','fail-link':[{'port':'x'}]} | invalid-value: /input/fail-link: a link is named by",
        "plan | {'fabric':'small','undrain-link':[{'switch':'leaf-1-1','port':'x'}]} | invalid-value: "
            + "/input/undrain-link: fabric small has no link at leaf-1-1:x; the ports",
        "plan | {'fabric':'small','candidate':{'link':[{'switch':'a','port':'b'}]}} | invalid-value: "
            + "/input/candidate/link[switch='a'][port='b']: the leaf peer-switch",
        "plan | {'fabric':'small','candidate':{'plane':[{'id':1}]}} | invalid-value: /input/candidate/plane[id='1']",
        "trace | {'fabric':'small','dcm':'d'} | invalid-value: /input/ros: is missing",
        "trace | {'fabric':'small','ros':'r','dcm':'d'} | invalid-value: /input/ros: fabric small has no ROS r; it "
            + "has ros-1-01",
        "what-fails | {} | invalid-value: /input/fabric: name the fabric",
    })
    void whatCannotBeMeantIsRefused(String rpc, String input, String why) {
        assertThatThrownBy(() -> calls.call(rpc, input)).hasMessageStartingWith(why);
    }
}
