package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Stages that the addresses of a pod may choose from, those of a plane together. */
final class PlaneChoices {
    static final PlaneChoices NONE = new PlaneChoices(0, List.of());

    final List<PlaneChoice> stages;
    private final int pod;
    private Set<PlaneChoice> set;
    /** One per plane, made when first asked for; empty if some stage does not serve every source of its plane. */
    private List<SpineQueue> queues;

    PlaneChoices(int pod, List<PlaneChoice> stages) {
        this.pod = pod;
        this.stages = stages;
    }

    boolean isEmpty() {
        return stages.isEmpty();
    }

    boolean has(PlaneChoice stage) {
        if (set == null) {
            set = Set.copyOf(stages);
        }
        return set.contains(stage);
    }

    /** Those in one plane; all if there are none. */
    PlaneChoices within(int plane) {
        List<PlaneChoice> there = stages.stream().filter(stage -> stage.plane() == plane).toList();
        return there.isEmpty() || there.size() == stages.size() ? this : new PlaneChoices(pod, there);
    }

    /** The spines by plane in the order in which they fill, empty if they fill in none. Always for the same loading. */
    List<SpineQueue> queues(PlacementState loading) {
        if (queues == null) {
            queues = areFull(loading.problem) ? byPlane(loading) : List.of();
        }
        return queues;
    }

    private boolean areFull(PlacementModel problem) {
        for (PlaneChoice stage : stages) {
            if (!problem.full(stage, pod)) {
                return false;
            }
        }
        return true;
    }

    private List<SpineQueue> byPlane(PlacementState loading) {
        List<SpineQueue> result = new ArrayList<>();
        PlaneChoice[] all = stages.toArray(PlaneChoice[]::new);
        int begin = 0;
        for (int at = 1; at <= all.length; at++) {
            if (at == all.length || all[at].plane() != all[begin].plane()) {
                result.add(new SpineQueue(loading, Arrays.copyOfRange(all, begin, at)));
                begin = at;
            }
        }
        return result;
    }
}
