package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;
import static org.daqfabric.impl.northbound.YangValues.sorted;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Answer.Refusal;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Health;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunLosses;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.PortId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunHealthBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Work;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.condition.ConcernBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run._record.LinkLossBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.PartitionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.partition.OperationBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.partition.Run;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.partition.RunBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.AnswerBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Partitions as nodes of {@code daqfabric-run-control.yang} and {@code daqfabric-store.yang}, and back. */
final class RunTree {
    private RunTree() {
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.PartitionState state(RunState state) {
        return org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.PartitionState
            .ofName(Enums.yang(state));
    }

    /** A partition as others see it. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.Partition of(
            PartitionState shown) {
        Partition partition = shown.partition();
        PartitionBuilder builder = shown.condition().map(condition -> new PartitionBuilder(
            (org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Condition)
                condition(condition, partition.required()).build())).orElseGet(PartitionBuilder::new);
        builder.setName(partition.name()).setFabric(new Name(partition.fabric())).setState(state(partition.state()))
            .setSince(StateTree.time(partition.since())).setReason(absent(partition.reason()))
            .setRunType(absent(partition.runType())).setRos(names(partition.selection().ros()))
            .setDcm(names(partition.selection().dcms()));
        partition.operation().ifPresent(operation -> builder.setOperation(work(operation)));
        partition.run().ifPresent(run -> builder.setRun(run(run)));
        return builder.build();
    }

    /** The leaves of a condition, in the notification that has all of them. */
    static RunHealthBuilder condition(Condition condition, double required) {
        return new RunHealthBuilder()
            .setHealth(org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Health
                .ofName(Enums.yang(condition.health())))
            .setRequiredBandwidth(required > 0 ? bandwidth(required) : null)
            .setAchievableBandwidth(bandwidth(condition.achievable()))
            .setNominalBandwidth(bandwidth(condition.nominal()))
            .setConcern(BindingMap.ordered(condition.concerns().stream().map(RunTree::concern).toList()));
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.condition.Concern concern(
            Concern concern) {
        return new ConcernBuilder()
            .setKind(org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.condition.Concern.Kind
                .ofName(Enums.yang(concern.kind())))
            .setName(concern.name()).setDetail(concern.detail()).build();
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.run.control.partition.Operation work(
            Operation operation) {
        return new OperationBuilder().setRequestId(operation.requestId()).setRpc(operation.rpc())
            .setStatus(Work.Status.ofName(Enums.yang(operation.status())))
            .setProgress(Uint8.valueOf(operation.progress())).setDetail(absent(operation.detail())).build();
    }

    static Run run(RunRecord run) {
        return new RunBuilder().setRunNumber(Uint32.valueOf(run.number())).setBegun(StateTree.time(run.begun()))
            .setEnded(run.ended().map(StateTree::time).orElse(null)).setAborted(run.aborted())
            .setRepairs(Uint32.valueOf(run.repairs())).setMovedDcms(Uint32.valueOf(run.movedDcms()))
            .setLowestBandwidth(bandwidth(run.lowestBandwidth()))
            .setWorstHealth(org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Health
                .ofName(Enums.yang(run.worstHealth())))
            .setLinkLoss(run.losses().links().entrySet().stream().map(each -> new LinkLossBuilder()
                .setSwitch(new Name(each.getKey().switchName())).setPort(new InterfaceName(each.getKey().port()))
                .setPackets(Uint64.valueOf(each.getValue())).build()).collect(BindingMap.toMap()))
            .setDaqringDrops(Uint64.valueOf(run.losses().daqrings())).build();
    }

    /** A partition as it is stored. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.Partition stored(Partition partition) {
        var builder = new org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.PartitionBuilder()
            .setName(partition.name()).setFabric(partition.fabric()).setState(state(partition.state()))
            .setSince(StateTree.time(partition.since())).setReason(partition.reason())
            .setRunType(partition.runType()).setRos(names(partition.selection().ros()))
            .setDcm(names(partition.selection().dcms())).setRequiredBandwidth(Double.toString(partition.required()))
            .setAcceptDegraded(partition.acceptDegraded())
            .setAnswer(partition.answers().stream().map(RunTree::stored).toList());
        partition.operation().ifPresent(operation -> builder.setOperation(
            new org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.OperationBuilder(
                (Work) work(operation)).build()));
        partition.run().ifPresent(run -> builder.setRun(
            new org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.RunBuilder(
                record(run)).build()));
        return builder.build();
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.Answer stored(
            Answer answer) {
        AnswerBuilder builder = new AnswerBuilder().setRequestId(answer.requestId()).setAsked(answer.asked())
            .setState(state(answer.state())).setWorks(answer.works());
        answer.refusal().ifPresent(refusal ->
            builder.setRefusalKind(refusal.kind().name()).setRefusal(RefusalText.of(refusal.reasons())));
        answer.run().ifPresent(run -> builder.setRun(
            new org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.answer.RunBuilder(
                record(run)).build()));
        return builder.build();
    }

    /** The leaves of a run, for any builder that has them. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunRecord record(RunRecord run) {
        return run(run);
    }

    static Partition read(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.Partition tree) {
        List<Answer> answers = tree.nonnullAnswer().stream().map(answer -> read(tree.requireName(), answer)).toList();
        return new Partition(tree.requireName(), tree.requireFabric(), Enums.ours(tree.getState(), RunState.IDLE),
            time(tree.requireSince()), tree.requireReason(), tree.requireRunType(),
            new Selection(sorted(tree.getRos()), sorted(tree.getDcm())),
            Double.parseDouble(tree.requireRequiredBandwidth()), tree.requireAcceptDegraded(),
            Optional.ofNullable(tree.getOperation()).filter(work -> work.getRequestId() != null).map(RunTree::read),
            Optional.ofNullable(tree.getRun()).flatMap(RunTree::read), answers);
    }

    private static Operation read(Work work) {
        return new Operation(work.requireRequestId(), work.requireRpc(),
            Enums.ours(work.getStatus(), Operation.Status.RUNNING), work.requireProgress().intValue(),
            work.getDetail() == null ? "" : work.getDetail());
    }

    private static Optional<RunRecord> read(
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunRecord run) {
        return run.getRunNumber() == null ? Optional.empty() : Optional.of(new RunRecord(
            run.requireRunNumber().longValue(), time(run.requireBegun()),
            Optional.ofNullable(run.getEnded()).map(RunTree::time), run.requireAborted(),
            run.requireRepairs().intValue(), run.requireMovedDcms().intValue(),
            run.requireLowestBandwidth().getValue().doubleValue(), Enums.ours(run.getWorstHealth(), Health.OK),
            losses(run)));
    }

    /** Versions before did not store any. */
    private static RunLosses losses(
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunRecord run) {
        SortedMap<PortId, Long> links = new TreeMap<>();
        run.nonnullLinkLoss().values().forEach(each -> links.put(
            new PortId(each.requireSwitch().getValue(), each.requirePort().getValue()),
            each.requirePackets().longValue()));
        return new RunLosses(links, run.getDaqringDrops() == null ? 0 : run.requireDaqringDrops().longValue());
    }

    private static Answer read(String partition,
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.partition.Answer answer) {
        return new Answer(answer.requireRequestId(), partition, answer.requireAsked(),
            Optional.ofNullable(answer.getRefusalKind()).map(kind ->
                new Refusal(Refusal.Kind.valueOf(kind), RefusalText.read(answer.requireRefusal()))),
            Enums.ours(answer.getState(), RunState.IDLE), answer.requireWorks(),
            Optional.ofNullable(answer.getRun()).flatMap(RunTree::read));
    }

    static Bandwidth bandwidth(double gbps) {
        return new Bandwidth(StateTree.decimal(gbps, 3));
    }

    private static Instant time(
            org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime time) {
        return Instant.parse(time.getValue());
    }

    private static Set<String> names(SortedSet<String> names) {
        return names.isEmpty() ? null : names;
    }
}
