package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Ipv4;

/**
 * Chooses what an address uses after the next failure, so that the load of what failed spreads over what is left. The
 * next planes of a pod's addresses are found by rehearsing that the pod's leaf fails, the backups of a spine's
 * addresses by rehearsing that the spine fails. What carries no traffic even then is spread evenly by count.
 */
final class StandbyRoutes {
    private final PlacementModel problem;
    private final PlacementState loading;
    private final Waterfill fill;
    private final PreviousPlacement previous;
    private final boolean keep;
    private final FailureRehearsal rehearsal;
    private final RouteTable plan;
    private final int[][] sinksOfPod;
    /** The stages in planes other than one, [that one][edge switch], and by pod, planes and that one. */
    private final PlaneChoices[][] elsewhere;
    private final Map<List<Object>, PlaneChoices> elsewhereByKind = new HashMap<>();

    /**
     * Prepares the choice.
     *
     * @param keep whether possible choices of the previous placement stay even where others were better
     */
    StandbyRoutes(PlacementState loading, PreviousPlacement previous, boolean keep) {
        this.loading = loading;
        this.previous = previous;
        this.keep = keep;
        problem = loading.problem;
        fill = new Waterfill(loading, true);
        rehearsal = new FailureRehearsal(loading, fill, keep);
        plan = new RouteTable(problem, loading.ways, previous.routes);
        elsewhere = new PlaneChoices[problem.fabric.planes()][problem.fabric.edges()];
        sinksOfPod = sorted(problem.fabric.pods(), IntStream.range(0, problem.pod.length), sink -> problem.pod[sink]);
    }

    /** The routes of all sinks that have any. */
    List<Map.Entry<Ipv4, Route>> routes() {
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
            int[] sinks = Arrays.stream(sinksOfPod[pod])
                .filter(sink -> loading.ways[sink].length == 1 && loading.ways[sink][0].plane() == failing
                    && !elsewhere(problem.edge[sink], failing).isEmpty()).toArray();
            PlaneChoice[] next = rehearsal.run(sinks,
                Arrays.stream(sinks).mapToObj(sink -> elsewhere(problem.edge[sink], failing)).toArray(PlaneChoices[]::new),
                Arrays.stream(sinks).mapToObj(sink -> keptNext(sink, failing)).toArray(PlaneChoice[]::new), plane);
            for (int i = 0; i < next.length; i++) {
                plan.append(sinks[i], next[i]);
            }
        }
    }

    private PlaneChoices elsewhere(int edge, int failing) {
        if (elsewhere[failing][edge] == null) {
            int pod = problem.fabric.podOfEdge(edge);
            List<Integer> planes = IntStream.range(0, problem.fabric.planes())
                .filter(plane -> plane != failing && problem.fabric.inPlane(plane, edge)).boxed().toList();
            elsewhere[failing][edge] = elsewhereByKind.computeIfAbsent(List.of(pod, planes, failing), kind ->
                new PlaneChoices(pod, planes.stream().flatMap(plane -> fill.stages(plane, pod, true).stream()).toList()));
        }
        return elsewhere[failing][edge];
    }

    private PlaneChoice keptNext(int sink, int failing) {
        int failingId = problem.fabric.planeId(failing);
        if (previous.routes[sink] != null) {
            for (int id : previous.routes[sink].planes()) {
                if (id != failingId) {
                    int plane = problem.fabric.plane(id);
                    return plane < 0 ? null : new PlaneChoice(plane, previous.spine(sink, plane));
                }
            }
        }
        return null;
    }

    /** The other planes follow the last one cyclically: edge switches need no more groups for them. */
    private void otherPlanes(int pod) {
        int planes = problem.fabric.planes();
        IntStream.Builder[] standby = builders(planes);
        for (int sink : sinksOfPod[pod]) {
            for (int step = 1, last = plan.isEmpty(sink) ? 0 : plan.lastPlane(sink); step < planes; step++) {
                int plane = (last + step) % planes;
                if (!plan.isEmpty(sink) && problem.fabric.inPlane(plane, problem.edge[sink])
                    && plan.position(sink, plane) < 0) {
                    plan.append(sink, new PlaneChoice(plane, RouteTable.NONE));
                    standby[plane].add(sink);
                }
            }
        }
        for (int plane = 0; plane < planes; plane++) {
            int of = plane;
            spread(standby[plane].build().toArray(), fill.stages(plane, pod, true), sink -> previous.spine(sink, of),
                (sink, spine) -> plan.setSpine(sink, of, spine));
        }
    }

    private void backupsInUse() {
        IntStream.Builder[][] users = IntStream.range(0, problem.fabric.planes())
            .mapToObj(plane -> builders(problem.fabric.spines(plane))).toArray(IntStream.Builder[][]::new);
        for (int sink = 0; sink < loading.ways.length; sink++) {
            for (PlaneChoice stage : loading.ways[sink]) {
                if (stage.backup() == RouteTable.NONE && stage.spine() != RouteTable.NONE) {
                    users[stage.plane()][stage.spine()].add(sink);
                }
            }
        }
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                backupsInUse(new PlaneChoice(plane, spine), users[plane][spine].build().toArray());
            }
        }
    }

    private void backupsInUse(PlaneChoice failing, int[] users) {
        int plane = failing.plane();
        PlaneChoices[] others = new PlaneChoices[problem.fabric.pods()];
        for (int sink : users) {
            int pod = problem.pod[sink];
            others[pod] = others[pod] == null ? new PlaneChoices(pod, others(pod, failing)) : others[pod];
        }
        int[] sinks = Arrays.stream(users).filter(sink -> !others[problem.pod[sink]].isEmpty()).toArray();
        PlaneChoice[] backups = rehearsal.run(sinks,
            Arrays.stream(sinks).mapToObj(sink -> others[problem.pod[sink]]).toArray(PlaneChoices[]::new),
            Arrays.stream(sinks).map(sink -> keptBackup(sink, failing))
                .mapToObj(spine -> spine == RouteTable.NONE ? null : new PlaneChoice(plane, spine)).toArray(PlaneChoice[]::new), plane);
        for (int i = 0; i < backups.length; i++) {
            plan.setBackup(sinks[i], plane, backups[i].spine());
        }
    }

    /** The other spines of a plane for a pod, full ones if there are any, cyclically after the failing one. */
    private List<PlaneChoice> others(int pod, PlaneChoice failing) {
        List<PlaneChoice> full = others(fill.stages(failing.plane(), pod, true), failing.spine());
        return full.isEmpty() ? others(fill.stages(failing.plane(), pod, false), failing.spine()) : full;
    }

    private static List<PlaneChoice> others(List<PlaneChoice> stages, int failing) {
        int first = 0;
        while (first < stages.size() && stages.get(first).spine() < failing) {
            first++;
        }
        boolean isThere = first < stages.size() && stages.get(first).spine() == failing;
        PlaneChoice[] all = stages.toArray(PlaneChoice[]::new);
        int after = isThere ? first + 1 : first;
        PlaneChoice[] others = Arrays.copyOfRange(all, after, after + all.length - (isThere ? 1 : 0));
        System.arraycopy(all, 0, others, all.length - after, first);
        // the stage of a plane that reaches no spine stands alone
        return others.length == 1 && others[0].spine() == RouteTable.NONE ? List.of() : Arrays.asList(others);
    }

    /** The backup a sink had with a spine, {@link RouteTable#NONE} if it had another spine. */
    private int keptBackup(int sink, PlaneChoice failing) {
        return previous.spine(sink, failing.plane()) == failing.spine() ? previous.backup(sink, failing.plane()) : RouteTable.NONE;
    }

    private void otherBackups(int pod, int plane) {
        int[][] users = sorted(problem.fabric.spines(plane), Arrays.stream(sinksOfPod[pod])
            .filter(sink -> plan.spine(sink, plane) != RouteTable.NONE && plan.backup(sink, plane) == RouteTable.NONE),
            sink -> plan.spine(sink, plane));
        for (int spine = 0; spine < users.length; spine++) {
            PlaneChoice failing = new PlaneChoice(plane, spine);
            if (users[spine].length > 0) {
                spread(users[spine], others(pod, failing), sink -> keptBackup(sink, failing),
                    (sink, backup) -> plan.setBackup(sink, plane, backup));
            }
        }
    }

    /** Sinks by something that they have. */
    private static int[][] sorted(int count, IntStream sinks, IntUnaryOperator by) {
        IntStream.Builder[] sorted = builders(count);
        sinks.forEach(sink -> sorted[by.applyAsInt(sink)].add(sink));
        return Arrays.stream(sorted).map(each -> each.build().toArray()).toArray(int[][]::new);
    }

    private static IntStream.Builder[] builders(int count) {
        return Stream.generate(IntStream::builder).limit(count).toArray(IntStream.Builder[]::new);
    }

    private interface Setter {
        void set(int sink, int spine);
    }

    /** Spreads sinks over stages of a plane by count. */
    private void spread(int[] sinks, List<PlaneChoice> stages, IntUnaryOperator kept, Setter setter) {
        if (sinks.length == 0 || stages.isEmpty()) {
            return;
        }
        int[] binOf = new int[problem.fabric.spines(stages.get(0).plane())];
        Arrays.fill(binOf, -1);
        for (int bin = 0; bin < stages.size(); bin++) {
            if (stages.get(bin).spine() != RouteTable.NONE) {
                binOf[stages.get(bin).spine()] = bin;
            }
        }
        int[] before = new int[sinks.length];
        for (int i = 0; i < before.length; i++) {
            int spine = kept.applyAsInt(sinks[i]);
            before[i] = spine == RouteTable.NONE ? -1 : binOf[spine];
        }
        int[] bins = BinSpread.spread(stages.size(), before, keep);
        for (int i = 0; i < bins.length; i++) {
            setter.set(sinks[i], stages.get(bins[i]).spine());
        }
    }
}
