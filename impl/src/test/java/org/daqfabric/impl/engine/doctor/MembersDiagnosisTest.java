package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.junit.jupiter.api.Test;

/** Each controller of the cluster that is lost is an alarm of its own, and told by the doctor. */
class MembersDiagnosisTest {
    private static DiagnosisInput input(Map<String, String> lost) {
        return Inputs.itself("", List.of(), new TreeMap<>(lost));
    }

    private static List<AlarmId> lost(DiagnosisInput input) {
        return Diagnosis.alarms(input).keySet().stream().filter(each -> each.type() == AlarmType.MEMBER_LOST).toList();
    }

    private static AlarmId id(String member) {
        return new AlarmId(AlarmResource.own(AlarmResource.Kind.CONTROLLER, member), AlarmType.MEMBER_LOST);
    }

    @Test
    void anAlarmForEach() {
        assertThat(lost(input(Map.of()))).isEmpty();
        DiagnosisInput two = input(Map.of("member-2", "10.0.0.2:2550", "member-4", "10.0.0.4:2550"));
        assertThat(lost(two)).containsExactly(id("member-2"), id("member-4"));
        AlarmCondition found = Diagnosis.alarms(two).get(id("member-4"));
        assertThat(found.severity()).isEqualTo(AlarmSeverity.MAJOR);
        assertThat(found.text()).isEqualTo("the controller at 10.0.0.4:2550 cannot be reached");
        assertThat(Diagnosis.of(two, Set.of())).filteredOn(each -> each.subject().equals("member-2")).singleElement()
            .satisfies(each -> assertThat(each.advice()).contains("its machine and its controller run", "2550"));
    }
}
