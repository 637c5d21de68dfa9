package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;
import org.daqfabric.impl.ovsdb.BridgeStatus.Report;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.junit.jupiter.api.Test;

/** A bridge that we made stays ours when another tool clears what marks it. */
class OwnBridgesTest {
    private static final String SERIAL = "0123456789abcdef01234567";
    private final MemoryDatabase database = new MemoryDatabase("leaf");
    private final Bridge bridge = TestBridges.bridge("br-daq", Map.of("up", TestBridges.bfd(1)));

    /** What a network reload clears is restored, as it was: known by the marks of its ports. */
    @Test
    void aNetworkReloadIsPutRight() {
        carryOut(OwnBridges.NONE);
        BridgeRow before = bridge();
        clear();
        BridgePlan plan = carryOut(new OwnBridges(Map.of(), Map.of("br-daq", SERIAL)));
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.corrections().get("br-daq")).first().asString().contains("another tool has cleared"
            + " external_ids:daqfabric, controller, fail_mode, protocols, other_config:datapath-id", "restored");
        assertThat(bridge()).usingRecursiveComparison().ignoringFields("controllers").isEqualTo(before);
        assertThat(bridge().controllers()).hasSize(1);
        assertThat(BridgePlan.of(database.snapshot(), wanted(OwnBridges.NONE)).changes()).isEmpty();
    }

    /** Without marks of ports it is known by its uuid, as long as a bridge of that uuid exists. */
    @Test
    void aBridgeIsKnownByItsUuid() {
        carryOut(OwnBridges.NONE);
        OwnBridges known = new OwnBridges(OwnBridges.observe(Map.of(), database.snapshot()), Map.of());
        clear();
        database.table("Port").values().forEach(row -> row.add("external_ids", OvsdbValues.map(Map.of())));
        assertThat(BridgePlan.of(database.snapshot(), wanted(OwnBridges.NONE)).problems()).containsKey("br-daq");
        assertThat(OwnBridges.observe(known.fabrics(), database.snapshot())).isEqualTo(known.fabrics());
        assertThat(carryOut(known).problems()).isEmpty();
        assertThat(database.snapshot().marks()).containsEntry("br-daq", TestBridges.FABRIC);
        assertThat(OwnBridges.observe(known.fabrics(), OvsdbSnapshot.EMPTY)).isEmpty();
    }

    /** A bridge that another tool has made in the place of ours is ours while the node is connected. */
    @Test
    void aBridgeInThePlaceOfOursIsOurs() {
        carryOut(OwnBridges.NONE);
        clear();
        database.table("Port").values().forEach(row -> row.add("external_ids", OvsdbValues.map(Map.of())));
        assertThat(BridgePlan.of(database.snapshot(), wanted(named("other"))).problems()).containsKey("br-daq");
        assertThat(carryOut(named(TestBridges.FABRIC)).problems()).isEmpty();
        assertThat(database.snapshot().marks()).containsEntry("br-daq", TestBridges.FABRIC);
    }

    /** Of two installations with the same fabrics, only the one that has taken the bridge over does anything. */
    @Test
    void aBridgeHasOneInstallation() {
        OwnBridges first = of(Installation.of("a"));
        carryOut(OwnBridges.NONE);
        assertThat(carryOut(first).problems()).as("a bridge of a version without ids").isEmpty();

        BridgePlan fresh = BridgePlan.of(database.snapshot(), wanted(of(Installation.of("b"))));
        assertThat(fresh.changes()).isEmpty();
        Problems problems = fresh.problems().get("br-daq");
        assertThat(problems.text()).contains("belongs to another installation of daqfabric (a)", "take-over");
        assertThat(report(problems).ports().values()).isNotEmpty().noneMatch(PortStatus::up);

        OwnBridges next = of(Installation.of("b").takenOver(List.of("a")));
        assertThat(carryOut(next).problems()).isEmpty();
        assertThat(bridge().externalIds()).containsEntry(BridgePlan.INSTALLATION, "b")
            .containsEntry(BridgePlan.MARK, TestBridges.FABRIC);
        assertThat(BridgePlan.of(database.snapshot(), wanted(next)).changes()).isEmpty();
        BridgePlan old = BridgePlan.of(database.snapshot(), wanted(first));
        assertThat(old.changes()).isEmpty();
        assertThat(old.problems()).containsKey("br-daq");
        BridgePlan removal = BridgePlan.of(database.snapshot(), new Desired(new TreeMap<>(),
            Map.of("br-daq", new TreeSet<>(Set.of(TestBridges.FABRIC))), true, Map.of(), new TreeSet<>(), SERIAL,
            first));
        assertThat(removal.changes()).isEmpty();
        assertThat(removal.orphans()).containsExactly("br-daq");
    }

    private static OwnBridges of(Installation installation) {
        return new OwnBridges(Map.of(), Map.of(), Map.of(), installation);
    }

    private static OwnBridges named(String fabric) {
        return new OwnBridges(Map.of(), Map.of(), Map.of("br-daq", fabric), Installation.UNKNOWN);
    }

    /** A bridge that is not ours may switch by a NORMAL rule: no port is a path, whatever its device says. */
    @Test
    void aBridgeThatIsNotOursIsNoPath() {
        carryOut(OwnBridges.NONE);
        assertThat(report(Problems.NONE).ports().values()).allMatch(PortStatus::up);
        clear();
        database.table("Port").values().forEach(row -> row.add("external_ids", OvsdbValues.map(Map.of())));
        Problems problems = BridgePlan.of(database.snapshot(), wanted(OwnBridges.NONE)).problems().get("br-daq");
        assertThat(report(problems).ports().values()).isNotEmpty().noneMatch(PortStatus::up);
        assertThat(report(Problems.NONE).ports().values()).as("one that cannot be put right").noneMatch(PortStatus::up);
        assertThat(report(problems).error()).contains("none of its ports counts as a path");
    }

    /** Open vSwitch counts no listener as a controller: with listeners alone, and without fail mode, it switches. */
    @Test
    void aBridgeWithListenersAloneIsNoPath() {
        carryOut(OwnBridges.NONE);
        row("Bridge").add("fail_mode", OvsdbValues.set(List.of()));
        assertThat(report(Problems.NONE).ports().values()).isNotEmpty().allMatch(PortStatus::up);
        row("Controller").addProperty("target", "ptcp:6653");
        assertThat(report(Problems.NONE).ports().values()).noneMatch(PortStatus::up);
    }

    private Report report(Problems problems) {
        return BridgeStatus.of(database.snapshot(), bridge, problems, "", true);
    }

    /** Ports of another fabric do not make a bridge ours. */
    @Test
    void marksOfAnotherFabricDoNotCount() {
        carryOut(OwnBridges.NONE);
        clear();
        database.table("Port").values()
            .forEach(row -> row.add("external_ids", OvsdbValues.map(Map.of(BridgePlan.MARK, "other"))));
        assertThat(BridgePlan.of(database.snapshot(), wanted(OwnBridges.NONE)).problems()).containsKey("br-daq");
    }

    /** A bridge that is new to us, or complete, has lost nothing. */
    @Test
    void nothingIsSaidOfABridgeThatIsComplete() {
        assertThat(carryOut(OwnBridges.NONE).corrections()).isEmpty();
        OwnBridges known = new OwnBridges(OwnBridges.observe(Map.of(), database.snapshot()), Map.of());
        assertThat(BridgePlan.of(database.snapshot(), wanted(known)).corrections()).isEmpty();
    }

    private void clear() {
        JsonObject row = row("Bridge");
        List.of("controller", "external_ids", "other_config", "protocols").forEach(row::remove);
        row.add("fail_mode", OvsdbValues.set(List.of()));
        database.transact(List.of());
    }

    private JsonObject row(String table) {
        return database.table(table).values().iterator().next();
    }

    private BridgeRow bridge() {
        return database.snapshot().bridges().values().iterator().next();
    }

    private Desired wanted(OwnBridges known) {
        return new Desired(new TreeMap<>(Map.of("br-daq", bridge)), Map.of(), false, Map.of(),
            new TreeSet<>(Set.of("tcp:10.0.0.1:6653")), SERIAL, known);
    }

    private BridgePlan carryOut(OwnBridges known) {
        BridgePlan plan = BridgePlan.of(database.snapshot(), wanted(known));
        List<JsonObject> operations = new ArrayList<>();
        plan.changes().values().forEach(operations::addAll);
        database.transact(operations);
        return plan;
    }
}
