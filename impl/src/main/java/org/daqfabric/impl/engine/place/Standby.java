package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Ipv4;

/**
 * Chooses what an address uses after the next failure, so that the load of what failed spreads over what is left. The
 * next planes of a pod's addresses are found by rehearsing that the pod's leaf fails, the backups of a spine's
 * addresses by rehearsing that the spine fails. What carries no traffic even then is spread evenly by count.
 */
final class Standby {
    private final Problem problem;
    private final Loading loading;
    private final Waterfill fill;
    private final Previous previous;
    private final boolean keep;
    private final Rehearsal rehearsal;
    private final Plan plan;
    private final List<List<Integer>> sinksOfPod = new ArrayList<>();
    private final Map<List<Integer>, List<Stage>> elsewhere = new HashMap<>();
    private final Map<List<Integer>, List<Stage>> others = new HashMap<>();

    /**
     * Prepares the choice.
     *
     * @param keep whether possible choices of the previous placement stay even where others were better
     */
    Standby(Loading loading, Previous previous, boolean keep) {
        this.loading = loading;
        this.previous = previous;
        this.keep = keep;
        problem = loading.problem;
        fill = new Waterfill(loading, true);
        rehearsal = new Rehearsal(loading, fill, keep);
        plan = new Plan(problem, loading.ways);
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            sinksOfPod.add(new ArrayList<>());
        }
        for (int sink = 0; sink < problem.pod.length; sink++) {
            sinksOfPod.get(problem.pod[sink]).add(sink);
        }
    }

    /** The routes of all sinks that have any. */
    SortedMap<Ipv4, Route> routes() {
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            nextPlanes(pod);
            otherPlanes(pod);
        }
        backupsInUse();
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                otherBackups(pod, plane);
            }
        }
        return plan.routes();
    }

    private void nextPlanes(int pod) {
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            int failing = plane;
            List<Integer> sinks = sinksOfPod.get(pod).stream()
                .filter(sink -> loading.ways[sink].length == 1 && loading.ways[sink][0].plane() == failing
                    && !elsewhere(problem.edge[sink], failing).isEmpty()).toList();
            Stage[] next = rehearsal.run(sinks,
                sinks.stream().map(sink -> elsewhere(problem.edge[sink], failing)).toList(),
                sinks.stream().map(sink -> keptNext(sink, failing)).toArray(Stage[]::new), plane);
            for (int i = 0; i < next.length; i++) {
                plan.append(sinks.get(i), next[i]);
            }
        }
    }

    /** The stages in planes other than one. */
    private List<Stage> elsewhere(int edge, int failing) {
        return elsewhere.computeIfAbsent(List.of(edge, failing), key -> {
            List<Stage> stages = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                if (plane != failing && problem.fabric.inPlane(plane, edge)) {
                    stages.addAll(fill.stages(plane, problem.fabric.podOfEdge(edge), true));
                }
            }
            return stages;
        });
    }

    private Stage keptNext(int sink, int failing) {
        int failingId = problem.fabric.planeId(failing);
        if (previous.routes[sink] != null) {
            for (int id : previous.routes[sink].planes()) {
                if (id != failingId) {
                    int plane = problem.fabric.plane(id);
                    return plane < 0 ? null : new Stage(plane, keptSpine(sink, plane));
                }
            }
        }
        return null;
    }

    private int keptSpine(int sink, int plane) {
        return Math.max(Plan.NONE, problem.fabric.spine(plane, previous.choice(sink, plane).spine()));
    }

    /** The other planes follow the last one cyclically: edge switches need no more groups for them. */
    private void otherPlanes(int pod) {
        int planes = problem.fabric.planes();
        boolean[][] standby = new boolean[planes][problem.pod.length];
        for (int sink : sinksOfPod.get(pod)) {
            for (int step = 1, last = plan.isEmpty(sink) ? 0 : plan.lastPlane(sink); step < planes; step++) {
                int plane = (last + step) % planes;
                if (!plan.isEmpty(sink) && problem.fabric.inPlane(plane, problem.edge[sink])
                    && plan.position(sink, plane) < 0) {
                    plan.append(sink, new Stage(plane, Plan.NONE));
                    standby[plane][sink] = true;
                }
            }
        }
        for (int plane = 0; plane < planes; plane++) {
            int of = plane;
            spread(pod, sink -> standby[of][sink], fill.stages(plane, pod, true), sink -> keptSpine(sink, of),
                (sink, spine) -> plan.setSpine(sink, of, spine));
        }
    }

    private void backupsInUse() {
        Map<Stage, List<Integer>> users = new HashMap<>();
        for (int sink = 0; sink < loading.ways.length; sink++) {
            for (Stage stage : loading.ways[sink]) {
                if (!others(problem.pod[sink], stage.plane(), stage.spine()).isEmpty()
                    && stage.backup() == Plan.NONE && stage.spine() != Plan.NONE) {
                    users.computeIfAbsent(stage, key -> new ArrayList<>()).add(sink);
                }
            }
        }
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                backupsInUse(new Stage(plane, spine), users.getOrDefault(new Stage(plane, spine), List.of()));
            }
        }
    }

    private void backupsInUse(Stage failing, List<Integer> sinks) {
        int plane = failing.plane();
        Stage[] backups = rehearsal.run(sinks,
            sinks.stream().map(sink -> others(problem.pod[sink], plane, failing.spine())).toList(),
            sinks.stream().map(sink -> new Stage(plane, keptBackup(sink, failing))).toArray(Stage[]::new), plane);
        for (int i = 0; i < backups.length; i++) {
            plan.setBackup(sinks.get(i), plane, backups[i].spine());
        }
    }

    /** The other spines of a plane for a pod, full ones if there are any, cyclically after the failing one. */
    private List<Stage> others(int pod, int plane, int failing) {
        return others.computeIfAbsent(List.of(pod, plane, failing), key -> {
            List<Stage> stages = withoutSpine(fill.stages(plane, pod, true), failing);
            if (stages.isEmpty()) {
                stages = withoutSpine(fill.stages(plane, pod, false), failing);
            }
            List<Stage> result = new ArrayList<>();
            stages.stream().filter(stage -> stage.spine() > failing).forEach(result::add);
            stages.stream().filter(stage -> stage.spine() < failing).forEach(result::add);
            return result;
        });
    }

    private static List<Stage> withoutSpine(List<Stage> stages, int spine) {
        return stages.stream().filter(stage -> stage.spine() != Plan.NONE && stage.spine() != spine).toList();
    }

    /** The backup a sink had with a spine, {@link Plan#NONE} if it had another spine. */
    private int keptBackup(int sink, Stage failing) {
        SpineChoice choice = previous.choice(sink, failing.plane());
        return choice.spine() == problem.fabric.spineId(failing.plane(), failing.spine())
            ? Math.max(Plan.NONE, problem.fabric.spine(failing.plane(), choice.backup())) : Plan.NONE;
    }

    private void otherBackups(int pod, int plane) {
        for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
            Stage failing = new Stage(plane, spine);
            spread(pod, sink -> plan.spine(sink, plane) == failing.spine() && plan.backup(sink, plane) == Plan.NONE,
                others(pod, plane, spine), sink -> keptBackup(sink, failing),
                (sink, backup) -> plan.setBackup(sink, plane, backup));
        }
    }

    private interface Setter {
        void set(int sink, int spine);
    }

    /** Spreads sinks of a pod over stages by count. */
    private void spread(int pod, IntPredicate meant, List<Stage> stages, IntUnaryOperator kept, Setter setter) {
        int[] sinks = sinksOfPod.get(pod).stream().mapToInt(sink -> sink).filter(meant).toArray();
        if (sinks.length == 0 || stages.isEmpty()) {
            return;
        }
        int[] spines = stages.stream().mapToInt(Stage::spine).toArray();
        int[] before = new int[sinks.length];
        for (int i = 0; i < sinks.length; i++) {
            int spine = kept.applyAsInt(sinks[i]);
            before[i] = -1;
            for (int bin = 0; bin < spines.length; bin++) {
                before[i] = spines[bin] == spine ? bin : before[i];
            }
        }
        int[] bins = Even.spread(ones(sinks.length), ones(spines.length), before, keep);
        for (int i = 0; i < sinks.length; i++) {
            setter.set(sinks[i], spines[bins[i]]);
        }
    }

    private static double[] ones(int count) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }
}
