package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ControllerRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControllerDiffTest {
    private static ControllerRow row(String target, boolean marked, boolean connected) {
        return new ControllerRow("", target, "out-of-band", OptionalLong.empty(), OptionalLong.empty(),
            OptionalLong.empty(), new TreeMap<>(marked ? Map.of(BridgePlan.MARK, "det") : Map.of()), connected,
            Collections.emptySortedMap());
    }

    private static List<String> foreign(ControllerRow... rows) {
        return ControllerDiff.foreign(List.of(rows)).stream().map(ControllerRow::target).toList();
    }

    /** Another target is another controller, but for one that leaves out the usual port. */
    @Test
    void aTargetInOtherWordsIsNotForeign() {
        assertThat(foreign(row("tcp:10.0.0.1:6653", true, true), row("tcp:10.0.0.1", false, true))).isEmpty();
        assertThat(foreign(row("ssl:[fd00::1]:6653", true, true), row("ssl:[fd00::1]", false, true))).isEmpty();
        assertThat(foreign(row("tcp:10.0.0.1:6653", true, true), row("tcp:10.0.0.9", false, true),
            row("tcp:10.0.0.1:6654", false, true), row("ssl:10.0.0.1", false, true)))
            .containsExactly("tcp:10.0.0.9", "tcp:10.0.0.1:6654", "ssl:10.0.0.1");
    }

    /** One that does not answer can change nothing. */
    @Test
    void onlyConnectedOnesAreForeign() {
        assertThat(foreign(row("tcp:10.0.0.9:6653", false, false))).isEmpty();
        assertThat(foreign(row("tcp:10.0.0.9:6653", false, true))).hasSize(1);
    }

    /** Open vSwitch never says that a program is connected to a listener, and any that reaches it may be. */
    @ParameterizedTest
    @ValueSource(strings = {"ptcp:6653", "ptcp:6653:10.0.0.5", "pssl:6653", "punix:/run/openvswitch/br-daq.other"})
    void listenersAreForeignUnlessTheyAreOurs(String target) {
        assertThat(foreign(row(target, false, false))).containsExactly(target);
        assertThat(foreign(row(target, true, false))).isEmpty();
    }
}
