package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Puts an address where the links on its way are least loaded, one stage after the other until every source that can
 * be served is. Algorithm 6.1 of the thesis with its round robin replaced by full waterfilling, as 6.2.2 suggests.
 */
final class Waterfill {
    private final PlacementModel problem;
    private final PlacementState loading;
    private final boolean strict;
    /** [pod][plane] */
    private final List<List<List<PlaneChoice>>> all = new ArrayList<>();
    private final List<List<List<PlaneChoice>>> full = new ArrayList<>();

    /** The choices for the first stage, of each edge switch and by pod and planes. */
    private final PlaneChoices[] first;
    private final Map<List<Object>, PlaneChoices> firstByKind = new HashMap<>();

    /**
     * Prepares filling.
     *
     * @param strict whether a spine that does not serve every source of its plane is used only where no other is left:
     *     then nothing depends on links that carry nothing, neither now nor when they flap
     */
    Waterfill(PlacementState loading, boolean strict) {
        this.loading = loading;
        this.strict = strict;
        problem = loading.problem;
        first = new PlaneChoices[problem.fabric.edges()];
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            all.add(new ArrayList<>());
            full.add(new ArrayList<>());
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                List<PlaneChoice> stages = stages(plane, pod);
                int to = pod;
                all.get(pod).add(stages);
                full.get(pod).add(stages.stream().filter(stage -> problem.full(stage, to)).toList());
            }
        }
    }

    /** The spines that serve a pod from somewhere; if none does, those with a link to it; if none has, no spine. */
    private List<PlaneChoice> stages(int plane, int pod) {
        List<PlaneChoice> linked = IntStream.range(0, problem.fabric.spines(plane))
            .filter(spine -> !problem.fabric.spineLinks(plane, spine, pod).isEmpty())
            .mapToObj(spine -> new PlaneChoice(plane, spine)).toList();
        List<PlaneChoice> serving = linked.stream().filter(stage -> problem.serves(stage, pod)).toList();
        return !serving.isEmpty() ? serving : !linked.isEmpty() ? linked : List.of(new PlaneChoice(plane, -1));
    }

    /** The stages of a plane for a pod: those that serve every source, or all if there are none or all are wanted. */
    List<PlaneChoice> stages(int plane, int pod, boolean onlyFull) {
        List<PlaneChoice> stages = full.get(pod).get(plane);
        return onlyFull && !stages.isEmpty() ? stages : all.get(pod).get(plane);
    }

    /** Whether some spine of some plane serves a pod, but not from everywhere. */
    boolean hasPartial() {
        return !all.equals(full);
    }

    /** The stages that may follow on a way: in planes that serve a group which the way does not. */
    PlaneChoices choices(int sink, PlaneChoice[] way) {
        int edge = problem.edge[sink];
        int pod = problem.pod[sink];
        if (way.length > 0) {
            return servesMore(edge, pod, way)
                ? new PlaneChoices(pod, stages(pod, planes(edge).filter(plane -> gains(plane, pod, way)).toArray())) : PlaneChoices.NONE;
        }
        if (first[edge] == null) {
            int[] gaining = planes(edge).filter(plane -> gains(plane, pod, way)).toArray();
            int[] planes = gaining.length > 0 ? gaining : planes(edge).toArray();
            first[edge] = firstByKind.computeIfAbsent(List.of(pod, Arrays.toString(planes)),
                kind -> new PlaneChoices(pod, stages(pod, planes)));
        }
        return first[edge];
    }

    private IntStream planes(int edge) {
        return IntStream.range(0, problem.fabric.planes()).filter(plane -> problem.fabric.inPlane(plane, edge));
    }

    private List<PlaneChoice> stages(int pod, int[] planes) {
        boolean onlyFull = strict && Arrays.stream(planes).anyMatch(plane -> !full.get(pod).get(plane).isEmpty());
        return Arrays.stream(planes).boxed().flatMap(plane -> (onlyFull ? full : all).get(pod).get(plane).stream()).toList();
    }

    private boolean servesMore(int edge, int pod, PlaneChoice[] way) {
        for (int plane = 0; plane < problem.fabric.planes() && !problem.servesAll(way, pod); plane++) {
            if (problem.fabric.inPlane(plane, edge) && gains(plane, pod, way)) {
                return true;
            }
        }
        return false;
    }

    private boolean gains(int plane, int pod, PlaneChoice[] way) {
        for (int group = 0; group < problem.groups; group++) {
            if (problem.serves(plane, group, pod) && problem.stageOf(group, pod, way) < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds the best stages to the beginning of a way until nothing more can be served.
     *
     * @param before the first stage the address had before, or null; decides between equals
     */
    PlaneChoice[] complete(int sink, PlaneChoice[] beginning, PlaneChoice before) {
        PlaneChoice[] way = beginning;
        for (PlaneChoices choices = choices(sink, way); !choices.isEmpty(); choices = choices(sink, way)) {
            way = append(sink, way, best(sink, way, choices, before));
        }
        return way;
    }

    /** Adds a stage; if its spine does not serve all, with the best spine for the rest as its backup. */
    PlaneChoice[] append(int sink, PlaneChoice[] way, PlaneChoice stage) {
        int pod = problem.pod[sink];
        if (stage.spine() < 0 || problem.full(stage, pod)) {
            return with(way, stage);
        }
        List<PlaneChoice> completed = all.get(pod).get(stage.plane()).stream()
            .filter(other -> !other.equals(stage) && helps(stage, other, pod))
            .map(other -> stage.withBackup(other.spine())).toList();
        return with(way, completed.isEmpty() ? stage : best(sink, way, new PlaneChoices(pod, completed), null));
    }

    private boolean helps(PlaneChoice stage, PlaneChoice other, int pod) {
        for (int group = 0; group < problem.groups; group++) {
            int from = problem.groupPod[group];
            if (from != pod && problem.groupIn[group][stage.plane()]
                && !problem.fabric.joins(stage.plane(), stage.spine(), from, pod)
                && problem.fabric.joins(stage.plane(), other.spine(), from, pod)) {
                return true;
            }
        }
        return false;
    }

    /** The least loaded choice; between equals the one as before, in the plane as before, with fewest addresses. */
    PlaneChoice best(int sink, PlaneChoice[] way, PlaneChoices choices, PlaneChoice before) {
        if (choices.stages.size() == 1) {
            return choices.stages.get(0);
        }
        List<SpineQueue> queues = way.length == 0 ? choices.queues(loading) : List.of();
        if (queues.size() == 1 && before == null) {
            SpineQueue queue = queues.get(0);
            loading.aim(sink, PlaneChoice.NOWHERE, queue.plane);
            return queue.first(problem.weight[sink]);
        }
        Contest contest = new Contest(before);
        if (queues.isEmpty()) {
            int plane = -1;
            for (PlaneChoice stage : choices.stages) {
                if (stage.plane() != plane) {
                    plane = stage.plane();
                    loading.aim(sink, way, plane);
                }
                contest.enter(stage);
            }
        } else {
            firsts(sink, queues, contest);
            if (before != null && choices.has(before)) {
                loading.aim(sink, way, before.plane());
                contest.enter(before);
            }
        }
        return contest.best;
    }

    /** Enters the best stage of each plane. */
    private void firsts(int sink, List<SpineQueue> queues, Contest contest) {
        for (SpineQueue queue : queues) {
            loading.aim(sink, PlaneChoice.NOWHERE, queue.plane);
            contest.enter(queue.first(problem.weight[sink]));
        }
    }

    /** Finds the best stage, of those in planes that have been aimed at before they enter. */
    private final class Contest {
        private final PlaneChoice before;
        private final double[] least = new double[PlacementState.KINDS];
        private PlaneChoice best;

        Contest(PlaneChoice before) {
            this.before = before;
        }

        void enter(PlaneChoice stage) {
            double[] loads = loading.probe(stage);
            int order = best == null ? -1 : RelativeLoad.compare(loads, least);
            if (order < 0 || order == 0 && preferred(stage, best, before)) {
                best = stage;
                System.arraycopy(loads, 0, least, 0, least.length);
            }
        }
    }

    private boolean preferred(PlaneChoice one, PlaneChoice other, PlaneChoice before) {
        int order = Integer.compare(closeness(other, before), closeness(one, before));
        return order == 0 ? loading.users(one) < loading.users(other) : order < 0;
    }

    private static int closeness(PlaneChoice stage, PlaneChoice before) {
        return before == null || stage.plane() != before.plane() ? 0 : stage.spine() == before.spine() ? 2 : 1;
    }

    static PlaneChoice[] with(PlaneChoice[] way, PlaneChoice stage) {
        PlaneChoice[] longer = Arrays.copyOf(way, way.length + 1);
        longer[way.length] = stage;
        return longer;
    }
}
