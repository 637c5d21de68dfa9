package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Ipv4;

/** What is left of the previous placement. */
final class PreviousPlacement {
    /** Null for sinks never placed. */
    final Route[] routes;
    /** The serving stages as placed, up to the first that is impossible now. */
    final PlaneChoice[][] ways;
    /** The number of leading stages that nothing happened to; 0 for sinks touched in their primary plane, or new. */
    final int[] sound;

    private final PlacementModel problem;
    private final int planes;
    private final boolean isNone;
    /** Of the sinks one after the other, by plane, as placed; -1 where there is none. */
    private final int[] spines;
    private final int[] backups;

    PreviousPlacement(PlacementModel problem, Map<Ipv4, Route> placed) {
        this.problem = problem;
        int count = problem.sinks.size();
        routes = new Route[count];
        ways = new PlaneChoice[count][];
        sound = new int[count];
        planes = problem.fabric.planes();
        isNone = placed.isEmpty();
        spines = new int[isNone ? 0 : count * planes];
        backups = new int[spines.length];
        Arrays.fill(spines, -1);
        Arrays.fill(backups, -1);
        for (int sink = 0; sink < count; sink++) {
            routes[sink] = placed.get(problem.address(sink));
            note(sink);
            ways[sink] = routes[sink] == null ? PlaneChoice.NOWHERE : way(sink);
            while (sound[sink] < ways[sink].length && problem.full(ways[sink][sound[sink]], problem.pod[sink])) {
                sound[sink]++;
            }
        }
    }

    private void note(int sink) {
        if (routes[sink] != null) {
            routes[sink].spines().forEach((id, choice) -> {
                int plane = problem.fabric.plane(id);
                if (plane >= 0) {
                    spines[sink * planes + plane] = Math.max(-1, problem.fabric.spine(plane, choice.spine()));
                    backups[sink * planes + plane] = Math.max(-1, problem.fabric.spine(plane, choice.backup()));
                }
            });
        }
    }

    private PlaneChoice[] way(int sink) {
        List<PlaneChoice> way = new ArrayList<>();
        int pod = problem.pod[sink];
        for (int id : routes[sink].planes()) {
            int plane = problem.fabric.plane(id);
            if (plane < 0 || !problem.fabric.inPlane(plane, problem.edge[sink])) {
                break;
            }
            if (!servesMore(plane, pod, way)) {
                if (way.isEmpty() && servable(sink)) {
                    break;
                }
                if (!way.isEmpty()) {
                    continue;
                }
            }
            PlaneChoice stage = stage(sink, plane);
            if (!problem.full(stage, pod) && !problem.serves(stage, pod)) {
                break;
            }
            way.add(stage);
        }
        return way.toArray(PlaneChoice[]::new);
    }

    /** The stage as placed; a backup is part of it only if it serves sources. */
    PlaneChoice stage(int sink, int plane) {
        PlaneChoice stage = new PlaneChoice(plane, spine(sink, plane));
        return problem.full(stage, problem.pod[sink]) ? stage : stage.withBackup(backup(sink, plane));
    }

    /** The spine as placed, -1 if there was none or there is no such spine. */
    int spine(int sink, int plane) {
        return isNone ? -1 : spines[sink * planes + plane];
    }

    /** The backup as placed, -1 likewise. */
    int backup(int sink, int plane) {
        return isNone ? -1 : backups[sink * planes + plane];
    }

    private boolean servesMore(int plane, int pod, List<PlaneChoice> way) {
        PlaneChoice[] stages = way.toArray(PlaneChoice[]::new);
        if (problem.servesAll(stages, pod)) {
            return false;
        }
        for (int group = 0; group < problem.groups; group++) {
            if (problem.serves(plane, group, pod) && problem.stageOf(group, pod, stages) < 0) {
                return true;
            }
        }
        return false;
    }

    private boolean servable(int sink) {
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            if (problem.fabric.inPlane(plane, problem.edge[sink])
                && servesMore(plane, problem.pod[sink], List.of())) {
                return true;
            }
        }
        return false;
    }

    /** The first stage as placed, even if it is impossible now; null if there was none. */
    PlaneChoice first(int sink) {
        if (routes[sink] == null || routes[sink].planes().isEmpty()) {
            return null;
        }
        int plane = problem.fabric.plane(routes[sink].planes().get(0));
        return plane < 0 ? null : stage(sink, plane);
    }
}
