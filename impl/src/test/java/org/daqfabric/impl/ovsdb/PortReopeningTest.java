package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.junit.jupiter.api.Test;

/** A port that stays wrong until it is opened anew is taken out, waited for, and put back, at most once a minute. */
class PortReopeningTest {
    private static final long MINUTE = PortReopening.PAUSE.toNanos();
    private final MemoryDatabase database = new MemoryDatabase("leaf");
    private final AtomicInteger rechecks = new AtomicInteger();
    private final PortReopening reopening = new PortReopening(rechecks::incrementAndGet);
    private final SortedMap<String, Bridge> desired = new TreeMap<>(Map.of("br-daq",
        TestBridges.bridge("br-daq", Map.of("up", TestBridges.device(1), "other", TestBridges.device(2)))));

    @Test
    void aPortIsClosedBeforeItIsOpenedAnew() {
        step(0);
        device(7);
        step(1);
        device(0);
        step(2);
        assertThat(ports()).contains("up");
        device(8);
        cfg(1, 0);
        step(3);
        assertThat(ports()).doesNotContain("up").contains("other", "br-daq");
        step(4);
        assertThat(ports()).as("not before ovs-vswitchd has closed it").doesNotContain("up");
        cfg(1, 1);
        step(5);
        assertThat(ports()).contains("up");
        device(8);
        step(6);
        assertThat(ports()).contains("up");
    }

    @Test
    void itIsOpenedOnceAMinute() {
        step(0);
        device(7);
        step(1);
        device(8);
        step(2);
        step(3);
        assertThat(ports()).contains("up");
        device(9);
        step(4);
        device(10);
        assertThat(step(5)).isTrue();
        assertThat(ports()).contains("up");
        assertThat(step(5 + MINUTE)).isFalse();
        assertThat(ports()).doesNotContain("up");
        assertThat(step(6 + MINUTE)).isFalse();
        assertThat(ports()).contains("up");
    }

    /** What changed while the node was not connected is not known: its ovs-vswitchd may have been restarted. */
    @Test
    void aNodeThatConnectsIsLeftAlone() {
        step(0);
        device(7);
        step(1);
        device(8);
        reopening.connected();
        step(2);
        assertThat(ports()).contains("up");
    }

    /** Where another tool asked for a number and ours was put back at once, as Open vSwitch 3.1 leaves it. */
    @Test
    void aPortWithAnotherNumberThanAskedForIsOpenedAnew() {
        step(0);
        number("br-daq", 65534); // for which nobody asks
        number("up", 77);
        cfg(1, 0);
        step(1);
        assertThat(ports()).as("not before ovs-vswitchd has done what it was asked for").contains("up");
        cfg(1, 1);
        step(2);
        assertThat(ports()).doesNotContain("up").contains("other");
        step(3);
        assertThat(ports()).contains("up");
        number("up", 1);
        step(4 + MINUTE);
        assertThat(ports()).contains("up");
    }

    @Test
    void aPortWhoseNumberIsTakenIsLeftUntilItIsFree() {
        step(0);
        number("up", 77);
        number("other", 1);
        step(1);
        assertThat(ports()).contains("up").doesNotContain("other");
        step(2);
        assertThat(ports()).as("its number is free now").doesNotContain("up").contains("other");
    }

    private boolean step(long now) {
        rechecks.set(0);
        reopening.observe(database.snapshot(), desired.values(), now);
        List<JsonObject> operations = new ArrayList<>();
        BridgePlan.of(database.snapshot(), new Desired(reopening.open(desired), Map.of(), false, Map.of(),
            new TreeSet<>(), "")).changes().values().forEach(operations::addAll);
        database.transact(operations);
        return rechecks.get() > 0;
    }

    private void device(long number) {
        set("up", "ifindex", number);
    }

    private void number(String port, long number) {
        set(port, "ofport", number);
    }

    private void set(String port, String column, long value) {
        database.table("Interface").values().stream().filter(row -> row.get("name").getAsString().equals(port))
            .forEach(row -> row.addProperty(column, value));
    }

    private void cfg(long next, long current) {
        database.table("Open_vSwitch").values().forEach(row -> {
            row.addProperty("next_cfg", next);
            row.addProperty("cur_cfg", current);
        });
    }

    private List<String> ports() {
        return database.snapshot().ports().values().stream().map(OvsdbSnapshot.PortRow::name).toList();
    }
}
