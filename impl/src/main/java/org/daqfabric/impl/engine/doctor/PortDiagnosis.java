package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.alarms;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/** Ports that carry less than the placement counts with. */
final class PortDiagnosis {
    /** Faults are alike as a rule: all cards of a kind. */
    private static final int SHOWN = 5;

    private PortDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.fabrics().stream().flatMap(fabric -> check(fabric).stream()).toList();
    }

    private static List<Diagnosed> check(ConfiguredFabric fabric) {
        String name = fabric.spec().name();
        List<AlarmCondition> faults = fabric.state().stream().flatMap(state -> state.ports().stream())
            .filter(port -> !port.fault().isEmpty()).map(port -> AlarmCondition.of(AlarmType.PORT_FAULT,
                AlarmResource.port(name, port.port()), port.fault())).toList();
        List<Diagnosed> found = new ArrayList<>();
        faults.stream().limit(SHOWN).forEach(each -> found.add(
            alarm(each, "port " + each.id().resource().name() + " of " + name, each.text(), "")));
        if (faults.size() > SHOWN) {
            List<AlarmCondition> others = faults.subList(SHOWN, faults.size());
            found.add(alarms(others, "ports of " + name, others.size() + " more are not as they must be",
                "state/port has them, each with its fault"));
        }
        return found;
    }
}
