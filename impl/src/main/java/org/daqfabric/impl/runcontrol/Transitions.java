package org.daqfabric.impl.runcontrol;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.daqfabric.api.run.Answer.Reason;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;

/**
 * The state machine of a partition: its next state for a request. Pure functions; a refusal is thrown as {@link
 * Refusal}.
 */
final class Transitions {
    private static final String RETRY = "; then ask again with another request-id";

    private Transitions() {
    }

    /**
     * Chooses the ROS and DCMs that take part.
     *
     * @param specs every configured fabric by name
     * @param others the other partitions
     */
    static Partition prepare(Partition partition, Request.Prepare request, SortedMap<String, FabricSpec> specs,
            Collection<Partition> others, Instant now) {
        requireState(partition, request, RunState.IDLE, RunState.PREPARED, RunState.ERROR);
        FabricSpec spec = fabric(request, specs);
        if (partition.state() == RunState.PREPARED && !spec.name().equals(partition.fabric())) {
            throw Refusal.state("partition " + partition.name() + " is prepared on fabric " + partition.fabric()
                + ": release it first" + RETRY);
        }
        Selection all = allOf(spec);
        Selection chosen = new Selection(request.ros().isEmpty() ? all.ros() : request.ros(),
            request.dcms().isEmpty() ? all.dcms() : request.dcms());
        requireKnown(chosen, spec);
        return prepared(partition, spec.name(), request.runType(), chosen, request.required(), request, others, now);
    }

    static Partition enable(Partition partition, Request.Enable request, SortedMap<String, FabricSpec> specs,
            Collection<Partition> others, Instant now) {
        FabricSpec spec = fabricOf(partition, request, request.added(), specs);
        requireKnown(request.added(), spec);
        return prepared(partition, spec.name(), partition.runType(), partition.selection().and(request.added()),
            partition.required(), request, others, now);
    }

    static Partition disable(Partition partition, Request.Disable request, SortedMap<String, FabricSpec> specs,
            Collection<Partition> others, Instant now) {
        FabricSpec spec = fabricOf(partition, request, request.taken(), specs);
        // what is no longer configured can still be disabled
        if (!request.taken().without(partition.selection()).equals(Selection.NONE)) {
            requireKnown(request.taken().without(partition.selection()), spec);
        }
        return prepared(partition, spec.name(), partition.runType(), partition.selection().without(request.taken()),
            partition.required(), request, others, now);
    }

    /** Succeeds without a change if the partition is armed already. */
    static Partition arm(Partition partition, Request.Arm request, Optional<FabricStatus> status,
            Function<FabricStatus, Condition> judge, Instant now) {
        requireState(partition, request, RunState.PREPARED, RunState.READY);
        if (partition.works()) {
            throw Refusal.missing("arm: partition " + partition.name() + " is still being prepared, "
                + partition.operation().orElseThrow().progress() + " % done: wait until its operation is done" + RETRY);
        }
        FabricStatus current = latest(partition, request, status);
        requireReady(request, partition, request.acceptDegraded(), current, judge.apply(current));
        return partition.state() == RunState.READY && partition.acceptDegraded() == request.acceptDegraded()
            ? partition : partition.armed(request.acceptDegraded(), now);
    }

    /** Succeeds without a change if this run is in progress already. */
    static Partition start(Partition partition, Request.Start request, Optional<FabricStatus> status,
            Function<FabricStatus, Condition> judge, Instant now) {
        if (partition.isRunning() && partition.run().orElseThrow().number() == request.number()) {
            return partition;
        }
        requireState(partition, request, RunState.READY);
        FabricStatus current = latest(partition, request, status);
        Condition condition = judge.apply(current);
        requireReady(request, partition, partition.acceptDegraded(), current, condition);
        return partition.started(RunRecord.begin(request.number(), now, condition), now);
    }

    /** The refusal of a request that needs a settled fabric. */
    static Refusal unsettled(Request request, String why) {
        return Refusal.missing(request.rpc() + ": " + why + ": wait until its phase is converged or degraded" + RETRY);
    }

    private static FabricStatus latest(Partition partition, Request request, Optional<FabricStatus> status) {
        return status.orElseThrow(() -> Refusal.missing(request.rpc() + ": fabric " + partition.fabric()
            + " has not been taken up yet: wait a moment" + RETRY));
    }

    /** Succeeds without a change if the run is stopped already. */
    static Partition stop(Partition partition, Request.Stop request, Instant now) {
        requireState(partition, request, RunState.RUNNING, RunState.READY);
        return partition.isRunning() ? partition.stopped(now) : partition;
    }

    static Partition release(Partition partition, Request.Release request, Instant now) {
        requireState(partition, request, RunState.PREPARED, RunState.READY, RunState.ERROR, RunState.IDLE);
        return partition.isIdle() ? partition : partition.released(now);
    }

    static Partition abort(Partition partition, Instant now) {
        return partition.isIdle() ? partition : partition.released(now);
    }

    private static void requireState(Partition partition, Request request, RunState... allowed) {
        if (List.of(allowed).contains(partition.state())) {
            return;
        }
        String next = switch (partition.state()) {
            case IDLE -> "prepare it first";
            case PREPARED -> "arm it first";
            case READY -> request instanceof Request.Start ? "" : "release it first";
            case RUNNING -> "stop run " + partition.run().orElseThrow().number() + " first";
            case ERROR -> "prepare it again, or release it";
        };
        String why = partition.reason().isEmpty() ? "" : " (" + partition.reason() + ")";
        throw Refusal.state(request.rpc() + ": partition " + partition.name() + " is " + word(partition.state()) + why
            + ": " + next + RETRY);
    }

    private static FabricSpec fabric(Request.Prepare request, SortedMap<String, FabricSpec> specs) {
        String names = specs.isEmpty() ? "none is configured" : "configured: " + String.join(", ", specs.keySet());
        if (request.fabric().isEmpty() && specs.size() == 1) {
            return specs.firstEntry().getValue();
        }
        if (request.fabric().isEmpty()) {
            throw Refusal.input("fabric", "say which fabric; " + names);
        }
        FabricSpec spec = specs.get(request.fabric().get());
        if (spec == null) {
            throw Refusal.input("fabric", "there is no fabric " + request.fabric().get() + "; " + names);
        }
        return spec;
    }

    private static FabricSpec fabricOf(Partition partition, Request request, Selection named,
            Map<String, FabricSpec> specs) {
        requireState(partition, request, RunState.PREPARED);
        if (named.equals(Selection.NONE)) {
            throw Refusal.input("", "name a ros or dcm to " + request.rpc());
        }
        FabricSpec spec = specs.get(partition.fabric());
        if (spec == null) {
            throw Refusal.state(request.rpc() + ": fabric " + partition.fabric()
                + " is no longer configured: release partition " + partition.name());
        }
        return spec;
    }

    private static Selection allOf(FabricSpec spec) {
        SortedSet<String> ros = new TreeSet<>();
        SortedSet<String> dcms = new TreeSet<>();
        spec.pods().forEach(pod -> {
            pod.ros().forEach(each -> ros.add(each.name()));
            pod.racks().forEach(rack -> rack.dcms().forEach(dcm -> dcms.add(dcm.name())));
        });
        return new Selection(ros, dcms);
    }

    private static void requireKnown(Selection chosen, FabricSpec spec) {
        Selection unknown = chosen.without(allOf(spec));
        List<Reason> reasons = new ArrayList<>();
        unknown.ros().forEach(name ->
            reasons.add(Refusal.about("ros", "fabric " + spec.name() + " has no ROS " + name)));
        unknown.dcms().forEach(name ->
            reasons.add(Refusal.about("dcm", "fabric " + spec.name() + " has no DCM " + name)));
        if (!reasons.isEmpty()) {
            throw Refusal.input(reasons);
        }
    }

    private static Partition prepared(Partition partition, String fabric, String runType, Selection chosen,
            double required, Request request, Collection<Partition> others, Instant now) {
        if (chosen.ros().isEmpty() || chosen.dcms().isEmpty()) {
            throw Refusal.input("", "no " + (chosen.ros().isEmpty() ? "ROS" : "DCM") + " would be left in partition "
                + partition.name() + ": release it instead");
        }
        List<Reason> conflicts = others.stream().filter(other -> !other.isIdle() && other.fabric().equals(fabric))
            .flatMap(other -> claimed(chosen, other)).toList();
        if (!conflicts.isEmpty()) {
            throw Refusal.missing(conflicts);
        }
        Operation operation = new Operation(request.id(), request.rpc(), Operation.Status.RUNNING, 0, "placing DCMs");
        return partition.prepared(fabric, runType, chosen, required, operation, now);
    }

    private static Stream<Reason> claimed(Selection chosen, Partition other) {
        SortedSet<String> both = new TreeSet<>(chosen.dcms());
        both.retainAll(other.selection().dcms());
        return both.stream().map(dcm -> Refusal.about("dcm", "DCM " + dcm + " is in partition " + other.name()
            + ", which is " + word(other.state()) + ": choose others, or release it"));
    }

    /** Refuses, listing everything that is missing. */
    private static void requireReady(Request request, Partition partition, boolean acceptDegraded, FabricStatus status,
            Condition condition) {
        List<Reason> missing = new ArrayList<>();
        Assessment.progress(status, partition.selection()).late().forEach(name ->
            missing.add(Refusal.reason("switch " + name + ": it has not confirmed its program yet")));
        condition.concerns().stream().filter(concern -> !acceptDegraded || concern.kind().isSevere())
            .map(concern -> Refusal.reason(concern.toString())).forEach(missing::add);
        if (!missing.isEmpty()) {
            missing.addFirst(Refusal.reason(request.rpc() + ": partition " + partition.name() + " misses "
                + missing.size() + (missing.size() == 1 ? " thing" : " things") + RETRY + ":"));
            throw Refusal.missing(missing);
        }
    }

    private static String word(RunState state) {
        return state == RunState.ERROR ? "in error" : state.name().toLowerCase(Locale.ROOT);
    }
}
