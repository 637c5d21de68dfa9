package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.junit.jupiter.api.Test;

/** A switch whose ovs-vswitchd answers late is an alarm, as long as its node is there. */
class LateSwitchTest {
    private static final long ID = 42;
    private final FabricSpec spec = TestFabrics.prototype();
    private final String name = spec.switches().getFirst().name();

    private DiagnosisInput input(boolean ovsdb, boolean openflow, Set<Long> late) {
        FabricState state = new FabricState("f", Phase.DEGRADED, 1, List.of(new SwitchState(name, Role.LEAF, ovsdb,
            openflow, ID, OptionalLong.of(1), 1, 1, OptionalInt.of(1), "")), List.of(), List.of(), List.of(),
            List.of(), List.of(), List.of(), new Capacity(1, 1, "", 1), Optional.empty(), Optional.empty(),
            Optional.empty());
        return Inputs.of(new ConfiguredFabric(spec, Optional.of(state), Loop.SOUND, 1e9), late);
    }

    /** The same with what the controller has seen of the switch's node. */
    private DiagnosisInput input(boolean connected, boolean silent) {
        DiagnosisInput input = input(true, true, Set.of(ID));
        Node node = new Node(spec.switches().getFirst().systemId(), connected, silent, true, "", "", false, "", "", "",
            Set.of(), List.of());
        return new DiagnosisInput(input.fabrics(), List.of(), List.of(node), Map.of(), List.of(), List.of(),
            new TreeMap<>(), List.of(), List.of(), input.machine(), List.of(), List.of(), "", List.of(),
            new TreeMap<>(), input.late());
    }

    private static List<AlarmCondition> alarms(DiagnosisInput input) {
        return Diagnosis.alarms(input).values().stream().filter(each -> each.id().type() == AlarmType.SWITCH_LATE)
            .toList();
    }

    @Test
    void toldWithWhatToDo() {
        assertThat(alarms(input(true, true, Set.of()))).isEmpty();
        assertThat(alarms(input(true, true, Set.of(1L)))).isEmpty();
        assertThat(alarms(input(true, true, Set.of(ID)))).singleElement().satisfies(each -> {
            assertThat(each.severity()).isEqualTo(AlarmSeverity.MAJOR);
            assertThat(each.id().resource().name()).isEqualTo(name);
        });
        assertThat(Diagnosis.of(input(true, true, Set.of(ID)), Set.of())).extracting(Advice::advice)
            .anyMatch(advice -> advice.contains("removal of hundreds of ports") && advice.contains("top -H"));
    }

    /** It explains a lost OpenFlow connection; of a node that is away nobody knows what its ovs-vswitchd does. */
    @Test
    void onlyOfNodesThatAreThere() {
        assertThat(alarms(input(true, false, Set.of(ID)))).hasSize(1);
        assertThat(alarms(input(false, false, Set.of(ID)))).isEmpty();
        assertThat(alarms(input(true, false))).hasSize(1);
        assertThat(alarms(input(true, true))).as("its database is silent, too").isEmpty();
        assertThat(alarms(input(false, false))).as("it has just left").isEmpty();
    }
}
