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
    private final Problem problem;
    private final Loading loading;
    private final boolean strict;
    /** [pod][plane] */
    private final List<List<List<Stage>>> all = new ArrayList<>();
    private final List<List<List<Stage>>> full = new ArrayList<>();

    /** The choices for the first stage by edge switch. */
    private final Map<Integer, List<Stage>> first = new HashMap<>();

    /**
     * Prepares filling.
     *
     * @param strict whether a spine that does not serve every source of its plane is used only where no other is left:
     *     then nothing depends on links that carry nothing, neither now nor when they flap
     */
    Waterfill(Loading loading, boolean strict) {
        this.loading = loading;
        this.strict = strict;
        problem = loading.problem;
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            all.add(new ArrayList<>());
            full.add(new ArrayList<>());
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                List<Stage> stages = stages(plane, pod);
                int to = pod;
                all.get(pod).add(stages);
                full.get(pod).add(stages.stream().filter(stage -> problem.full(stage, to)).toList());
            }
        }
    }

    /** The spines that serve a pod from somewhere; if none does, those with a link to it; if none has, no spine. */
    private List<Stage> stages(int plane, int pod) {
        List<Stage> linked = IntStream.range(0, problem.fabric.spines(plane))
            .filter(spine -> !problem.fabric.spineLinks(plane, spine, pod).isEmpty())
            .mapToObj(spine -> new Stage(plane, spine)).toList();
        List<Stage> serving = linked.stream().filter(stage -> problem.serves(stage, pod)).toList();
        return !serving.isEmpty() ? serving : !linked.isEmpty() ? linked : List.of(new Stage(plane, -1));
    }

    /** The stages of a plane for a pod: those that serve every source, or all if there are none or all are wanted. */
    List<Stage> stages(int plane, int pod, boolean onlyFull) {
        List<Stage> stages = full.get(pod).get(plane);
        return onlyFull && !stages.isEmpty() ? stages : all.get(pod).get(plane);
    }

    /** Whether some spine of some plane serves a pod, but not from everywhere. */
    boolean hasPartial() {
        return !all.equals(full);
    }

    /** The stages that may follow on a way: in planes that serve a group which the way does not. */
    List<Stage> choices(int sink, Stage[] way) {
        if (way.length > 0) {
            return choices(problem.edge[sink], problem.pod[sink], way);
        }
        List<Stage> known = first.get(problem.edge[sink]);
        if (known == null) {
            known = choices(problem.edge[sink], problem.pod[sink], way);
            first.put(problem.edge[sink], known);
        }
        return known;
    }

    private List<Stage> choices(int edge, int pod, Stage[] way) {
        List<Integer> planes = IntStream.range(0, problem.fabric.planes()).boxed()
            .filter(plane -> problem.fabric.inPlane(plane, edge) && gains(plane, pod, way)).toList();
        if (planes.isEmpty() && way.length == 0) {
            planes = IntStream.range(0, problem.fabric.planes()).boxed()
                .filter(plane -> problem.fabric.inPlane(plane, edge)).toList();
        }
        boolean onlyFull = strict && planes.stream().anyMatch(plane -> !full.get(pod).get(plane).isEmpty());
        return planes.stream().flatMap(plane -> (onlyFull ? full : all).get(pod).get(plane).stream()).toList();
    }

    private boolean gains(int plane, int pod, Stage[] way) {
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
    Stage[] complete(int sink, Stage[] beginning, Stage before) {
        Stage[] way = beginning;
        for (List<Stage> choices = choices(sink, way); !choices.isEmpty(); choices = choices(sink, way)) {
            way = append(sink, way, best(sink, way, choices, before));
        }
        return way;
    }

    /** Adds a stage; if its spine does not serve all, with the best spine for the rest as its backup. */
    Stage[] append(int sink, Stage[] way, Stage stage) {
        int pod = problem.pod[sink];
        if (stage.spine() < 0 || problem.full(stage, pod)) {
            return with(way, stage);
        }
        List<Stage> choices = all.get(pod).get(stage.plane()).stream()
            .filter(other -> !other.equals(stage) && helps(stage, other, pod))
            .map(other -> stage.withBackup(other.spine())).toList();
        return with(way, choices.isEmpty() ? stage : best(sink, way, choices, null));
    }

    private boolean helps(Stage stage, Stage other, int pod) {
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
    Stage best(int sink, Stage[] way, List<Stage> choices, Stage before) {
        Stage best = choices.get(0);
        if (choices.size() == 1) {
            return best;
        }
        double[] least = new double[Loading.KINDS];
        least[0] = Double.POSITIVE_INFINITY;
        int plane = -1;
        for (Stage stage : choices) {
            if (stage.plane() != plane) {
                plane = stage.plane();
                loading.aim(sink, way, plane);
            }
            double[] loads = loading.probe(stage);
            int order = Relative.compare(loads, least);
            if (order < 0 || order == 0 && preferred(stage, best, before)) {
                best = stage;
                System.arraycopy(loads, 0, least, 0, least.length);
            }
        }
        return best;
    }

    private boolean preferred(Stage one, Stage other, Stage before) {
        int order = Integer.compare(closeness(other, before), closeness(one, before));
        return order == 0 ? users(one) < users(other) : order < 0;
    }

    private static int closeness(Stage stage, Stage before) {
        return before == null || stage.plane() != before.plane() ? 0 : stage.spine() == before.spine() ? 2 : 1;
    }

    private int users(Stage stage) {
        return stage.spine() < 0 ? 0 : loading.users[stage.plane()][stage.spine()];
    }

    static Stage[] with(Stage[] way, Stage stage) {
        Stage[] longer = Arrays.copyOf(way, way.length + 1);
        longer[way.length] = stage;
        return longer;
    }
}
