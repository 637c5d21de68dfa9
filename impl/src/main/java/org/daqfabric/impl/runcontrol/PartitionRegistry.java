package org.daqfabric.impl.runcontrol;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.controller.spi.RunDirective;

/** The partitions, and what all of them together want of the fabrics. */
final class PartitionRegistry {
    /** Idle partitions that are remembered. */
    static final int MOST_IDLE = 64;

    private final SortedMap<String, Partition> partitions = new TreeMap<>();
    /** The fabric that is frozen for a run about to start, and why; null if none is. */
    private Map.Entry<String, String> freezing;
    /** Why the configuration of a fabric must not change, by fabric. Read by other threads. */
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
        refreeze();
    }

    /** Forgets the idle partitions that were idle longest, if there are too many. */
    List<String> forgetOld() {
        List<String> old = partitions.values().stream().filter(Partition::isIdle)
            .sorted(Comparator.comparing(Partition::since).reversed()).skip(MOST_IDLE).map(Partition::name).toList();
        partitions.keySet().removeAll(old);
        return old;
    }

    /** Freezes a fabric for a run of a partition that is about to start. */
    void freeze(Partition partition, long run) {
        freezing = Map.entry(partition.fabric(), FrozenFabrics.reason(partition.name(), run));
        refreeze();
    }

    /**
     * Lets a fabric go that was frozen for a run that did not start.
     *
     * @return the fabric
     */
    Optional<String> thaw() {
        Optional<String> fabric = Optional.ofNullable(freezing).map(Map.Entry::getKey);
        freezing = null;
        refreeze();
        return fabric;
    }

    /** Why the configuration of a fabric must not change now; empty if it may. Of any thread. */
    Optional<String> frozenBy(String fabric) {
        return Optional.ofNullable(frozen.get(fabric));
    }

    /** What the partitions want of a fabric. */
    RunDirective control(String fabric) {
        Optional<Selection> selection = partitions.values().stream()
            .filter(partition -> !partition.isIdle() && partition.fabric().equals(fabric)).map(Partition::selection)
            .reduce(Selection::and);
        return new RunDirective(frozen.containsKey(fabric), selection);
    }

    private void refreeze() {
        Map<String, String> reasons = new HashMap<>();
        if (freezing != null) {
            reasons.put(freezing.getKey(), freezing.getValue());
        }
        reasons.putAll(FrozenFabrics.of(partitions.values()));
        frozen = Map.copyOf(reasons);
    }
}
