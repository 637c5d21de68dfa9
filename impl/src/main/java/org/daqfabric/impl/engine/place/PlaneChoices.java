package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The options from which addresses of one pod take a plane choice, ordered by plane. */
final class PlaneChoices {
    static final PlaneChoices NONE = new PlaneChoices(0, List.of());

    final List<PlaneChoice> options;
    private final int pod;
    /** The options for look-up, made when first needed. */
    private Set<PlaneChoice> set;
    /** One per plane, made when first needed; empty if some option is partial. */
    private List<SpineQueue> queues;

    PlaneChoices(int pod, List<PlaneChoice> options) {
        this.pod = pod;
        this.options = options;
    }

    boolean isEmpty() {
        return options.isEmpty();
    }

    boolean has(PlaneChoice choice) {
        if (set == null) {
            set = Set.copyOf(options);
        }
        return set.contains(choice);
    }

    /** The options in one plane; all options if there are none in it. */
    PlaneChoices within(int plane) {
        List<PlaneChoice> inPlane = options.stream().filter(option -> option.plane() == plane).toList();
        return inPlane.isEmpty() || inPlane.size() == options.size() ? this : new PlaneChoices(pod, inPlane);
    }

    /**
     * A queue of spines per plane; empty if some option is partial, for then loads must be traced source by source.
     *
     * @param state the same in every call
     */
    List<SpineQueue> queues(PlacementState state) {
        if (queues == null) {
            queues = areComplete(state.model) ? queuePerPlane(state) : List.of();
        }
        return queues;
    }

    private boolean areComplete(PlacementModel model) {
        for (PlaneChoice option : options) {
            if (!model.isComplete(option, pod)) {
                return false;
            }
        }
        return true;
    }

    private List<SpineQueue> queuePerPlane(PlacementState state) {
        List<SpineQueue> result = new ArrayList<>();
        PlaneChoice[] all = options.toArray(PlaneChoice[]::new);
        int begin = 0;
        for (int end = 1; end <= all.length; end++) {
            if (end == all.length || all[end].plane() != all[begin].plane()) {
                result.add(new SpineQueue(state, Arrays.copyOfRange(all, begin, end)));
                begin = end;
            }
        }
        return result;
    }
}
