package org.daqfabric.impl.runcontrol;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.eclipse.jdt.annotation.Nullable;

/** All partitions, and what they require of the fabrics together. */
final class PartitionRegistry {
    /** How many idle partitions are kept. */
    static final int MAX_IDLE = 64;

    private final SortedMap<String, Partition> partitions = new TreeMap<>();
    /** The DCMs that took part in a partition's newest run: a partition that is released has none. */
    private final Map<String, SortedSet<String>> tookPart = new HashMap<>();
    /** The fabric frozen for a run about to start, and the reason; null if there is none. */
    private Map.@Nullable Entry<String, String> freezing;
    /** Why the configuration of a fabric must not change, by fabric. Other threads read it. */
    private volatile Map<String, String> frozen = Map.of();

    Collection<Partition> all() {
        return List.copyOf(partitions.values());
    }

    Optional<Partition> find(String name) {
        return Optional.ofNullable(partitions.get(name));
    }

    List<Partition> others(Partition partition) {
        return partitions.values().stream().filter(other -> !other.name().equals(partition.name())).toList();
    }

    void put(Partition partition) {
        partitions.put(partition.name(), partition);
        if (partition.isRunning()) {
            tookPart.put(partition.name(), partition.selection().dcms());
        } else if (partition.state() == RunState.READY && partition.run().isPresent()) {
            // read from the store after a run
            tookPart.putIfAbsent(partition.name(), partition.selection().dcms());
        }
        updateFrozen();
    }

    /**
     * Removes the partitions that have been idle longest, if there are too many; returns their names. One that is idle
     * since a time to come became so before the clock was set back.
     */
    List<String> evictOldestIdle(Instant now) {
        List<String> old = partitions.values().stream().filter(Partition::isIdle)
            .sorted(Comparator.comparing((Partition each) -> each.since().isAfter(now))
                .thenComparing(Partition::since, Comparator.reverseOrder()))
            .skip(MAX_IDLE).map(Partition::name).toList();
        partitions.keySet().removeAll(old);
        tookPart.keySet().removeAll(old);
        return old;
    }

    /** The run in which a DCM took part at a time, if it is the newest of its partition. */
    Optional<DropEpisode.Run> runAt(String fabric, String dcm, Instant when) {
        return partitions.values().stream()
            .filter(partition -> partition.fabric().equals(fabric)
                && tookPart.getOrDefault(partition.name(), Collections.emptySortedSet()).contains(dcm))
            .flatMap(partition -> partition.run().filter(run -> run.includes(when))
                .map(run -> new DropEpisode.Run(partition.name(), run.number())).stream())
            .findFirst();
    }

    /** Freezes a fabric for a run of a partition that is about to start. */
    void freeze(Partition partition, long run) {
        freezing = Map.entry(partition.fabric(), FrozenFabrics.reason(partition.name(), run));
        updateFrozen();
    }

    /**
     * Ends the freeze for a run about to start: the run has started, or was refused.
     *
     * @return the fabric, if one was frozen that way
     */
    Optional<String> thaw() {
        Optional<String> fabric = Optional.ofNullable(freezing).map(Map.Entry::getKey);
        freezing = null;
        updateFrozen();
        return fabric;
    }

    /** Why the configuration of a fabric must not change now; empty if it may. Safe from any thread. */
    Optional<String> frozenBy(String fabric) {
        return Optional.ofNullable(frozen.get(fabric));
    }

    /** What the partitions together require of a fabric. */
    RunDirective directive(String fabric) {
        List<Partition> active = partitions.values().stream()
            .filter(partition -> !partition.isIdle() && partition.fabric().equals(fabric)).toList();
        return new RunDirective(frozen.containsKey(fabric), active.stream().mapToDouble(Partition::required).sum(),
            active.stream().map(Partition::selection).reduce(Selection::and));
    }

    private void updateFrozen() {
        Map<String, String> reasons = new HashMap<>();
        if (freezing != null) {
            reasons.put(freezing.getKey(), freezing.getValue());
        }
        reasons.putAll(FrozenFabrics.of(partitions.values()));
        frozen = Map.copyOf(reasons);
    }
}
