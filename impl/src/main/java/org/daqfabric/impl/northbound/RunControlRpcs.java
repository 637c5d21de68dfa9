package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;
import static org.daqfabric.impl.northbound.YangValues.sorted;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.runcontrol.EventLog;
import org.daqfabric.impl.runcontrol.Request;
import org.daqfabric.impl.runcontrol.RunControl;
import org.daqfabric.impl.runcontrol.SequencedEvent;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Abort;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.AbortOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Arm;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.ArmOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Disable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.DisableOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Enable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.EnableOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.MissedEvents;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.MissedEventsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.MissedEventsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.MissedEventsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Prepare;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.PrepareInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.PrepareOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RealNumber;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Release;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.ReleaseOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.StartRun;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.StartRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.StopRun;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.StopRunOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.StopRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.WholeNumber;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.missed.events.output.EventBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.stop.run.output.RunBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.opendaylight.yangtools.yang.common.Uint64;

/** The rpcs of module daqfabric-run-control. */
public final class RunControlRpcs implements AutoCloseable {
    private static final int LONGEST = 64;
    private static final long HIGHEST_RUN = 0xffffffffL;
    private static final double LEAST_BANDWIDTH = 1e-6;
    private static final double MOST_BANDWIDTH = 1e6;

    private final RunControl runs;
    private final EventLog events;
    private final Uptake uptake;
    /** The last request that was asked, once it had its turn. */
    @GuardedBy("this")
    private CompletionStage<CompletionStage<Answer>> last = CompletableFuture.completedFuture(null);
    private final Registration registration;

    /**
     * Serves them until it is closed.
     *
     * @param uptake what requests wait for that depend on the configuration
     */
    public RunControlRpcs(RpcProviderService rpcs, RunControl runs, EventLog events, Uptake uptake) {
        this.runs = runs;
        this.uptake = uptake;
        this.events = events;
        registration = rpcs.registerRpcImplementations(
            (Prepare) input -> choose(() -> prepare(input), answer -> new PrepareOutputBuilder(output(answer)).build()),
            (Enable) input -> choose(() -> new Request.Enable(id(input), partition(input), nodes(input)),
                answer -> new EnableOutputBuilder(output(answer)).build()),
            (Disable) input -> choose(() -> new Request.Disable(id(input), partition(input), nodes(input)),
                answer -> new DisableOutputBuilder(output(answer)).build()),
            (Arm) input -> ask(() -> new Request.Arm(id(input), partition(input),
                Boolean.TRUE.equals(input.getAcceptDegraded())),
                answer -> new ArmOutputBuilder(output(answer)).build()),
            (StartRun) input -> ask(() -> new Request.Start(id(input), partition(input), number(input.getRunNumber())),
                answer -> new StartRunOutputBuilder(output(answer)).build()),
            (StopRun) input -> ask(() -> new Request.Stop(id(input), partition(input)), RunControlRpcs::stopped),
            (Release) input -> ask(() -> new Request.Release(id(input), partition(input)),
                answer -> new ReleaseOutputBuilder(output(answer)).build()),
            (Abort) input -> ask(() -> new Request.Abort(id(input), partition(input)),
                answer -> new AbortOutputBuilder(output(answer)).build()),
            (MissedEvents) input -> RpcSupport.answer(runs::known, known -> missed(input)));
    }

    @Override
    public void close() {
        registration.close();
    }

    /** Asks what chooses ROS and DCMs: among those of the configuration that was stored before. */
    private <T> ListenableFuture<RpcResult<T>> choose(Supplier<Request> request, Function<Answer, T> output) {
        return RpcSupport.answerWith(() -> inTurn(request.get(), uptake.ofWhatIsStored()),
            answer -> result(answer, output));
    }

    private <T> ListenableFuture<RpcResult<T>> ask(Supplier<Request> request, Function<Answer, T> output) {
        return RpcSupport.answerWith(() -> inTurn(request.get(), CompletableFuture.completedFuture(null)),
            answer -> result(answer, output));
    }

    /** Asks in order of arrival: what waits for nothing waits for those before it. */
    private synchronized CompletionStage<Answer> inTurn(Request request, CompletionStage<Void> condition) {
        last = last.handle((asked, failure) -> asked).thenCombine(condition, (asked, done) -> runs.ask(request));
        return last.thenCompose(Function.identity());
    }

    private static <T> RpcResult<T> result(Answer answer, Function<Answer, T> output) {
        return answer.refusal().<RpcResult<T>>map(refusal -> RpcSupport.failed(switch (refusal.kind()) {
            case INPUT -> ErrorTag.INVALID_VALUE;
            case STATE -> ErrorTag.IN_USE;
            case MISSING -> ErrorTag.RESOURCE_DENIED;
        }, RefusalText.of(refusal.reasons()))).orElseGet(() -> RpcResultBuilder.success(output.apply(answer)).build());
    }

    /** The leaves that all answers share, in the output that has all of them. */
    private static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Answer output(Answer answer) {
        return stopped(answer);
    }

    private static StopRunOutput stopped(Answer answer) {
        return new StopRunOutputBuilder().setPartition(answer.partition()).setState(RunTree.state(answer.state()))
            .setOperation(answer.works() ? answer.requestId() : null)
            .setRun(answer.run().map(run -> new RunBuilder(RunTree.record(run)).build()).orElse(null)).build();
    }

    private static Request prepare(PrepareInput input) {
        String type = input.getRunType() == null ? "" : input.getRunType();
        if (type.length() > LONGEST) {
            throw new InvalidInputException("run-type", "it has at most " + LONGEST + " characters");
        }
        return new Request.Prepare(id(input), partition(input), Optional.ofNullable(input.getFabric()), type,
            sorted(input.getRos()), sorted(input.getDcm()), bandwidth(input.getRequiredBandwidth()));
    }

    private static String id(
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Request input) {
        return named(input.getRequestId(), "request-id", "a UUID, a new one for every new request");
    }

    private static String partition(
            org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Request input) {
        return named(input.getPartition(), "partition", "the name of your partition");
    }

    private static String named(String value, String leaf, String example) {
        if (value == null) {
            throw new InvalidInputException(leaf, "is missing: give it, " + example);
        }
        if (value.isBlank() || value.length() > LONGEST) {
            throw new InvalidInputException(leaf, "it has 1 to " + LONGEST + " characters");
        }
        return value;
    }

    private static Selection nodes(org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Nodes input) {
        return new Selection(sorted(input.getRos()), sorted(input.getDcm()));
    }

    private static long number(WholeNumber value) {
        long number = RpcSupport.whole(RpcSupport.given(value, "run-number", "\"1234\"").getValue(), "run-number");
        if (number < 0 || number > HIGHEST_RUN) {
            throw new InvalidInputException("run-number", "it is 0 to " + HIGHEST_RUN);
        }
        return number;
    }

    private static double bandwidth(RealNumber value) {
        if (value == null) {
            return 0;
        }
        double gbps = RpcSupport.real(value.getValue(), "required-bandwidth");
        if (gbps < LEAST_BANDWIDTH || gbps > MOST_BANDWIDTH) {
            throw new InvalidInputException("required-bandwidth",
                "it is 0.000001 to 1000000 Gbps; leave it out for none");
        }
        return gbps;
    }

    private MissedEventsOutput missed(MissedEventsInput input) {
        long sequence = input.getSequence() == null ? 0
            : RpcSupport.whole(input.getSequence().getValue(), "sequence");
        if (sequence < 0) {
            throw new InvalidInputException("sequence", "it is that of the last notification seen, or 0");
        }
        EventLog.Missed missed = events.after(input.getEpoch() == null ? "" : input.getEpoch(), sequence);
        return new MissedEventsOutputBuilder().setEpoch(missed.epoch()).setNewest(Uint64.valueOf(missed.newest()))
            .setComplete(missed.complete())
            .setEvent(missed.events().stream().map(RunControlRpcs::event).toList()).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.missed.events.output.Event event(
            SequencedEvent event) {
        return new EventBuilder().setSequence(Uint64.valueOf(event.sequence()))
            .setTime(StateTree.time(event.time())).setKind(event.content().kind())
            .setFabric(new Name(event.content().fabric())).setPartition(absent(event.content().partition()))
            .setSubject(absent(event.content().subject())).setText(event.content().text()).build();
    }
}
