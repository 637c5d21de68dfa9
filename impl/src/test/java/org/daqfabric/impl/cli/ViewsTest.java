package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.Traffic;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands show: text in lines that fit a terminal, and JSON. */
class ViewsTest {
    private static final FabricSpec PROTOTYPE = TestFabrics.prototype();
    private static final FabricState CONVERGED = ShellStates.converged(PROTOTYPE);

    /** Random states of a fabric of the thesis's size, also with the longest names that YANG allows. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void nothingIsWiderThanATerminal(long seed) {
        Random random = new Random(seed);
        FabricSpec fig64 = TestFabrics.fig64(2, 6, 12);
        for (FabricSpec spec : List.of(fig64, longNames(fig64))) {
            for (FabricState state : List.of(ShellStates.converged(spec), ShellStates.randomState(spec, random))) {
                views(spec, state).forEach(view -> {
                    assertThat(view.text().lines()).as(view.getClass().getSimpleName())
                        .filteredOn(line -> TerminalText.width(line) > Table.WIDTH
                            || line.chars().anyMatch(Character::isISOControl)).isEmpty();
                    JsonObject json = JsonParser.parseString(Json.of(view)).getAsJsonObject();
                    assertThat(json.keySet()).isNotEmpty().allMatch(key -> key.matches("[a-z-]+"));
                });
            }
        }
    }

    private static Stream<View> views(FabricSpec spec, FabricState state) {
        return Stream.of(FabricView.of(state), new FabricsView(List.of(FabricView.of(state), FabricView.of(state))),
            SwitchesView.of(state, Set.of()), LinksView.of(spec, state, Set.of()),
            PlacementView.of(spec, state, Set.of()),
            VerifyView.of(spec.name(), new Verification(List.of(), state.switches().stream().map(each -> new Finding(
                each.name(), Finding.Kind.RULE, Finding.What.DIFFERENT, each.lastError(), each.lastError())).toList(),
                3, 9, state.switches().stream().map(each -> each.lastError()).toList()), false),
            DoctorView.of(state.switches().stream().map(each -> new Advice(Advice.Severity.WARNING, each.name(),
                each.lastError(), each.lastError())).toList()));
    }

    private static FabricSpec longNames(FabricSpec spec) {
        return new FabricSpec("f".repeat(64), spec.planes(),
            spec.pods().stream().map(pod -> new Pod(pod.id(), pod.ros(),
            pod.racks().stream().map(rack -> new HltRack(longer(rack.name()), rack.switchName(), rack.dcms().stream()
                .map(dcm -> new Dcm(longer(dcm.name()), dcm.address(), dcm.weight(), dcm.port(), dcm.mac())).toList()))
            .toList())).toList(), spec.switches(), spec.links(), spec.policy());
    }

    private static String longer(String name) {
        return name + "x".repeat(64 - name.length());
    }

    @Test
    void showsAFabric() {
        assertThat(FabricView.of(CONVERGED).text()).isEqualTo("""
            fabric       prototype
            phase        converged
            generation   7
            switches     20: 20 connected, 20 hold their program
            links        32: 32 up
            DCMs         48: none cut off
            bandwidth    120.0 of 120.0 Gbps (100 %)
            bottleneck   leaf-1-1:s1 -> spine-1-1:l1
            last repair  none""");
    }

    /** Both steps of the last repair are shown, the second by its time. */
    @Test
    void showsBothStepsOfARepair() {
        Instant detected = Instant.parse("2026-11-21T10:11:12.300Z");
        FabricState state = new FabricState("f", Phase.DEGRADED, 3, List.of(), List.of(), List.of(), List.of(),
            List.of(), List.of(), List.of(), CONVERGED.capacity(), Optional.of(new Repair("down: a:p", detected,
                detected.plusMillis(2), Optional.of(detected.plusMillis(20)), 1, 9)),
            Optional.of(new Rebalanced("down: a:p", detected.plusMillis(45), Optional.empty(), 7, 0)),
            Optional.empty());
        assertThat(FabricView.of(state).text()).contains("""
            last repair  2026-11-21T10:11:12.300Z, down: a:p
                         computed after 2.0 ms, confirmed after 20.0 ms; 1 DCM moved, 9 messages
            rebalanced   2026-11-21T10:11:12.345Z, not yet confirmed; 7 DCMs moved, 0 messages""");
    }

    @Test
    void showsSwitchesAndLinks() {
        assertThat(SwitchesView.of(CONVERGED, Set.of("leaf-1-1", "ros-1-01")).text()).isEqualTo("""
            SWITCH    ROLE  OVSDB  OPENFLOW  CONFIRMED  RULES  GROUPS  DAQRINGS  LAST ERROR
            leaf-1-1  leaf  yes    yes               7    100      12         0
            ros-1-01  ros   yes    yes               7    100      12         0""");
        assertThat(LinksView.of(PROTOTYPE, CONVERGED, Set.of("ros-1-01")).text()).isEqualTo("""
            LINK         PEER         GBPS  STATE  SINCE                     REMARK
            ros-1-01:p1  leaf-1-1:r1  10.0  up     2026-11-21T10:11:12.345Z
            ros-1-01:p2  leaf-2-1:r1  10.0  up     2026-11-21T10:11:12.345Z""");
    }

    /** The fullest link as measured comes first, then the fullest as planned; each direction is a row. */
    @Test
    void showsLoads() {
        Map<String, Traffic> sent = Map.of("ros-1-01:p1", new Traffic(2, OptionalDouble.of(0.25)), "ros-1-01:p2",
            new Traffic(10, OptionalDouble.empty()), "ros-1-02:p1", new Traffic(1, OptionalDouble.of(0)));
        FabricState state = withLinks(CONVERGED.links().stream().map(link -> link.with(
            sent.getOrDefault(link.end().toString(), Traffic.NONE), new Traffic(0, OptionalDouble.of(0)))).toList());
        assertThat(LinkLoadsView.of(PROTOTYPE, state, Set.of("ros-1-01", "ros-1-02:p1")).text()).isEqualTo("""
            FROM         TO           GBPS  PLANNED       MEASURED      STATE
            ros-1-01:p1  leaf-1-1:r1  10.0  2.0 (20 %)    0.25 (2.5 %)  up
            ros-1-01:p2  leaf-2-1:r1  10.0  10.0 (100 %)  unknown       up
            ros-1-02:p1  leaf-1-1:r2  10.0  1.0 (10 %)    0.0 (0 %)     up
            leaf-1-1:r1  ros-1-01:p1  10.0  0.0 (0 %)     0.0 (0 %)     up
            leaf-1-1:r2  ros-1-02:p1  10.0  0.0 (0 %)     0.0 (0 %)     up
            leaf-2-1:r1  ros-1-01:p2  10.0  0.0 (0 %)     0.0 (0 %)     up""");
    }

    private static FabricState withLinks(List<LinkState> links) {
        return new FabricState(CONVERGED.fabric(), CONVERGED.phase(), CONVERGED.generation(), CONVERGED.switches(),
            links, CONVERGED.ports(), CONVERGED.placements(), CONVERGED.spines(), CONVERGED.daqrings(),
            CONVERGED.drops(), CONVERGED.capacity(), CONVERGED.lastRepair(),
            CONVERGED.lastRebalanced(), CONVERGED.unstoredSince());
    }

    @Test
    void showsPlacement() {
        List<String> lines = PlacementView.of(PROTOTYPE, CONVERGED, Set.of()).text().lines().toList();
        assertThat(lines).hasSize(48 + 1 + 1 + 1 + 4).contains("SPINE      PLANE  DCMS  LOAD",
            "spine-1-1      1    24  75 %");
        assertThat(lines.get(0).split(" +"))
            .containsExactly("DCM", "RACK", "ADDRESS", "PLANE", "SPINE", "BACKUP", "MOVES", "ROS");
        assertThat(lines.get(1).split(" +"))
            .contains("1", "spine-1-2", "spine-1-1", "3", "6");
    }

    /** JSON leaves out unknown values, and contains the full text of what a table cuts. */
    @Test
    void jsonIsWhole() {
        FabricState state = ShellStates.randomState(PROTOTYPE, new Random(1));
        JsonObject json = JsonParser.parseString(Json.of(SwitchesView.of(state, Set.of()))).getAsJsonObject();
        assertThat(json.get("fabric").getAsString()).isEqualTo("prototype");
        for (int at = 0; at < state.switches().size(); at++) {
            JsonObject row = json.getAsJsonArray("switches").get(at).getAsJsonObject();
            assertThat(row.get("name").getAsString()).isEqualTo(state.switches().get(at).name());
            assertThat(row.get("last-error").getAsString()).isEqualTo(state.switches().get(at).lastError());
            assertThat(row.has("generation")).isEqualTo(state.switches().get(at).generation().isPresent());
            assertThat(row.get("openflow-connected").getAsBoolean())
                .isEqualTo(state.switches().get(at).openflowConnected());
        }
    }

    /** A comparison fails if switches differ, and says what to do. */
    @Test
    void failedComparisonsSayWhatToDo() {
        Finding different = new Finding("leaf-1-1", Finding.Kind.RULE, Finding.What.MISSING, "priority=1", "");
        Finding unread = new Finding("leaf-1-1", Finding.Kind.BRIDGE, Finding.What.UNREADABLE, "", "away");
        assertThat(compared(List.of(), List.of(), false).failure()).isEmpty();
        assertThat(compared(List.of(), List.of(), false).text())
            .isEqualTo("1 switch compared: as they must be\n96 pairs of ROS and DCM followed: every packet arrives");
        assertThat(compared(List.of(different), List.of("r to d: no rule"), false).failure())
            .contains("daqfabric:resync");
        assertThat(compared(List.of(different), List.of(), true).failure()).isEmpty();
        assertThat(compared(List.of(unread), List.of(), true).failure()).contains("daqfabric:doctor");
        assertThat(compared(List.of(), List.of("r to d: loop"), false).failure()).contains("not ours");
        assertThat(compared(List.of(different), List.of("r to d: no rule"), false).text()).isEqualTo("""
            SWITCH    KIND  WHAT     SUBJECT     DETAIL
            leaf-1-1  rule  missing  priority=1
            lost: r to d: no rule
            1 switch compared: 1 difference
            96 pairs of ROS and DCM followed: 1 lost""");
    }

    private static VerifyView compared(List<Finding> findings, List<String> lost, boolean putRight) {
        return VerifyView.of("f", new Verification(List.of("leaf-1-1"), findings, 0, 96, lost), putRight);
    }

    @Test
    void adviceIsWrappedAndErrorsFail() {
        List<Advice> found = new ArrayList<>();
        found.add(new Advice(Advice.Severity.OK, "clock", "not set", ""));
        assertThat(DoctorView.of(found).failure()).isEmpty();
        found.add(0, new Advice(Advice.Severity.ERROR, "switch p1s1 of f", "no node with the system-id p1s1 has ever "
            + "connected", "on the node: ovs-vsctl set Open_vSwitch . external_ids:system-id=p1s1 and ovs-vsctl "
            + "set-manager tcp:CONTROLLER:6640"));
        assertThat(DoctorView.of(found).failure()).isEqualTo("1 thing does not work");
        assertThat(DoctorView.of(found).text()).isEqualTo("""
            ERROR    switch p1s1 of f: no node with the system-id p1s1 has ever connected
                     -> on the node: ovs-vsctl set Open_vSwitch . external_ids:system-id=p1s1 and ovs-vsctl
                     set-manager tcp:CONTROLLER:6640
            OK       clock: not set""");
    }
}
