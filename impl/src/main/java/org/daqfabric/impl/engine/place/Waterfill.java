package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Waterfilling: gives an address the plane and spine whose links would be least loaded with it, as water fills the
 * lowest place first. This is Algorithm 6.1 of the thesis with full waterfilling instead of round robin, which 6.2.2
 * suggests.
 *
 * <p>An active route grows by one plane choice at a time ({@link #extend}): {@link #choices} finds the options, in
 * planes that serve sources which the route does not serve yet; {@link #leastLoaded} takes the best of them;
 * {@link #append} adds it, with a backup spine if its spine is partial. In a fabric without failures the first choice
 * serves all sources.
 */
final class Waterfill {
    private final PlacementModel model;
    private final PlacementState state;
    private final boolean strict;
    /** [pod][plane], the options of a plane for addresses of a pod, and those of them that are complete. */
    private final List<List<List<PlaneChoice>>> all = new ArrayList<>();
    private final List<List<List<PlaneChoice>>> complete = new ArrayList<>();

    /** By edge switch: the options for first choices, made when first needed and shared by pod and planes. */
    private final PlaneChoices[] first;
    private final Map<List<Object>, PlaneChoices> firstByPodAndPlanes = new HashMap<>();

    /**
     * Prepares filling.
     *
     * @param state what is filled
     * @param strict whether a partial spine is used only where no complete one is left: then nothing depends on links
     *     that carry no traffic to the address, neither now nor when they flap
     */
    Waterfill(PlacementState state, boolean strict) {
        this.state = state;
        this.strict = strict;
        model = state.model;
        first = new PlaneChoices[model.fabric.edges()];
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            all.add(new ArrayList<>());
            complete.add(new ArrayList<>());
            for (int plane = 0; plane < model.fabric.planes(); plane++) {
                List<PlaneChoice> options = spineOptions(plane, pod);
                int toPod = pod;
                all.get(pod).add(options);
                complete.get(pod).add(options.stream().filter(option -> model.isComplete(option, toPod)).toList());
            }
        }
    }

    /** The spines that join a pod to any source; if none does, those with a link to it; if none has, no spine. */
    private List<PlaneChoice> spineOptions(int plane, int pod) {
        List<PlaneChoice> linked = IntStream.range(0, model.fabric.spines(plane))
            .filter(spine -> !model.fabric.spineLinks(plane, spine, pod).isEmpty())
            .mapToObj(spine -> new PlaneChoice(plane, spine)).toList();
        List<PlaneChoice> serving = linked.stream().filter(option -> model.servesOtherPods(option, pod)).toList();
        return !serving.isEmpty() ? serving : !linked.isEmpty() ? linked
            : List.of(new PlaneChoice(plane, PlaneChoice.NO_SPINE));
    }

    /** The options of a plane for a pod: all, or if wanted and there are any, those that are complete. */
    List<PlaneChoice> options(int plane, int pod, boolean preferComplete) {
        List<PlaneChoice> options = complete.get(pod).get(plane);
        return preferComplete && !options.isEmpty() ? options : all.get(pod).get(plane);
    }

    /** Whether some option is partial. */
    boolean hasPartial() {
        return !all.equals(complete);
    }

    /** Extends the route of every address that more sources could serve. */
    void fill(PreviousPlacement previous) {
        for (int address = 0; address < state.routes.length; address++) {
            if (!choices(address, state.routes[address]).isEmpty()) {
                state.assign(address, extend(address, state.unassign(address), previous.primary(address)));
            }
        }
    }

    /**
     * The options for the next choice of a route: those in planes that serve sources which the route does not. If no
     * source can be served at all, the first choice may be in any plane that the edge switch is in.
     */
    PlaneChoices choices(int address, PlaneChoice[] route) {
        int edge = model.edgeOf[address];
        int pod = model.podOf[address];
        if (route.length > 0) {
            return model.canServeMore(edge, route)
                ? new PlaneChoices(pod, options(pod, servingMore(edge, pod, route))) : PlaneChoices.NONE;
        }
        if (first[edge] == null) {
            int[] serving = servingMore(edge, pod, route);
            int[] planes = serving.length > 0 ? serving : planes(edge).toArray();
            first[edge] = firstByPodAndPlanes.computeIfAbsent(List.of(pod, Arrays.toString(planes)),
                key -> new PlaneChoices(pod, options(pod, planes)));
        }
        return first[edge];
    }

    private List<PlaneChoice> options(int pod, int[] planes) {
        boolean onlyComplete = strict
            && Arrays.stream(planes).anyMatch(plane -> !complete.get(pod).get(plane).isEmpty());
        return Arrays.stream(planes).boxed()
            .flatMap(plane -> (onlyComplete ? complete : all).get(pod).get(plane).stream()).toList();
    }

    private IntStream planes(int edge) {
        return IntStream.range(0, model.fabric.planes()).filter(plane -> model.fabric.inPlane(plane, edge));
    }

    private int[] servingMore(int edge, int pod, PlaneChoice[] route) {
        return planes(edge).filter(plane -> model.servesMore(plane, pod, route)).toArray();
    }

    /**
     * Appends the least loaded choices to a route until no more sources can be served.
     *
     * @param primaryBefore the first choice the address had before, null if none; preferred among equals
     */
    PlaneChoice[] extend(int address, PlaneChoice[] beginning, @Nullable PlaneChoice primaryBefore) {
        PlaneChoice[] route = beginning;
        for (PlaneChoices next = choices(address, route); !next.isEmpty(); next = choices(address, route)) {
            route = append(address, route, leastLoaded(address, route, next, primaryBefore));
        }
        return route;
    }

    /** Appends a choice; if it is partial, with the least loaded spine that helps as its backup. */
    PlaneChoice[] append(int address, PlaneChoice[] route, PlaneChoice choice) {
        int pod = model.podOf[address];
        if (choice.spine() < 0 || model.isComplete(choice, pod)) {
            return with(route, choice);
        }
        List<PlaneChoice> withBackup = all.get(pod).get(choice.plane()).stream()
            .filter(other -> !other.equals(choice) && helps(choice, other, pod))
            .map(other -> choice.withBackup(other.spine())).toList();
        return with(route, withBackup.isEmpty() ? choice
            : leastLoaded(address, route, new PlaneChoices(pod, withBackup), null));
    }

    /** Whether another spine of the plane joins a pod to sources that the chosen spine does not. */
    private boolean helps(PlaneChoice choice, PlaneChoice other, int pod) {
        for (int group = 0; group < model.groups; group++) {
            int sourcePod = model.podOfGroup[group];
            if (sourcePod != pod && model.groupInPlane[group][choice.plane()]
                && !model.fabric.joins(choice.plane(), choice.spine(), sourcePod, pod)
                && model.fabric.joins(choice.plane(), other.spine(), sourcePod, pod)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The option on whose links the load would be lowest with the address: highest load first, then the next highest.
     * Of equals the spine it had before, then the plane it had before, then the spine with fewest addresses, then the
     * first.
     */
    PlaneChoice leastLoaded(int address, PlaneChoice[] route, PlaneChoices choices,
            @Nullable PlaneChoice primaryBefore) {
        if (choices.options.size() == 1) {
            return choices.options.get(0);
        }
        // queues know the loads of first choices only, since only these depend on nothing but pod and weight
        List<SpineQueue> queues = route.length == 0 ? choices.queues(state) : List.of();
        if (queues.size() == 1 && primaryBefore == null) {
            return leastLoaded(address, queues.get(0));
        }
        Comparison comparison = new Comparison(primaryBefore);
        if (queues.isEmpty()) {
            int plane = -1;
            for (PlaneChoice option : choices.options) {
                if (option.plane() != plane) {
                    plane = option.plane();
                    state.preparePlane(address, route, plane);
                }
                comparison.consider(option);
            }
        } else {
            for (SpineQueue queue : queues) {
                comparison.consider(leastLoaded(address, queue));
            }
            if (primaryBefore != null && choices.has(primaryBefore)) {
                state.preparePlane(address, route, primaryBefore.plane());
                comparison.consider(primaryBefore);
            }
        }
        return comparison.best;
    }

    private PlaneChoice leastLoaded(int address, SpineQueue queue) {
        state.preparePlane(address, PlaneChoice.UNPLACED, queue.plane);
        return queue.leastLoaded(model.weightOf[address]);
    }

    /** Finds the best of some options; their plane must have been prepared in the state. */
    private final class Comparison {
        private final @Nullable PlaneChoice primaryBefore;
        private final double[] lowest = new double[PlacementState.LINK_KINDS];
        private PlaneChoice best;

        Comparison(@Nullable PlaneChoice primaryBefore) {
            this.primaryBefore = primaryBefore;
        }

        void consider(PlaneChoice option) {
            double[] loads = state.loadsIfChosen(option);
            int order = best == null ? -1 : RelativeLoad.compare(loads, lowest);
            if (order < 0 || order == 0 && isPreferred(option)) {
                best = option;
                System.arraycopy(loads, 0, lowest, 0, lowest.length);
            }
        }

        private boolean isPreferred(PlaneChoice option) {
            int order = Integer.compare(closeness(best), closeness(option));
            return order == 0 ? state.primaryCount(option) < state.primaryCount(best) : order < 0;
        }

        private int closeness(PlaneChoice option) {
            return primaryBefore == null || option.plane() != primaryBefore.plane() ? 0
                : option.spine() == primaryBefore.spine() ? 2 : 1;
        }
    }

    static PlaneChoice[] with(PlaneChoice[] route, PlaneChoice choice) {
        PlaneChoice[] longer = Arrays.copyOf(route, route.length + 1);
        longer[route.length] = choice;
        return longer;
    }
}
