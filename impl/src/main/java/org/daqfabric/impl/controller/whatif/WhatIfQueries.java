package org.daqfabric.impl.controller.whatif;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.Failures;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.daqfabric.impl.engine.schedule.Scheduler;
import org.daqfabric.impl.engine.whatif.SingleFailures;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;

/** Answers what a change or a failure would do, beside the event loops and without side effects. */
public final class WhatIfQueries {
    private final Supplier<SortedMap<String, FabricSpec>> configured;
    private final Function<String, FabricSpec> spec;
    private final BiFunction<String, WhatIfQuestion, CompletionStage<Snapshot>> snapshot;
    private final Executor thread;

    /**
     * Creates the queries.
     *
     * @param configured the configurations of all fabrics
     * @param spec one of them by name, or an {@link InvalidInputException}
     * @param snapshot a fabric at this moment
     * @param thread works the answers out
     */
    public WhatIfQueries(Supplier<SortedMap<String, FabricSpec>> configured, Function<String, FabricSpec> spec,
            BiFunction<String, WhatIfQuestion, CompletionStage<Snapshot>> snapshot, Executor thread) {
        this.configured = configured;
        this.spec = spec;
        this.snapshot = snapshot;
        this.thread = thread;
    }

    /** Works out a part of a question that may take long, where the answers are worked out. */
    public <T> CompletionStage<T> aside(Supplier<T> part) {
        return CompletableFuture.supplyAsync(part, thread);
    }

    /**
     * What a change or failures would do.
     *
     * @return fails with an {@link InvalidInputException} where the question is wrong
     */
    public CompletionStage<Effect> plan(String fabric, WhatIf asked) {
        return aside(() -> {
            FabricSpec now = spec.apply(fabric);
            asked.candidate().ifPresent(this::check);
            return WhatIfQuestion.of(now, asked);
        }).thenCompose(question -> snapshot.apply(fabric, question)
            .thenApplyAsync(now -> PlanReport.of(now, question), thread));
    }

    /**
     * The paths of packets between a ROS and a DCM.
     *
     * @param fail what fails; may be empty
     * @return fails with an {@link InvalidInputException} where a name is wrong
     */
    public CompletionStage<TraceResult> trace(String fabric, String ros, String dcm, FabricParts fail) {
        return answer(fabric, now -> WhatIfQuestion.failing(now, fail),
            (now, asked) -> PathTracer.of(now, asked, ros, dcm));
    }

    /**
     * What would be left after the failure of any one link or switch.
     *
     * @return fails with an {@link InvalidInputException} where the name is wrong
     */
    public CompletionStage<Failures> whatFails(String fabric) {
        return answer(fabric, now -> WhatIfQuestion.failing(now, FabricParts.NONE), (now, asked) ->
            new SingleFailures(now.topology(), now.weighted(now.topology()), now.unusable(), now.decision().placement(),
                (before, after) -> MoveCounter.countMoves(now.topology(), before, after)).report());
    }

    /**
     * Phases in which no two nodes need the same link, for the fabric as it is.
     *
     * @return fails with an {@link InvalidInputException} where the name is wrong or the fabric is too large
     */
    public CompletionStage<Schedule> schedule(String fabric) {
        return snapshot(fabric).thenApplyAsync(now -> Scheduler.of(now.topology(), now.unusable(),
            now.decision().placement(), now.generation()), thread);
    }

    /**
     * A fabric at this moment.
     *
     * @return fails with an {@link InvalidInputException} where the name is wrong
     */
    CompletionStage<Snapshot> snapshot(String fabric) {
        return answer(fabric, now -> WhatIfQuestion.failing(now, FabricParts.NONE), (now, asked) -> now);
    }

    /**
     * The desired program of a switch.
     *
     * @return fails with an {@link InvalidInputException} where a name is wrong
     */
    CompletionStage<DesiredProgram> program(String fabric, String switchName) {
        return answer(fabric, now -> WhatIfQuestion.failing(now, FabricParts.NONE), (now, asked) -> {
            if (!now.topology().roles().containsKey(switchName)) {
                throw new InvalidInputException("switch", "fabric " + fabric + " has no switch " + switchName
                    + "; its switches are " + String.join(", ", now.topology().roles().keySet()));
            }
            return new DesiredProgram(now.topology().datapathId(switchName),
                now.programs().getOrDefault(switchName, Program.EMPTY));
        });
    }

    /** What a switch must hold. */
    record DesiredProgram(long datapathId, Program program) {
    }

    /**
     * Refuses a configuration with contradictions in itself or with another fabric, as a write of it would be refused.
     */
    private void check(FabricSpec candidate) {
        LargestCandidate.check(candidate, Runtime.getRuntime().maxMemory());
        List<FabricSpec> all = new ArrayList<>();
        configured.get().values().stream().filter(other -> !other.name().equals(candidate.name())).forEach(all::add);
        all.sort(Comparator.comparing(FabricSpec::name));
        all.add(candidate);
        List<Problem> problems = FabricChecks.check(all);
        if (!problems.isEmpty()) {
            Location stored = Location.fabric(candidate.name());
            Location given = Location.input("candidate");
            throw new InvalidInputException(problems.stream().map(problem ->
                new Problem(problem.location().moved(stored, given), problem.message())).toList());
        }
    }

    private <T> CompletionStage<T> answer(String fabric, Function<FabricSpec, WhatIfQuestion> question,
            BiFunction<Snapshot, WhatIfQuestion, T> answer) {
        try {
            WhatIfQuestion asked = question.apply(spec.apply(fabric));
            return snapshot.apply(fabric, asked).thenApplyAsync(now -> answer.apply(now, asked), thread);
        } catch (InvalidInputException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
