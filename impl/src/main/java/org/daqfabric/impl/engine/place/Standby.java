package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Ipv4;

/**
 * Chooses what an address uses after the next failure, so that the load of what failed spreads over what is left. The
 * next plane of the addresses of a pod is found by letting the pod's leaf fail, the backups of a spine's addresses by
 * letting the spine fail: the addresses are filled in elsewhere as if they had to move now. What carries no traffic
 * even then is spread evenly by count.
 */
final class Standby {
    private final Problem problem;
    private final Loading loading;
    private final Waterfill fill;
    private final Previous previous;
    private final boolean keep;
    /** Per sink the stages in the order of its planes. */
    private final List<List<Stage>> plan = new ArrayList<>();

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
    }

    /** The routes of all sinks that have any. */
    SortedMap<Ipv4, Route> routes() {
        for (Stage[] way : loading.ways) {
            plan.add(new ArrayList<>(List.of(way)));
        }
        nextPlanes();
        otherPlanes();
        backupsInUse();
        otherBackups();
        SortedMap<Ipv4, Route> routes = new TreeMap<>();
        for (int sink = 0; sink < plan.size(); sink++) {
            if (!plan.get(sink).isEmpty()) {
                routes.put(problem.address(sink), route(plan.get(sink)));
            }
        }
        return routes;
    }

    private Route route(List<Stage> stages) {
        List<Integer> planes = new ArrayList<>();
        SortedMap<Integer, SpineChoice> spines = new TreeMap<>();
        for (Stage stage : stages) {
            int plane = problem.fabric.planeId(stage.plane());
            planes.add(plane);
            spines.put(plane, new SpineChoice(id(stage.plane(), stage.spine()), id(stage.plane(), stage.backup())));
        }
        return new Route(planes, spines);
    }

    private int id(int plane, int spine) {
        return spine < 0 ? 0 : problem.fabric.spineId(plane, spine);
    }

    private void nextPlanes() {
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                List<Integer> sinks = new ArrayList<>();
                for (int sink = 0; sink < plan.size(); sink++) {
                    if (problem.pod[sink] == pod && plan.get(sink).size() == 1
                        && plan.get(sink).get(0).plane() == plane && !elsewhere(sink).isEmpty()) {
                        sinks.add(sink);
                    }
                }
                Stage[] next = rehearse(sinks, this::elsewhere, this::keptNext,
                    (sink, stage) -> new Stage[] {stage});
                for (int i = 0; i < next.length; i++) {
                    plan.get(sinks.get(i)).add(next[i]);
                }
            }
        }
    }

    /** Stages in other planes than the one of the sink's only stage. */
    private List<Stage> elsewhere(int sink) {
        List<Stage> stages = new ArrayList<>();
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            if (plane != plan.get(sink).get(0).plane() && problem.fabric.inPlane(plane, problem.edge[sink])) {
                stages.addAll(fill.stages(plane, problem.pod[sink], true));
            }
        }
        return stages;
    }

    private Stage keptNext(int sink) {
        int primary = problem.fabric.planeId(plan.get(sink).get(0).plane());
        return previous.routes[sink] == null ? null : previous.routes[sink].planes().stream()
            .filter(id -> id != primary).findFirst()
            .map(problem.fabric::plane).filter(plane -> plane >= 0)
            .map(plane -> withoutBackup(previous.stage(sink, plane))).orElse(null);
    }

    private static Stage withoutBackup(Stage stage) {
        return new Stage(stage.plane(), stage.spine());
    }

    /** The other planes follow the last one cyclically: edge switches need no more groups for them. */
    private void otherPlanes() {
        int planes = problem.fabric.planes();
        for (int sink = 0; sink < plan.size(); sink++) {
            List<Stage> stages = plan.get(sink);
            for (int step = 1, last = stages.isEmpty() ? 0 : stages.getLast().plane(); step < planes; step++) {
                int plane = (last + step) % planes;
                if (!stages.isEmpty() && problem.fabric.inPlane(plane, problem.edge[sink])
                    && stages.stream().noneMatch(stage -> stage.plane() == plane)) {
                    stages.add(new Stage(plane, -1));
                }
            }
        }
        for (int plane = 0; plane < planes; plane++) {
            for (int pod = 0; pod < problem.fabric.pods(); pod++) {
                List<Stage> choices = fill.stages(plane, pod, true);
                spread(plane, pod, (sink, stage) -> position(sink, stage.plane()) >= Math.max(2,
                    loading.ways[sink].length), choices, (sink, stage) -> choices.indexOf(
                        withoutBackup(previous.stage(sink, stage.plane()))), (stage, chosen) -> chosen);
            }
        }
    }

    private int position(int sink, int plane) {
        List<Stage> stages = plan.get(sink);
        for (int at = 0; at < stages.size(); at++) {
            if (stages.get(at).plane() == plane) {
                return at;
            }
        }
        return -1;
    }

    private void backupsInUse() {
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                Stage failing = new Stage(plane, spine);
                List<Integer> sinks = new ArrayList<>();
                for (int sink = 0; sink < plan.size(); sink++) {
                    if (List.of(loading.ways[sink]).contains(failing) && !others(problem.pod[sink], failing).isEmpty()) {
                        sinks.add(sink);
                    }
                }
                Stage[] backups = rehearse(sinks, sink -> others(problem.pod[sink], failing), sink -> keptBackup(sink, failing),
                    (sink, stage) -> Arrays.stream(loading.ways[sink])
                        .map(old -> old.equals(failing) ? stage : old).toArray(Stage[]::new));
                for (int i = 0; i < backups.length; i++) {
                    int at = position(sinks.get(i), failing.plane());
                    plan.get(sinks.get(i)).set(at, failing.withBackup(backups[i].spine()));
                }
            }
        }
    }

    /** The other spines of the plane for a pod, cyclically after the failing one. */
    private List<Stage> others(int pod, Stage failing) {
        List<Stage> stages = fill.stages(failing.plane(), pod, true).stream()
            .filter(stage -> stage.spine() >= 0).toList();
        if (stages.stream().allMatch(failing::sameSpine)) {
            stages = fill.stages(failing.plane(), pod, false);
        }
        List<Stage> result = new ArrayList<>();
        stages.stream().filter(stage -> stage.spine() > failing.spine()).forEach(result::add);
        stages.stream().filter(stage -> stage.spine() >= 0 && stage.spine() < failing.spine()).forEach(result::add);
        return result;
    }

    private Stage keptBackup(int sink, Stage failing) {
        SpineChoice choice = previous.choice(sink, failing.plane());
        return choice.spine() == id(failing.plane(), failing.spine())
            ? new Stage(failing.plane(), Math.max(-1, problem.fabric.spine(failing.plane(), choice.backup()))) : null;
    }

    private void otherBackups() {
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            for (int pod = 0; pod < problem.fabric.pods(); pod++) {
                for (Stage spine : fill.stages(plane, pod, false)) {
                    List<Stage> choices = others(pod, spine);
                    spread(plane, pod, (sink, stage) -> stage.equals(spine) && spine.spine() >= 0,
                        choices, (sink, stage) -> choices.indexOf(keptBackup(sink, spine)),
                        (stage, chosen) -> stage.withBackup(chosen.spine()));
                }
            }
        }
    }

    /** Tests whether a sink's stage is meant, or finds the choice it had. */
    private interface OfStage<T> {
        T apply(int sink, Stage stage);
    }

    /** Spreads the stages of a pod's sinks in a plane over choices by count. */
    private void spread(int plane, int pod, OfStage<Boolean> meant, List<Stage> choices, OfStage<Integer> kept,
            BiFunction<Stage, Stage, Stage> change) {
        List<Integer> sinks = new ArrayList<>();
        for (int sink = 0; sink < plan.size(); sink++) {
            int at = problem.pod[sink] == pod ? position(sink, plane) : -1;
            if (at >= 0 && meant.apply(sink, plan.get(sink).get(at))) {
                sinks.add(sink);
            }
        }
        if (sinks.isEmpty() || choices.isEmpty()) {
            return;
        }
        double[] ones = new double[Math.max(sinks.size(), choices.size())];
        Arrays.fill(ones, 1);
        int[] before = sinks.stream()
            .mapToInt(sink -> kept.apply(sink, plan.get(sink).get(position(sink, plane)))).toArray();
        int[] bins = Even.spread(Arrays.copyOf(ones, sinks.size()), Arrays.copyOf(ones, choices.size()), before, keep);
        for (int i = 0; i < bins.length; i++) {
            int at = position(sinks.get(i), plane);
            Stage stage = plan.get(sinks.get(i)).get(at);
            plan.get(sinks.get(i)).set(at, change.apply(stage, choices.get(bins[i])));
        }
    }

    /**
     * Takes sinks out and fills them in again with other choices, and then all is as before.
     *
     * @param kept the choice a sink had, null if none; it stays if it is possible, unless choosing afresh is better
     * @param way the sink's way with a choice
     * @return the choices
     */
    private Stage[] rehearse(List<Integer> sinks, Function<Integer, List<Stage>> choices,
            Function<Integer, Stage> kept, OfStage<Stage[]> way) {
        Stage[] keeping = new Stage[sinks.size()];
        for (int i = 0; i < keeping.length; i++) {
            Stage stage = kept.apply(sinks.get(i));
            keeping[i] = choices.apply(sinks.get(i)).contains(stage) ? stage : null;
        }
        boolean nothingKept = Arrays.stream(keeping).allMatch(stage -> stage == null);
        double highest = rehearseOnce(sinks, choices, keeping, way);
        if (keep || nothingKept) {
            return keeping;
        }
        Stage[] fresh = new Stage[sinks.size()];
        return Loading.below(rehearseOnce(sinks, choices, fresh, way), highest) ? fresh : keeping;
    }

    private double rehearseOnce(List<Integer> sinks, Function<Integer, List<Stage>> choices, Stage[] chosen,
            OfStage<Stage[]> way) {
        List<Stage[]> ways = sinks.stream().map(loading::take).toList();
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] != null) {
                loading.put(sinks.get(i), way.apply(sinks.get(i), chosen[i]));
            }
        }
        for (int i = 0; i < chosen.length; i++) {
            int sink = sinks.get(i);
            if (chosen[i] == null) {
                chosen[i] = fill.best(sink, Stage.NOWHERE, choices.apply(sink), null);
                loading.put(sink, way.apply(sink, chosen[i]));
            }
        }
        double highest = loading.highest();
        for (int i = 0; i < chosen.length; i++) {
            loading.take(sinks.get(i));
            loading.put(sinks.get(i), ways.get(i));
        }
        return highest;
    }
}
