package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.whatif.TrafficQueries;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.LinkEnd;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.PlanInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.PlanOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Schedule;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ScheduleInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ScheduleOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Trace;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TraceInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TraceOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFails;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFailsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFailsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.plan.input.Candidate;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The rpcs plan, trace, what-fails and schedule of module daqfabric-operations. */
public final class WhatIfRpcs implements AutoCloseable {
    private static final String MEASURED = "measured-weights";

    private final FabricManager fabrics;
    private final FabricHistory history;
    private final TrafficQueries traffic;
    private final Uptake uptake;
    private final Registration registration;

    public WhatIfRpcs(RpcProviderService rpcs, FabricManager fabrics, FabricHistory history,
            TrafficQueries traffic, Uptake uptake) {
        this.fabrics = fabrics;
        this.history = history;
        this.traffic = traffic;
        this.uptake = uptake;
        registration = rpcs.registerRpcImplementations((Plan) this::plan, (Trace) this::trace,
            (WhatFails) this::whatFails, (Schedule) this::schedule);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<PlanOutput>> plan(PlanInput input) {
        return RpcSupport.answer(uptake, () -> {
            String fabric = RpcSupport.fabric(input.getFabric());
            FabricParts drain = parts(input.getDrainSwitch(), input.getDrainLink(), "drain");
            FabricParts undrain = parts(input.getUndrainSwitch(), input.getUndrainLink(), "undrain");
            FabricParts fail = parts(input.getFailSwitch(), input.getFailLink(), "fail");
            return candidate(fabric, input).thenCombine(measured(fabric, input), (candidate, measured) ->
                new WhatIf(candidate, drain, undrain, fail, measured)).thenCompose(asked ->
                fabrics.whatIf().plan(fabric, asked).thenApply(effect -> WhatIfAnswers.plan(effect, asked.measured())));
        }, Function.identity());
    }

    private CompletionStage<Optional<Weights>> measured(String fabric, PlanInput input) {
        OptionalInt seconds = RpcSupport.optional(input.getMeasuredWeights(), MEASURED);
        return seconds.isEmpty() ? CompletableFuture.completedStage(Optional.empty())
            : traffic.weights(fabric, seconds.getAsInt(), MEASURED).thenApply(Optional::of);
    }

    private ListenableFuture<RpcResult<TraceOutput>> trace(TraceInput input) {
        return RpcSupport.answer(uptake, () -> fabrics.whatIf().trace(RpcSupport.fabric(input.getFabric()),
            RpcSupport.given(input.getRos(), "ros", "\"ROS-NAME\""),
            RpcSupport.given(input.getDcm(), "dcm", "\"DCM-NAME\""),
            parts(input.getFailSwitch(), input.getFailLink(), "fail")), WhatIfAnswers::trace);
    }

    private ListenableFuture<RpcResult<WhatFailsOutput>> whatFails(WhatFailsInput input) {
        return RpcSupport.answer(uptake, () ->
            fabrics.whatIf().whatFails(RpcSupport.fabric(input.getFabric())), WhatIfAnswers::whatFails);
    }

    private ListenableFuture<RpcResult<ScheduleOutput>> schedule(ScheduleInput input) {
        return RpcSupport.answer(uptake, () ->
            fabrics.whatIf().schedule(RpcSupport.fabric(input.getFabric())), WhatIfAnswers::schedule);
    }

    /** The configuration that is asked about; empty for the present one. */
    private CompletionStage<Optional<FabricSpec>> candidate(String fabric, PlanInput input) {
        if (input.getVersion() == null) {
            Candidate given = input.getCandidate();
            if (given == null) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            fabrics.spec(fabric);
            return fabrics.whatIf().aside(() -> Optional.of(candidate(fabric, given)));
        }
        if (input.getCandidate() != null) {
            throw new InvalidInputException("version", "a version and a candidate are two configurations: give one");
        }
        fabrics.spec(fabric);
        return history.spec(RpcSupport.keyOfFabric(fabric), HistoryRpcs.number(input.getVersion(), "version"))
            .thenApply(Optional::of);
    }

    private static FabricSpec candidate(String fabric, Candidate given) {
        FabricReader.Result read = FabricReader.read(fabric, Location.input("candidate"), given);
        if (!read.problems().isEmpty()) {
            throw new InvalidInputException(read.problems());
        }
        return read.spec().orElseThrow();
    }

    private static FabricParts parts(Collection<String> switches, Collection<? extends LinkEnd> links, String leaf) {
        List<PortId> ends = new ArrayList<>();
        for (LinkEnd end : links == null ? List.<LinkEnd>of() : links) {
            if (end.getSwitch() == null || end.getPort() == null) {
                throw new InvalidInputException(leaf + "-link",
                    "a link is named by a switch and a port of it, as in {\"switch\":\"NAME\",\"port\":\"NAME\"}");
            }
            ends.add(new PortId(end.getSwitch(), end.getPort()));
        }
        return new FabricParts(switches == null ? List.of() : List.copyOf(switches), ends);
    }
}
