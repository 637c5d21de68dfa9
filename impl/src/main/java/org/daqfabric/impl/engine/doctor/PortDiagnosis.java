package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.alarms;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/** Ports that carry less than the placement counts with; first those that cut hosts off. */
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
            .filter(port -> !port.fault().isEmpty())
            .sorted(Comparator.comparing(port -> port.cutOff().isEmpty())).map(port -> condition(name, port)).toList();
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

    private static AlarmCondition condition(String fabric, PortState port) {
        AlarmResource resource = AlarmResource.port(fabric, port.port());
        return port.cutOff().isEmpty() ? AlarmCondition.of(AlarmType.PORT_FAULT, resource, port.fault())
            : new AlarmCondition(new AlarmId(resource, AlarmType.PORT_FAULT), AlarmSeverity.CRITICAL, port.fault());
    }
}
