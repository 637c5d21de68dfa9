package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.junit.jupiter.api.Test;

/** While no password could be stored the administrator may have the one that all know, and is kept out. */
class AccountsDiagnosisTest {
    private static DiagnosisInput input(String unstored) {
        return Inputs.itself(unstored, List.of(), new TreeMap<>());
    }

    private static List<AlarmType> types(DiagnosisInput input) {
        return Diagnosis.alarms(input).keySet().stream().map(each -> each.type()).toList();
    }

    @Test
    void anAlarmUntilPasswordsAreStored() {
        assertThat(types(input(""))).doesNotContain(AlarmType.ACCOUNTS_UNSTORED);
        DiagnosisInput full = input("in data/accounts: No space left on device");
        assertThat(types(full)).contains(AlarmType.ACCOUNTS_UNSTORED);
        assertThat(Diagnosis.alarms(full).values()).anySatisfy(each -> {
            assertThat(each.id().resource()).isEqualTo(AlarmResource.own(AlarmResource.Kind.CONTROLLER, "accounts"));
            assertThat(each.text()).contains("in data/accounts: No space left on device");
        });
        assertThat(Diagnosis.of(full, Set.of())).anySatisfy(each -> {
            assertThat(each.subject()).isEqualTo("accounts");
            assertThat(each.advice()).contains("owner and mode of data/accounts");
        });
    }
}
