package org.daqfabric.impl.engine.place;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Ipv4;

/** The routes of all sinks while they are made: the order of planes, and a spine and a backup in each. */
final class RouteTable {
    /** No spine or backup chosen. */
    static final int NONE = -1;

    private final PlacementModel problem;
    private final Route[] previous;
    private final int planes;
    private final int[] length;
    /** Of the sinks one after the other, so many each as there are planes: the planes in order; by plane the spines. */
    private final int[] order;
    private final int[] spine;
    private final int[] backup;

    /**
     * Begins with the ways that carry traffic.
     *
     * @param previous the routes before, null where there was none; those that stay the same are taken over
     */
    RouteTable(PlacementModel problem, PlaneChoice[][] ways, Route[] previous) {
        this.problem = problem;
        this.previous = previous;
        planes = problem.fabric.planes();
        length = new int[ways.length];
        order = new int[ways.length * planes];
        spine = new int[order.length];
        backup = new int[order.length];
        Arrays.fill(spine, NONE);
        Arrays.fill(backup, NONE);
        for (int sink = 0; sink < ways.length; sink++) {
            for (PlaneChoice stage : ways[sink]) {
                append(sink, stage);
            }
        }
    }

    void append(int sink, PlaneChoice stage) {
        order[sink * planes + length[sink]++] = stage.plane();
        spine[sink * planes + stage.plane()] = stage.spine();
        backup[sink * planes + stage.plane()] = stage.backup();
    }

    boolean isEmpty(int sink) {
        return length[sink] == 0;
    }

    int lastPlane(int sink) {
        return plane(sink, length[sink] - 1);
    }

    /** Position of a plane in a sink's order, -1 if it is not in it. */
    int position(int sink, int plane) {
        for (int at = 0; at < length[sink]; at++) {
            if (plane(sink, at) == plane) {
                return at;
            }
        }
        return -1;
    }

    private int plane(int sink, int at) {
        return order[sink * planes + at];
    }

    int spine(int sink, int plane) {
        return spine[sink * planes + plane];
    }

    int backup(int sink, int plane) {
        return backup[sink * planes + plane];
    }

    void setSpine(int sink, int plane, int chosen) {
        spine[sink * planes + plane] = chosen;
    }

    void setBackup(int sink, int plane, int chosen) {
        backup[sink * planes + plane] = chosen;
    }

    /** The routes of all sinks that are in some plane. */
    List<Map.Entry<Ipv4, Route>> routes() {
        List<Map.Entry<Ipv4, Route>> routes = new ArrayList<>(length.length);
        for (int sink = 0; sink < length.length; sink++) {
            if (!isEmpty(sink)) {
                routes.add(Map.entry(problem.address(sink), isAsBefore(sink) ? previous[sink] : route(sink)));
            }
        }
        return routes;
    }

    private boolean isAsBefore(int sink) {
        Route before = previous[sink];
        boolean same = before != null && before.planes().size() == length[sink] && before.spines().size() == length[sink];
        for (int at = 0; same && at < length[sink]; at++) {
            int plane = plane(sink, at);
            int id = problem.fabric.planeId(plane);
            SpineChoice choice = before.spines().get(id);
            same = before.planes().get(at) == id && choice.spine() == id(plane, spine(sink, plane))
                && choice.backup() == id(plane, backup(sink, plane));
        }
        return same;
    }

    private Route route(int sink) {
        List<Integer> ids = new ArrayList<>(length[sink]);
        ImmutableSortedMap.Builder<Integer, SpineChoice> spines = ImmutableSortedMap.naturalOrder();
        for (int at = 0; at < length[sink]; at++) {
            int plane = plane(sink, at);
            int id = problem.fabric.planeId(plane);
            ids.add(id);
            spines.put(id, new SpineChoice(id(plane, spine(sink, plane)), id(plane, backup(sink, plane))));
        }
        return new Route(ids, spines.build());
    }

    private int id(int plane, int of) {
        return of < 0 ? 0 : problem.fabric.spineId(plane, of);
    }
}
