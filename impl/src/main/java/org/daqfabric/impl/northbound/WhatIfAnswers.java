package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;
import static org.daqfabric.impl.northbound.YangValues.decimal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.Place;
import org.daqfabric.api.plan.Failures;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hops;
import org.daqfabric.api.plan.TraceResult.Way;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.PlanOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.PlanOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ScheduleOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ScheduleOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TraceOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TraceOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFailsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFailsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.hops.Hop;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.hops.HopBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.AfterBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.BeforeBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.CutOffBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.Measured;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.MeasuredBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.MovedDcm;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.MovedDcmBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.measured.DcmBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.output.measured.RosBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.trace.output.NowBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.trace.output.RepairedBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.trace.output.SwitchedBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.way.ToDcm;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.way.ToDcmBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.way.ToRos;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.way.ToRosBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.what.fails.output.Failure;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.what.fails.output.FailureBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PlaneId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Ratio;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.SpineId;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** The answers of {@link WhatIfRpcs} as nodes of {@code daqfabric-operations.yang}. */
final class WhatIfAnswers {
    private static final int MAX_CUT_OFF = 100;
    private static final int GBPS_DIGITS = 3;
    private static final int RATIO_DIGITS = 4;

    private WhatIfAnswers() {
    }

    static PlanOutput plan(Effect effect, Optional<Weights> measured) {
        Capacity before = effect.before();
        Capacity after = effect.after();
        return new PlanOutputBuilder()
            .setMessages(count(effect.messages()))
            .setSwitch(effect.switches().stream().map(WhatIfAnswers::change).toList())
            .setMovedDcm(effect.moved().stream().map(WhatIfAnswers::move).toList())
            .setCutOff(effect.cutOff().stream().map(each -> new CutOffBuilder().setDcm(new Name(each.dcm()))
                .setReachableRos(count(each.reachableRos())).build()).toList())
            .setBefore(new BeforeBuilder().setBandwidth(gbps(before.bandwidth()))
                .setBottleneck(absent(before.bottleneck())).setUtilisation(ratio(before.utilisation())).build())
            .setAfter(new AfterBuilder().setBandwidth(gbps(after.bandwidth()))
                .setBottleneck(absent(after.bottleneck())).setUtilisation(ratio(after.utilisation())).build())
            .setMeasured(measured.map(WhatIfAnswers::weights).orElse(null))
            .build();
    }

    private static Measured weights(Weights weights) {
        return new MeasuredBuilder()
            .setRos(BindingMap.of(weights.ros().entrySet().stream().map(each -> new RosBuilder()
                .setName(new Name(each.getKey())).setFragmentWeight(TrafficRpcs.weight(each.getValue())).build())
                .toList()))
            .setDcm(BindingMap.of(weights.dcms().entrySet().stream().map(each -> new DcmBuilder()
                .setName(new Name(each.getKey())).setWeight(TrafficRpcs.weight(each.getValue())).build()).toList()))
            .build();
    }

    private static Switch change(Effect.SwitchChange change) {
        return new SwitchBuilder()
            .setName(new Name(change.name()))
            .setBridge(change.bridge().map(bridge -> switch (bridge) {
                case ADDED -> Switch.Bridge.Added;
                case REMOVED -> Switch.Bridge.Removed;
                case MOVED -> Switch.Bridge.Moved;
            }).orElse(null))
            .setAddedRules(count(change.rules().added())).setChangedRules(count(change.rules().changed()))
            .setRemovedRules(count(change.rules().removed()))
            .setAddedGroups(count(change.groups().added())).setChangedGroups(count(change.groups().changed()))
            .setRemovedGroups(count(change.groups().removed()))
            .setAddedDaqrings(count(change.daqrings().added())).setChangedDaqrings(count(change.daqrings().changed()))
            .setRemovedDaqrings(count(change.daqrings().removed()))
            .setAddedPorts(count(change.ports().added())).setChangedPorts(count(change.ports().changed()))
            .setRemovedPorts(count(change.ports().removed()))
            .setMessages(count(change.messages()))
            .build();
    }

    private static MovedDcm move(Effect.Move move) {
        return new MovedDcmBuilder().setDcm(new Name(move.dcm()))
            .setFromPlane(plane(move.from())).setFromSpine(spine(move.from().spine()))
            .setToPlane(plane(move.to())).setToSpine(spine(move.to().spine())).build();
    }

    static ScheduleOutput schedule(Schedule found) {
        return new ScheduleOutputBuilder()
            .setGeneration(Uint64.valueOf(found.generation()))
            .setPhases(count(found.phases())).setBound(count(found.bound())).setBoundBy(absent(found.boundBy()))
            .setRate(gbps(found.rate())).setTransfers(count(found.transfers()))
            .setPairsWithoutPath(count(found.withoutPath()))
            .setRos(BindingMap.of(found.dcms().entrySet().stream().map(each ->
                new org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.schedule.output.RosBuilder()
                    .setName(new Name(each.getKey())).setDcms(each.getValue().stream()
                        .map(dcm -> dcm.isEmpty() ? "-" : dcm).collect(Collectors.joining(" "))).build()).toList()))
            .build();
    }

    static TraceOutput trace(TraceResult traced) {
        return new TraceOutputBuilder()
            .setNow(new NowBuilder().setToDcm(toDcm(traced.now())).setToRos(toRos(traced.now())).build())
            .setSwitched(traced.switched().map(way ->
                new SwitchedBuilder().setToDcm(toDcm(way)).setToRos(toRos(way)).build()).orElse(null))
            .setRepaired(traced.repaired().map(way ->
                new RepairedBuilder().setToDcm(toDcm(way)).setToRos(toRos(way)).build()).orElse(null))
            .build();
    }

    private static ToDcm toDcm(Way way) {
        return new ToDcmBuilder().setArrives(way.toDcm().arrives()).setProblem(absent(way.toDcm().problem()))
            .setHop(hops(way.toDcm())).build();
    }

    private static ToRos toRos(Way way) {
        return new ToRosBuilder().setArrives(way.toRos().arrives()).setProblem(absent(way.toRos().problem()))
            .setHop(hops(way.toRos())).build();
    }

    private static List<Hop> hops(Hops way) {
        List<Hop> hops = new ArrayList<>();
        for (TraceResult.Hop hop : way.hops()) {
            hops.add(new HopBuilder().setIndex(Uint8.valueOf(hops.size() + 1)).setSwitch(new Name(hop.switchName()))
                .setInPort(hop.inPort()).setOutPort(hop.outPort()).setRule(hop.rule()).setGroup(absent(hop.group()))
                .setDaqring(hop.daqring().isEmpty() ? null : new Name(hop.daqring())).build());
        }
        return hops;
    }

    static WhatFailsOutput whatFails(Failures failures) {
        return new WhatFailsOutputBuilder().setBandwidth(gbps(failures.bandwidth()))
            .setFailure(failures.worstFirst().stream().map(WhatIfAnswers::failure).toList()).build();
    }

    private static Failure failure(Failures.Failure failure) {
        FailureBuilder builder = new FailureBuilder()
            .setKind(failure.link().isPresent() ? Failure.Kind.Link : Failure.Kind.Switch)
            .setSwitch(new Name(failure.switchName()))
            .setBandwidth(gbps(failure.bandwidth())).setUtilisation(ratio(failure.utilisation()))
            .setMovedDcms(count(failure.movedDcms())).setCutOffDcms(count(failure.cutOffDcms().size()))
            .setCutOffDcm(failure.cutOffDcms().stream().limit(MAX_CUT_OFF).map(Name::new).toList())
            .setCutOffRos(count(failure.cutOffRos().size()))
            .setCutOffFlow(failure.cutOffFlows().stream().limit(MAX_CUT_OFF).map(Name::new).toList());
        failure.link().ifPresent(link -> builder.setPort(new InterfaceName(link.end().port()))
            .setPeerSwitch(new Name(link.peer().switchName())).setPeerPort(new InterfaceName(link.peer().port())));
        return builder.build();
    }

    private static Uint32 count(int value) {
        return Uint32.valueOf(value);
    }

    private static PlaneId plane(Place place) {
        return StateTree.plane(place.plane());
    }

    private static SpineId spine(OptionalInt spine) {
        return spine.isPresent() ? StateTree.spine(spine.getAsInt()) : null;
    }

    private static Bandwidth gbps(double value) {
        return new Bandwidth(decimal(value, GBPS_DIGITS));
    }

    private static Ratio ratio(double value) {
        return new Ratio(decimal(value, RATIO_DIGITS));
    }
}
