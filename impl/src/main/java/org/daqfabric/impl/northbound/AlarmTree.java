package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.Alarm.OperatorAction;
import org.daqfabric.api.alarm.Alarm.StatusChange;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmNotification;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmNotificationBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmParameters;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.AlarmTypeId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.OperatorActionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.OperatorState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.Severity;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.SeverityWithClear;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarm.parameters.OperatorStateChange;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarm.parameters.OperatorStateChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarm.parameters.StatusChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarms.AlarmBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** Alarms as nodes of {@code daqfabric-alarms.yang} and {@code daqfabric-store.yang}, and back. */
final class AlarmTree {
    private static final String CLEARED = "cleared";

    private AlarmTree() {
    }

    static AlarmTypeId type(AlarmType type) {
        return AlarmTypeId.ofName(Enums.yang(type));
    }

    /** An alarm as others see it. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarms.Alarm of(Alarm alarm) {
        return new AlarmBuilder((AlarmParameters) stored(alarm))
            .setResource(alarm.id().resource().toString())
            .setAlarmTypeId(type(alarm.id().type()))
            .setAdvice(alarm.id().type().advice())
            .setOperatorState(state(alarm.handling()))
            .setShelved(alarm.shelved())
            .build();
    }

    /** An alarm as it is stored. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.Alarm stored(Alarm alarm) {
        return new org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.AlarmBuilder()
            .setResource(alarm.id().resource().toString())
            .setAlarmTypeId(type(alarm.id().type()))
            .setTimeCreated(StateTree.time(alarm.created()))
            .setIsCleared(alarm.cleared())
            .setLastRaised(StateTree.time(alarm.raised()))
            .setLastChanged(StateTree.time(alarm.changed()))
            .setPerceivedSeverity(Severity.ofName(Enums.yang(alarm.severity())))
            .setAlarmText(alarm.text())
            .setStatusChange(BindingMap.of(alarm.changes().stream().map(AlarmTree::change).toList()))
            .setOperatorStateChange(BindingMap.of(alarm.actions().stream().map(AlarmTree::action).toList()))
            .build();
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.alarm.parameters.StatusChange change(
            StatusChange change) {
        return new StatusChangeBuilder().setTime(StateTree.time(change.time()))
            .setPerceivedSeverity(severity(change.severity())).setAlarmText(change.text()).build();
    }

    private static OperatorStateChange action(OperatorAction action) {
        return new OperatorStateChangeBuilder().setTime(StateTree.time(action.time())).setOperator(action.operator())
            .setState(state(action.state())).setText(absent(action.text())).build();
    }

    private static SeverityWithClear severity(Optional<AlarmSeverity> severity) {
        return SeverityWithClear.ofName(severity.map(Enums::yang).orElse(CLEARED));
    }

    private static OperatorState state(org.daqfabric.api.alarm.OperatorState state) {
        return OperatorState.ofName(Enums.yang(state));
    }

    /** What happened to an alarm last. */
    static AlarmNotification notification(Alarm alarm) {
        return new AlarmNotificationBuilder()
            .setResource(alarm.id().resource().toString())
            .setAlarmTypeId(type(alarm.id().type()))
            .setTime(StateTree.time(alarm.changed()))
            .setPerceivedSeverity(severity(alarm.cleared() ? Optional.empty() : Optional.of(alarm.severity())))
            .setAlarmText(alarm.text())
            .setAdvice(alarm.cleared() ? null : alarm.id().type().advice())
            .build();
    }

    /** What an operator did last. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.OperatorAction acted(Alarm alarm) {
        OperatorAction newest = alarm.actions().getFirst();
        return new OperatorActionBuilder()
            .setResource(alarm.id().resource().toString())
            .setAlarmTypeId(type(alarm.id().type()))
            .setTime(StateTree.time(newest.time())).setOperator(newest.operator()).setState(state(newest.state()))
            .setText(absent(newest.text()))
            .build();
    }

    static Alarm read(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.Alarm tree) {
        List<StatusChange> changes = tree.nonnullStatusChange().values().stream().map(each -> new StatusChange(
            time(each.requireTime()), each.requirePerceivedSeverity() == SeverityWithClear.Cleared ? Optional.empty()
                : Optional.of(Enums.ours(each.getPerceivedSeverity(), AlarmSeverity.WARNING)),
            each.requireAlarmText())).sorted(Comparator.comparing(StatusChange::time).reversed()).toList();
        List<OperatorAction> actions = tree.nonnullOperatorStateChange().values().stream().map(each ->
            new OperatorAction(time(each.requireTime()), each.requireOperator(),
                Enums.ours(each.getState(), org.daqfabric.api.alarm.OperatorState.NONE),
                each.getText() == null ? "" : each.getText()))
            .sorted(Comparator.comparing(OperatorAction::time).reversed()).toList();
        return new Alarm(new org.daqfabric.api.alarm.AlarmId(AlarmResource.parse(tree.requireResource()),
            Enums.ours(tree.requireAlarmTypeId(), AlarmType.LINK_DOWN)),
            Enums.ours(tree.requirePerceivedSeverity(), AlarmSeverity.WARNING), tree.requireAlarmText(),
            tree.requireIsCleared(), time(tree.requireTimeCreated()), time(tree.requireLastRaised()),
            time(tree.requireLastChanged()), changes, actions);
    }

    private static Instant time(
            org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime time) {
        return Instant.parse(time.getValue());
    }
}
