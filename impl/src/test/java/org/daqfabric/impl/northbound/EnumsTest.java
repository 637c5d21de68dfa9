package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Arrays;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.state.FabricState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmTypeId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.OperatorState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.Severity;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.AdminState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.policy.Daqring;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.policy.Placement;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.State;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.port.settings.Bond;
import org.opendaylight.yangtools.binding.EnumTypeObject;

class EnumsTest {
    /** Enumerations are translated by name: each value must exist in the model and in the code. */
    @ParameterizedTest
    @MethodSource
    void bothSidesHaveTheSameNames(Enum<?>[] ours, EnumTypeObject[] yang) {
        assertThat(Arrays.stream(ours).map(Enums::yang)).containsExactlyInAnyOrderElementsOf(
            Arrays.stream(yang).map(EnumTypeObject::getName).toList());
    }

    static Stream<Arguments> bothSidesHaveTheSameNames() {
        return Stream.of(
            arguments(org.daqfabric.api.spec.AdminState.values(), AdminState.values()),
            arguments(DatapathType.values(), Switch.DatapathType.values()),
            arguments(Policy.Algorithm.values(), Placement.Algorithm.values()),
            arguments(Policy.Return.values(), Placement.Return.values()),
            arguments(Policy.Granularity.values(), Placement.Granularity.values()),
            arguments(Policy.RingsOn.values(), Daqring.On.values()),
            arguments(Policy.Backend.values(), Daqring.Backend.values()),
            arguments(Policy.Rules.values(), org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration
                .Policy.Rules.values()),
            arguments(PortSettings.Kind.values(), org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PortSettings
                .Kind.values()),
            arguments(PortSettings.XdpMode.values(), org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PortSettings
                .XdpMode.values()),
            arguments(PortSettings.BondMode.values(), Bond.Mode.values()),
            arguments(AlarmType.values(), AlarmTypeId.values()),
            arguments(AlarmSeverity.values(), Severity.values()),
            arguments(org.daqfabric.api.alarm.OperatorState.values(), OperatorState.values()),
            arguments(FabricState.Phase.values(), State.Phase.values()),
            arguments(FabricState.OperState.values(), Link.OperState.values()),
            arguments(FabricState.Role.values(), org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric
                .state.Switch.Role.values()));
    }
}
