package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BridgePlanTest {
    private static final String SERIAL = "0123456789abcdef01234567";
    private static final SortedSet<String> CONTROLLERS =
        new TreeSet<>(Set.of("tcp:10.0.0.1:6653", "tcp:10.0.0.2:6653"));
    private final MemoryDatabase database = new MemoryDatabase("leaf-1-1");

    /** Once a plan has been carried out, nothing is left to do. */
    @Test
    void aBridgeIsMadeOnce() {
        Desired wanted = wanted(TestBridges.bridge("br-daq",
            Map.of("up1", TestBridges.bfd(1), "up2", TestBridges.device(2))));
        assertThat(carryOut(wanted).changes()).containsOnlyKeys("br-daq");
        assertThat(BridgePlan.of(database.snapshot(), wanted).changes()).isEmpty();
        assertThat(database.table("Controller")).hasSize(2);
        assertThat(database.table("Port")).hasSize(3);
    }

    /** Only what differs is written: a changed number takes the guard and an update of one row. */
    @Test
    void aChangeIsMinimal() {
        carryOut(wanted(TestBridges.bridge("br-daq",
            Map.of("up1", TestBridges.device(1), "up2", TestBridges.device(2)))));
        BridgePlan plan = BridgePlan.of(database.snapshot(),
            wanted(TestBridges.bridge("br-daq", Map.of("up1", TestBridges.device(1), "up2", TestBridges.device(3)))));
        assertThat(plan.changes().get("br-daq")).hasSize(2);
        assertThat(plan.changes().get("br-daq").get(0).get("op").getAsString()).isEqualTo("wait");
        assertThat(plan.changes().get("br-daq").get(1).getAsJsonObject("row").keySet())
            .containsExactly("ofport_request");
    }

    /** A port that moves between our bridges leaves one and joins the other in one transaction. */
    @Test
    void aPortMovesBetweenOurBridges() {
        carryOut(wanted(TestBridges.bridge("a", Map.of("up1", TestBridges.device(1))),
            TestBridges.bridge("b", Map.of())));
        carryOut(wanted(TestBridges.bridge("a", Map.of()),
            TestBridges.bridge("b", Map.of("up1", TestBridges.device(1)))));
        assertThat(portsOf("a")).containsExactly("a");
        assertThat(portsOf("b")).containsExactly("b", "up1");
    }

    /** A port of another bridge stays there; the rest of our bridge is made. */
    @Test
    void aPortOfAnotherBridgeIsReportedAndLeftAlone() {
        foreignBridge("br-ex", "up1");
        Desired wanted = wanted(TestBridges.bridge("br-daq",
            Map.of("up1", TestBridges.device(1), "up2", TestBridges.device(2))));
        BridgePlan plan = carryOut(wanted);
        assertThat(plan.problems().get("br-daq").ports().get("up1")).contains("br-ex");
        assertThat(portsOf("br-ex")).containsExactly("br-ex", "up1");
        assertThat(portsOf("br-daq")).containsExactly("br-daq", "up2");
        assertThat(BridgePlan.of(database.snapshot(), wanted).changes()).isEmpty();
    }

    /** A bridge that someone else made is not taken over just because of its name. */
    @Test
    void aBridgeWithoutOurMarkIsLeftAlone() {
        foreignBridge("br-daq", "eth0");
        Map<String, Map<String, JsonObject>> before = database.copy();
        BridgePlan plan = carryOut(wanted(TestBridges.bridge("br-daq", Map.of("up1", TestBridges.device(1)))));
        assertThat(plan.problems().get("br-daq").bridge()).contains("external_ids:daqfabric=atlas");
        assertThat(database.copy()).isEqualTo(before);
    }

    /** Undesired bridges are removed if their fabric has other bridges here; those of other fabrics stay. */
    @Test
    void orphansOfOtherFabricsStay() {
        carryOut(wanted(TestBridges.bridge("a", Map.of()), TestBridges.bridge("b", Map.of()),
            TestBridges.bridge("cms", "c", Map.of())));
        Bridge desired = TestBridges.bridge("a", Map.of());
        assertThat(BridgePlan.of(database.snapshot(), wanted(desired)).changes()).isEmpty();
        BridgePlan plan = carryOut(new Desired(byName(desired), Map.of(), true, Map.of(), CONTROLLERS, SERIAL));
        assertThat(plan.changes()).containsOnlyKeys("b");
        assertThat(plan.orphans()).containsExactly("c");
        assertThat(BridgePlan.of(database.snapshot(),
            new Desired(new TreeMap<>(), Map.of(), true, Map.of(), CONTROLLERS, SERIAL)).changes()).isEmpty();
    }

    /** Removing a bridge removes its ports and controllers. */
    @Test
    void removalLeavesNothing() {
        carryOut(wanted(TestBridges.bridge("br-daq", Map.of("up1", TestBridges.device(1)))));
        carryOut(leaving("br-daq"));
        List.of("Bridge", "Port", "Interface", "Controller").forEach(row -> assertThat(database.table(row)).isEmpty());
    }

    /** What another fabric made, or is configured to have, is not removed for the fabric that had it before. */
    @Test
    void removalIsOfTheFabricsOwnBridge() {
        carryOut(wanted(TestBridges.bridge("cms", "a", Map.of()), TestBridges.bridge("b", Map.of()),
            TestBridges.bridge("c", Map.of())));
        SortedSet<String> atlas = new TreeSet<>(Set.of("atlas"));
        BridgePlan plan = carryOut(new Desired(new TreeMap<>(), Map.of("a", atlas, "b", atlas, "c", atlas), true,
            Map.of("b", "cms", "c", "atlas"), CONTROLLERS, SERIAL));
        assertThat(plan.changes()).containsOnlyKeys("c");
        assertThat(plan.orphans()).containsExactly("a");
    }

    /** A bridge that a fabric is configured to have is no orphan before it is requested. */
    @Test
    void configuredBridgeIsNoOrphan() {
        carryOut(wanted(TestBridges.bridge("a", Map.of()), TestBridges.bridge("b", Map.of())));
        BridgePlan plan = BridgePlan.of(database.snapshot(), new Desired(
            byName(TestBridges.bridge("a", Map.of())), Map.of(), true, Map.of("b", "atlas"), CONTROLLERS, SERIAL));
        assertThat(plan.changes()).isEmpty();
        assertThat(plan.orphans()).isEmpty();
    }

    /** While no controller address is known, the present controllers stay. */
    @Test
    void controllersStayWhenNoneIsKnown() {
        carryOut(wanted(TestBridges.bridge("br-daq", Map.of())));
        BridgePlan plan = BridgePlan.of(database.snapshot(), new Desired(
            byName(TestBridges.bridge("br-daq", Map.of())), Map.of(), false, Map.of(), new TreeSet<>(), SERIAL));
        assertThat(plan.changes()).isEmpty();
    }

    /** A transaction planned on an old snapshot does nothing to a bridge that has lost our mark since. */
    @Test
    void aPlanDoesNothingToABridgeThatIsNoLongerOurs() {
        carryOut(wanted(TestBridges.bridge("br-daq", Map.of())));
        BridgePlan plan = BridgePlan.of(database.snapshot(), leaving("br-daq"));
        database.table("Bridge").values().forEach(row -> row.add("external_ids", OvsdbValues.map(Map.of())));
        assertThat(catchThrowable(() -> run(plan))).hasMessage("timed out");
        assertThat(database.table("Bridge")).hasSize(1);
    }

    static IntStream seeds() {
        return IntStream.range(0, 500);
    }

    /** A single transaction is enough to get from any state to any desired one, and changes nothing foreign. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyStateReachesTheDesiredOneInOneTransaction(int seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            tamper(random);
            Desired wanted = randomWanted(random);
            Map<String, Set<String>> foreign = foreignPorts();
            Map<String, JsonObject> foreignBridges = new TreeMap<>();
            database.table("Bridge").forEach((uuid, row) -> {
                BridgeRow read = database.snapshot().bridges().get(uuid);
                Bridge named = wanted.bridges().getOrDefault(read.name(), TestBridges.bridge("none", "", Map.of()));
                if (!OwnBridges.NONE.isOurs(database.snapshot(), read, named)) {
                    foreignBridges.put(uuid, row.deepCopy());
                }
            });
            SortedMap<String, String> marks = database.snapshot().marks();
            BridgePlan plan = carryOut(wanted);

            String state = "seed " + seed + " round " + round;
            BridgePlan again = BridgePlan.of(database.snapshot(), wanted);
            assertThat(again.changes()).as(state).isEmpty();
            assertThat(again.problems()).as(state).isEqualTo(plan.problems());
            foreignBridges.forEach((uuid, row) ->
                assertThat(database.table("Bridge").get(uuid)).as(state).isEqualTo(row));
            foreign.forEach((bridge, ports) -> {
                if (database.snapshot().bridges().values().stream().anyMatch(row -> row.name().equals(bridge))) {
                    assertThat(portsOf(bridge)).as(state).containsAll(ports);
                }
            });
            wanted.bridges().values().forEach(bridge -> assertAsWanted(state, bridge, plan));
            Set<String> left = database.snapshot().marks().keySet();
            marks.forEach((bridge, fabric) -> {
                String owner = wanted.owners().getOrDefault(bridge, fabric);
                assertThat(left.contains(bridge) || owner.equals(fabric)).as(state).isTrue();
            });
        }
    }

    private void assertAsWanted(String state, Bridge desired, BridgePlan plan) {
        BridgePlan.Problems problems = plan.problems().getOrDefault(desired.name(), BridgePlan.Problems.NONE);
        if (!problems.bridge().isEmpty()) {
            return;
        }
        OvsdbSnapshot snapshot = database.snapshot();
        BridgeRow row = bridge(desired.name());
        assertThat(row.failMode()).as(state).isEqualTo("secure");
        assertThat(row.otherConfig()).as(state).containsEntry("hwaddr", desired.mac().toString());
        assertThat(row.externalIds()).as(state).containsEntry(BridgePlan.MARK, desired.fabric());
        assertThat(row.controllers().stream().map(uuid -> snapshot.controllers().get(uuid).target()).toList())
            .as(state).containsAll(CONTROLLERS);
        SortedMap<String, Port> ours = new TreeMap<>();
        for (String uuid : row.ports()) {
            PortRow port = snapshot.ports().get(uuid);
            if (port.externalIds().containsKey(BridgePlan.MARK) && !port.name().equals(desired.name())
                    && !problems.ports().containsKey(port.name())) {
                InterfaceRow held = snapshot.interfaces().get(port.interfaces().first());
                ours.put(port.name(), new Port((int) held.ofportRequest().orElse(0), held.type(), held.options(),
                    held.bfd()));
            }
        }
        SortedMap<String, Port> expected = new TreeMap<>(desired.ports());
        expected.keySet().removeAll(problems.ports().keySet());
        assertThat(ours).as(state).isEqualTo(expected);
        row.ports().stream().map(uuid -> snapshot.ports().get(uuid))
            .filter(port -> port.name().equals(desired.name()) || expected.containsKey(port.name())
                && !expected.get(port.name()).type().equals("daqring"))
            .filter(port -> port.externalIds().containsKey(BridgePlan.MARK))
            .forEach(port -> assertThat(snapshot.interfaces().get(port.interfaces().first()).mtuRequest())
                .as(state).isEqualTo(desired.mtu().isEmpty() ? OptionalLong.empty()
                    : OptionalLong.of(desired.mtu().getAsInt())));
    }

    /** Random changes by others: foreign bridges and ports, changed settings, lost marks. */
    private void tamper(Random random) {
        if (random.nextInt(3) == 0) {
            String bridge = "b" + random.nextInt(4);
            if (database.snapshot().bridges().values().stream().noneMatch(row -> row.name().equals(bridge))
                    && isFree(bridge)) {
                String port = "p" + random.nextInt(6);
                foreignBridge(bridge, isFree(port) ? new String[] {port} : new String[0]);
            }
        }
        for (Map.Entry<String, JsonObject> row : database.table("Bridge").entrySet()) {
            String port = "p" + random.nextInt(6);
            if (random.nextInt(3) == 0 && isFree(port)) {
                addPort(row.getKey(), port, random.nextInt(4) == 0 ? "x" + port : port);
            }
            switch (random.nextInt(8)) {
                case 0 -> row.getValue().addProperty("fail_mode", "standalone");
                case 1 -> row.getValue().add("other_config", OvsdbValues.map(Map.of("theirs", "1", "hwaddr", "wrong")));
                case 2 -> row.getValue().add("protocols", OvsdbValues.set(List.of()));
                case 3 -> row.getValue().add("external_ids", OvsdbValues.map(Map.of("theirs", "2")));
                case 4 -> row.getValue().add("external_ids", OvsdbValues.map(Map.of(BridgePlan.MARK, "cms")));
                case 5 -> row.getValue().add("controller", OvsdbValues.set(List.of()));
                default -> {
                }
            }
        }
        database.table("Interface").values().forEach(row -> {
            if (random.nextInt(6) == 0 && row.get("name").getAsString().startsWith("p")) {
                row.add("options", OvsdbValues.map(Map.of("odd", "1")));
                row.addProperty("ofport_request", 99);
            }
        });
        database.table("Controller").values().forEach(row -> {
            if (random.nextInt(6) == 0) {
                row.addProperty("max_backoff", 8000);
            }
            if (random.nextInt(6) == 0) {
                row.addProperty("target", "tcp:192.0.2." + random.nextInt(9) + ":6653");
            }
        });
        database.transact(List.of());
    }

    private Desired randomWanted(Random random) {
        SortedMap<String, Bridge> bridges = new TreeMap<>();
        SortedMap<String, SortedSet<String>> toRemove = new TreeMap<>();
        SortedMap<String, String> owners = new TreeMap<>();
        for (int at = 0; at < 4; at++) {
            String name = "b" + at;
            if (random.nextBoolean()) {
                SortedMap<String, Port> ports = new TreeMap<>();
                for (int port = 0; port < 6; port++) {
                    if (random.nextInt(3) == 0) {
                        ports.put("p" + port, switch (random.nextInt(3)) {
                            case 0 -> TestBridges.bfd(port + 1);
                            case 1 -> TestBridges.port(port + 10, "daqring",
                                Map.of("ring-size", "" + random.nextInt(3)));
                            default -> TestBridges.device(port + 1);
                        });
                    }
                }
                if (random.nextInt(10) == 0) {
                    ports.put("b" + random.nextInt(4), TestBridges.device(50));
                }
                Bridge bridge = TestBridges.bridge(random.nextInt(4) == 0 ? "cms" : "atlas", name, ports);
                bridges.put(name, random.nextBoolean() ? bridge
                    : TestBridges.mtu(bridge, random.nextBoolean() ? 1500 : 9000));
            } else if (random.nextBoolean()) {
                toRemove.put(name, new TreeSet<>(Set.of(random.nextBoolean() ? "atlas" : "cms")));
                if (random.nextBoolean()) {
                    owners.put(name, random.nextBoolean() ? "atlas" : "cms");
                }
            }
        }
        return new Desired(bridges, toRemove, random.nextBoolean(), owners, CONTROLLERS, SERIAL);
    }

    private Map<String, Set<String>> foreignPorts() {
        Map<String, Set<String>> foreign = new TreeMap<>();
        OvsdbSnapshot snapshot = database.snapshot();
        snapshot.bridges().values().forEach(row -> row.ports().forEach(uuid -> {
            PortRow port = snapshot.ports().get(uuid);
            if (!port.externalIds().containsKey(BridgePlan.MARK)) {
                foreign.computeIfAbsent(row.name(), name -> new TreeSet<>()).add(port.name());
            }
        }));
        return foreign;
    }

    private boolean isFree(String name) {
        return database.snapshot().ports().values().stream().noneMatch(port -> port.name().equals(name))
            && database.snapshot().interfaces().values().stream().noneMatch(row -> row.name().equals(name)
                || row.name().equals("x" + name));
    }

    private void foreignBridge(String name, String... ports) {
        Operations operations = new Operations();
        JsonObject row = new JsonObject();
        row.addProperty("name", name);
        operations.insert("Bridge", "fb", row);
        operations.mutate("Open_vSwitch", database.systemUuid(), only(OvsdbValues.array("bridges", "insert",
            OvsdbValues.set(List.of(OvsdbValues.namedUuid("fb"))))));
        database.transact(operations.list());
        String uuid = bridge(name).uuid();
        addPort(uuid, name, name);
        for (String port : ports) {
            addPort(uuid, port, port);
        }
    }

    private void addPort(String bridgeUuid, String port, String interfaceName) {
        Operations operations = new Operations();
        JsonObject interfaceRow = new JsonObject();
        interfaceRow.addProperty("name", interfaceName);
        operations.insert("Interface", "fi", interfaceRow);
        JsonObject row = new JsonObject();
        row.addProperty("name", port);
        row.add("interfaces", OvsdbValues.namedUuid("fi"));
        operations.insert("Port", "fp", row);
        operations.mutate("Bridge", bridgeUuid, only(OvsdbValues.array("ports", "insert",
            OvsdbValues.set(List.of(OvsdbValues.namedUuid("fp"))))));
        database.transact(operations.list());
    }

    private BridgePlan carryOut(Desired wanted) {
        BridgePlan plan = BridgePlan.of(database.snapshot(), wanted);
        run(plan);
        return plan;
    }

    private void run(BridgePlan plan) {
        List<JsonObject> operations = new ArrayList<>();
        plan.changes().values().forEach(operations::addAll);
        database.transact(operations);
    }

    private BridgeRow bridge(String name) {
        return database.snapshot().bridges().values().stream().filter(row -> row.name().equals(name)).findFirst()
            .orElseThrow();
    }

    private List<String> portsOf(String name) {
        OvsdbSnapshot snapshot = database.snapshot();
        return bridge(name).ports().stream().map(uuid -> snapshot.ports().get(uuid).name()).sorted().toList();
    }

    private static Desired wanted(Bridge... bridges) {
        return new Desired(byName(bridges), Map.of(), false, Map.of(), CONTROLLERS, SERIAL);
    }

    private static Desired leaving(String bridge) {
        return new Desired(new TreeMap<>(), Map.of(bridge, new TreeSet<>(Set.of(TestBridges.FABRIC))), false, Map.of(),
            CONTROLLERS, SERIAL);
    }

    private static SortedMap<String, Bridge> byName(Bridge... bridges) {
        SortedMap<String, Bridge> map = new TreeMap<>();
        for (Bridge bridge : bridges) {
            map.put(bridge.name(), bridge);
        }
        return map;
    }

    private static JsonArray only(JsonArray element) {
        return OvsdbValues.array(element);
    }
}
