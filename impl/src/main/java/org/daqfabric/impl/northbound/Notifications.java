package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;

import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.runcontrol.RunEvent;
import org.daqfabric.impl.runcontrol.SequencedEvent;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.LinkState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.LinkStateBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Operation;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.OperationBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Rebalanced;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RebalancedBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Repair;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RepairBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunHealth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunHealthBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunStateBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.SwitchState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.SwitchStateBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Work;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Events as notifications of {@code daqfabric-run-control.yang}. */
final class Notifications {
    private Notifications() {
    }

    static Notification<?> of(SequencedEvent event) {
        return switch (event.content()) {
            case RunEvent.StateChanged happening -> state(event, happening.now());
            case RunEvent.HealthChanged happening -> health(event, happening.now());
            case RunEvent.OperationChanged happening -> operation(event, happening);
            case RunEvent.Repaired happening -> repair(event, happening.repair());
            case RunEvent.Rebalanced happening -> rebalanced(event, happening.step());
            case RunEvent.LinkChanged happening -> link(event, happening.link());
            case RunEvent.SwitchChanged happening -> sw(event, happening.sw());
        };
    }

    private static RunState state(SequencedEvent event, PartitionState now) {
        Partition partition = now.partition();
        return new RunStateBuilder().setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setPartition(partition.name()).setState(RunTree.state(partition.state()))
            .setRunNumber(number(partition)).setReason(absent(partition.reason()))
            .build();
    }

    private static RunHealth health(SequencedEvent event, PartitionState now) {
        Partition partition = now.partition();
        RunHealthBuilder builder = RunTree.condition(now.condition().orElseThrow(), partition.required());
        return builder.setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setPartition(partition.name()).setState(RunTree.state(partition.state()))
            .setRunNumber(number(partition)).build();
    }

    private static Operation operation(SequencedEvent event, RunEvent.OperationChanged happening) {
        Partition partition = happening.now().partition();
        return new OperationBuilder((Work) RunTree.work(happening.operation()))
            .setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setPartition(partition.name()).setState(RunTree.state(partition.state()))
            .setRunNumber(number(partition)).build();
    }

    private static Repair repair(SequencedEvent event, FabricState.Repair repair) {
        return new RepairBuilder().setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setCause(repair.cause()).setDetected(StateTree.time(repair.detected()))
            .setComputed(StateTree.since(repair.detected(), repair.computed()))
            .setConfirmed(StateTree.since(repair.detected(), repair.confirmed().orElseThrow()))
            .setMovedDcms(Uint32.valueOf(repair.movedDcms())).setMessages(Uint32.valueOf(repair.messages())).build();
    }

    private static Rebalanced rebalanced(SequencedEvent event, FabricState.Rebalanced step) {
        return new RebalancedBuilder().setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setCause(step.cause()).setBegun(StateTree.time(step.begun()))
            .setConfirmed(StateTree.since(step.begun(), step.confirmed().orElseThrow()))
            .setMovedDcms(Uint32.valueOf(step.movedDcms())).setMessages(Uint32.valueOf(step.messages())).build();
    }

    private static LinkState link(SequencedEvent event, FabricState.LinkState link) {
        PortId end = link.end();
        return new LinkStateBuilder().setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setSwitch(new Name(end.switchName())).setPort(new InterfaceName(end.port()))
            .setOperState(Enums.yang(link.operState())).setHeldBack(link.heldBack()).build();
    }

    private static SwitchState sw(SequencedEvent event, FabricState.SwitchState sw) {
        return new SwitchStateBuilder().setEpoch(event.epoch()).setSequence(sequence(event)).setTime(time(event))
            .setFabric(fabric(event)).setSwitch(new Name(sw.name())).setOvsdbConnected(sw.ovsdbConnected())
            .setOpenflowConnected(sw.openflowConnected())
            .setLastError(absent(sw.lastError())).build();
    }

    private static Uint64 sequence(SequencedEvent event) {
        return Uint64.valueOf(event.sequence());
    }

    private static DateAndTime time(SequencedEvent event) {
        return StateTree.time(event.time());
    }

    private static Name fabric(SequencedEvent event) {
        return new Name(event.content().fabric());
    }

    private static Uint32 number(Partition partition) {
        return partition.isRunning() ? Uint32.valueOf(partition.run().orElseThrow().number()) : null;
    }
}
