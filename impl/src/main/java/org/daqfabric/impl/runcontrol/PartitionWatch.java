package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;

/** Watches how the fabrics serve the partitions: health, operations, and what happens in a run. */
final class PartitionWatch {
    /** How long a repair may be under way before partitions are judged without it. */
    private static final Duration REPAIR = Duration.ofSeconds(1);

    private final PartitionRegistry book;
    private final Consumer<Partition> keep;
    private final Consumer<Duration> wakeUp;
    private final RunListener listener;
    private final EventLog events;
    private final InstantSource clock;
    private final Map<String, FabricStatus> pictures = new HashMap<>();
    private final Map<String, FabricState> states = new HashMap<>();
    /** Pictures without the repair that is under way. */
    private final Map<String, Unrepaired> unrepaired = new HashMap<>();
    private final Map<String, Assessment> assessments = new HashMap<>();
    private final Map<String, PendingOperation> works = new HashMap<>();
    /** Repairs to be counted for the runs of their fabrics. */
    private final List<RunEvent.Repaired> repairs = new ArrayList<>();
    private List<PartitionState> published = List.of();

    private record Unrepaired(FabricStatus picture, Instant since) {
    }

    /**
     * Creates a watch that has seen nothing.
     *
     * @param keep stores what becomes of a partition
     * @param wakeUp has {@link #look} called after a time
     */
    PartitionWatch(PartitionRegistry book, Consumer<Partition> keep, Consumer<Duration> wakeUp, RunListener listener,
            EventLog events, InstantSource clock) {
        this.book = book;
        this.keep = keep;
        this.wakeUp = wakeUp;
        this.listener = listener;
        this.events = events;
        this.clock = clock;
    }

    void seen(FabricStatus picture) {
        String fabric = picture.topology().spec().name();
        if (picture.settled()) {
            pictures.put(fabric, picture);
            unrepaired.remove(fabric);
        } else {
            Instant since = Optional.ofNullable(unrepaired.get(fabric)).map(Unrepaired::since).orElseGet(clock::instant);
            unrepaired.put(fabric, new Unrepaired(picture, since));
            wakeUp.accept(REPAIR);
        }
        for (RunEvent happening : RunChanges.of(states.put(fabric, picture.state()), picture.state())) {
            events.add(happening, listener::happened);
            if (happening instanceof RunEvent.Repaired repaired) {
                repairs.add(repaired);
            }
        }
    }

    void removed(String fabric) {
        pictures.remove(fabric);
        states.remove(fabric);
        unrepaired.remove(fabric);
    }

    /** The fabric a partition uses as it was seen last; empty if it was not yet. */
    Optional<FabricStatus> picture(Partition partition) {
        return Optional.ofNullable(pictures.get(partition.fabric()));
    }

    Condition condition(FabricStatus picture, Partition partition) {
        return assessments.computeIfAbsent(partition.name(), name -> new Assessment()).of(picture, partition);
    }

    /** Work for a partition begins. */
    void begin(String partition) {
        works.put(partition, new PendingOperation(clock.instant(), false));
        wakeUp.accept(PendingOperation.GRACE);
        wakeUp.accept(PendingOperation.LIMIT);
    }

    /** The fabric has placed what the partition's work is about. */
    void placed(String partition) {
        works.computeIfPresent(partition, (name, work) -> new PendingOperation(work.begun(), true));
    }

    /** Brings every partition up to date, and tells what changed. */
    void look() {
        unrepaired.forEach((fabric, late) -> {
            if (!clock.instant().isBefore(late.since().plus(REPAIR))) {
                pictures.put(fabric, late.picture());
            }
        });
        Map<String, PartitionState> before =
            published.stream().collect(Collectors.toMap(each -> each.partition().name(), Function.identity()));
        List<PartitionState> states = new ArrayList<>();
        for (Partition partition : book.all()) {
            Partition now = run(work(partition));
            Optional<Condition> condition = condition(now);
            if (now.isRunning() && condition.isPresent()) {
                now = now.with(now.run().orElseThrow().seen(condition.get()));
            }
            if (!now.equals(partition)) {
                store(partition, now);
            }
            PartitionState state = new PartitionState(now, condition);
            RunChanges.of(before.get(now.name()), state).forEach(change -> events.add(change, listener::happened));
            states.add(state);
        }
        repairs.clear();
        works.keySet().removeIf(name -> book.find(name).filter(Partition::works).isEmpty());
        assessments.keySet().removeIf(name -> book.find(name).isEmpty());
        if (!states.equals(published)) {
            published = List.copyOf(states);
            listener.partitions(published);
        }
    }

    private Optional<Condition> condition(Partition partition) {
        return partition.isIdle() ? Optional.empty()
            : picture(partition).map(picture -> condition(picture, partition));
    }

    private Partition work(Partition partition) {
        PendingOperation work = works.get(partition.name());
        return work == null || !partition.works() ? partition : work.look(partition, picture(partition),
            clock.instant());
    }

    private Partition run(Partition partition) {
        if (!partition.isRunning()) {
            return partition;
        }
        RunRecord run = partition.run().orElseThrow();
        for (RunEvent.Repaired repaired : repairs) {
            Instant detected = repaired.repair().detected();
            if (repaired.fabric().equals(partition.fabric()) && !detected.isBefore(run.begun())) {
                run = run.repaired(repaired.repair().movedDcms());
            }
        }
        return partition.with(run);
    }

    /** Progress is for telling only. */
    private void store(Partition before, Partition now) {
        boolean progress = now.works() && now.state() == before.state()
            && before.operation().map(Operation::requestId).equals(now.operation().map(Operation::requestId));
        if (progress) {
            book.put(now);
        } else {
            keep.accept(now);
        }
    }
}
