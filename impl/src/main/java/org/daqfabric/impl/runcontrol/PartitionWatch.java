package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunLosses;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.run.LossCounts;

/** Follows how the fabrics serve the partitions: health, progress of operations, and the record of a run. */
final class PartitionWatch {
    /** How long a repair may take before partitions are assessed without its result. */
    private static final Duration REPAIR_GRACE = Duration.ofSeconds(1);
    /** How long after its end losses count for a run: links tell exactly at rest, daqrings are read at times. */
    private static final Duration COUNTED_AFTER = Duration.ofSeconds(20);

    private final PartitionRegistry registry;
    private final Consumer<Partition> persist;
    private final Consumer<Duration> wakeUp;
    private final RunListener listener;
    private final EventLog events;
    private final Clocks clocks;
    private final RunClock runs;
    private final Map<String, FabricStatus> statuses = new HashMap<>();
    private final Map<String, FabricState> states = new HashMap<>();
    /** Newest status of fabrics with a repair in progress, and since when. */
    private final Map<String, Unsettled> unsettled = new HashMap<>();
    private final Map<String, Assessment> assessments = new HashMap<>();
    private final Map<String, PendingOperation> pending = new HashMap<>();
    /** Repairs and their second steps that are not yet counted in the runs of their fabrics. */
    private final List<RunEvent> repairs = new ArrayList<>();
    /** What is counted of the losses of each fabric in the runs. */
    private final Map<String, LossCounts> counted = new HashMap<>();
    /** The newest losses of each fabric. */
    private final Map<String, LossCounts> counts = new HashMap<>();
    /** When partitions were last seen to run. */
    private final Map<String, Instant> ran = new HashMap<>();
    private List<PartitionState> published = List.of();

    private record Unsettled(FabricStatus status, Instant since) {
    }

    /**
     * Starts without any status.
     *
     * @param persist stores a partition that has changed
     * @param wakeUp calls {@link #update} after the given time
     */
    PartitionWatch(PartitionRegistry registry, Consumer<Partition> persist, Consumer<Duration> wakeUp,
            RunListener listener, EventLog events, Clocks clocks) {
        this.registry = registry;
        this.persist = persist;
        this.wakeUp = wakeUp;
        this.listener = listener;
        this.events = events;
        this.clocks = clocks;
        runs = new RunClock(clocks);
    }

    void observe(FabricStatus status) {
        String fabric = status.topology().spec().name();
        if (status.settled()) {
            statuses.put(fabric, status);
            unsettled.remove(fabric);
        } else {
            Instant since = Optional.ofNullable(unsettled.get(fabric)).map(Unsettled::since)
                .orElseGet(clocks.steady()::instant);
            unsettled.put(fabric, new Unsettled(status, since));
            wakeUp.accept(REPAIR_GRACE);
        }
        counts.put(fabric, counts.getOrDefault(fabric, LossCounts.UNKNOWN).at(status.topology(), status.state()));
        for (RunEvent event : RunChanges.between(states.put(fabric, status.state()), status.state())) {
            events.add(event, listener::eventOccurred);
            if (event instanceof RunEvent.Repaired || event instanceof RunEvent.Rebalanced) {
                repairs.add(event);
            }
        }
    }

    void removed(String fabric) {
        statuses.remove(fabric);
        states.remove(fabric);
        unsettled.remove(fabric);
        counts.remove(fabric);
        counted.remove(fabric);
    }

    /** The last status of the fabric a partition uses; empty if there is none yet. */
    Optional<FabricStatus> status(Partition partition) {
        return Optional.ofNullable(statuses.get(partition.fabric()));
    }

    Condition condition(FabricStatus status, Partition partition) {
        return assessments.computeIfAbsent(partition.name(), name -> new Assessment()).of(status, partition);
    }

    /** Starts the timers of a partition's operation. */
    void begin(String partition) {
        pending.put(partition, new PendingOperation(clocks.steady().instant(), false));
        wakeUp.accept(PendingOperation.CONNECT_GRACE);
        wakeUp.accept(PendingOperation.TIMEOUT);
    }

    /** What a request makes of a partition, with the times of a run that it begins or ends. */
    Partition timed(Partition before, Partition after) {
        if (!before.isRunning() && after.isRunning()) {
            Set<Instant> earlier = repairs.stream().map(PartitionWatch::time).collect(Collectors.toSet());
            Optional.ofNullable(states.get(after.fabric())).ifPresent(state -> {
                state.lastRepair().map(FabricState.Repair::detected).ifPresent(earlier::add);
                state.lastRebalanced().map(FabricState.Rebalanced::begun).ifPresent(earlier::add);
            });
            runs.began(after, earlier);
        }
        return before.isRunning() && !after.isRunning() ? runs.ended(after) : after;
    }

    /** The fabric has placed the DCMs that the partition's operation chose. */
    void markPlaced(String partition) {
        pending.computeIfPresent(partition, (name, operation) -> new PendingOperation(operation.begun(), true));
    }

    /** Brings every partition up to date and reports what changed. */
    void update() {
        unsettled.forEach((fabric, waiting) -> {
            if (!clocks.steady().instant().isBefore(waiting.since().plus(REPAIR_GRACE))) {
                statuses.put(fabric, waiting.status());
            }
        });
        Map<String, PartitionState> before =
            published.stream().collect(Collectors.toMap(each -> each.partition().name(), Function.identity()));
        List<PartitionState> found = new ArrayList<>();
        for (Partition partition : registry.all()) {
            boolean ranBefore = Optional.ofNullable(before.get(partition.name()))
                .filter(each -> each.partition().isRunning()).isPresent();
            Partition now = countLosses(countRepairs(advance(partition)), ranBefore);
            Optional<Condition> condition = condition(now);
            if (now.isRunning() && condition.isPresent()) {
                now = now.with(now.run().orElseThrow().seen(condition.get()));
            }
            if (!now.equals(partition)) {
                store(partition, now);
            }
            PartitionState state = new PartitionState(now, condition);
            RunChanges.between(before.get(now.name()), state)
                .forEach(change -> events.add(change, listener::eventOccurred));
            found.add(state);
        }
        repairs.clear();
        counted.putAll(counts);
        pending.keySet().removeIf(name -> registry.find(name).filter(Partition::works).isEmpty());
        assessments.keySet().removeIf(name -> registry.find(name).isEmpty());
        ran.keySet().removeIf(name -> registry.find(name).isEmpty());
        runs.keepOnly(found.stream().map(each -> each.partition().name()).collect(Collectors.toSet()));
        if (!found.equals(published)) {
            published = List.copyOf(found);
            listener.partitionsChanged(published);
        }
    }

    private Optional<Condition> condition(Partition partition) {
        return partition.isIdle() ? Optional.empty()
            : status(partition).map(status -> condition(status, partition));
    }

    private Partition advance(Partition partition) {
        PendingOperation operation = pending.get(partition.name());
        return operation == null || !partition.works() ? partition
            : operation.advance(partition, status(partition), clocks);
    }

    private Partition countRepairs(Partition partition) {
        if (!partition.isRunning()) {
            return partition;
        }
        RunRecord run = partition.run().orElseThrow();
        for (RunEvent event : repairs) {
            // not by which time is later: the clock may have been set since the run began
            if (event.fabric().equals(partition.fabric()) && !runs.isEarlier(partition, time(event))) {
                run = count(run, event);
            }
        }
        return partition.with(run);
    }

    private Partition countLosses(Partition partition, boolean ranBefore) {
        Instant now = clocks.steady().instant();
        if (partition.isRunning() || ranBefore) {
            ran.put(partition.name(), now);
        }
        Instant last = ran.get(partition.name());
        if (last == null || now.isAfter(last.plus(COUNTED_AFTER)) || partition.run().isEmpty()) {
            return partition;
        }
        RunLosses more = counts.getOrDefault(partition.fabric(), LossCounts.UNKNOWN).since(
            counted.getOrDefault(partition.fabric(), LossCounts.UNKNOWN), partition.selection().dcms());
        return more.equals(RunLosses.NONE) ? partition : partition.with(partition.run().orElseThrow().lost(more));
    }

    private static RunRecord count(RunRecord run, RunEvent event) {
        return switch (event) {
            case RunEvent.Repaired repaired -> run.repaired(repaired.repair().movedDcms());
            case RunEvent.Rebalanced rebalanced -> run.rebalanced(rebalanced.step().movedDcms());
            default -> run;
        };
    }

    /** When a repair was detected, or its second step begun: by this it is known again. */
    private static Instant time(RunEvent event) {
        return switch (event) {
            case RunEvent.Repaired repaired -> repaired.repair().detected();
            case RunEvent.Rebalanced rebalanced -> rebalanced.step().begun();
            default -> throw new IllegalArgumentException(event + " is no repair");
        };
    }

    /** Progress alone is reported and not stored, as are losses while a run goes on: they come every second. */
    private void store(Partition before, Partition now) {
        boolean progress = now.works() && now.state() == before.state()
            && before.operation().map(Operation::requestId).equals(now.operation().map(Operation::requestId));
        boolean onlyLosses = now.isRunning() && before.isRunning() && before.equals(
            now.with(now.run().orElseThrow().with(before.run().orElseThrow().losses())));
        if (progress || onlyLosses) {
            registry.put(now);
        } else {
            persist.accept(now);
        }
    }
}
