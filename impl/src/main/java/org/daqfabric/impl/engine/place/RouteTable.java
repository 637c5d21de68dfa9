package org.daqfabric.impl.engine.place;

import com.google.common.collect.ImmutableSortedMap;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/** The whole routes of all addresses while they are made: the planes in order, and a spine and a backup in each. */
final class RouteTable {
    private final PlacementModel model;
    private final Route[] previous;
    private final int planes;
    /** By address: number of planes in its route. */
    private final int[] length;
    /** By address and position, {@code address * planes + position}: the planes in order. */
    private final int[] order;
    /** By address and plane, {@code address * planes + plane}: {@link PlaneChoice#NO_SPINE} if not chosen. */
    private final int[] spine;
    private final int[] backup;
    /** The same: whether the plane is in the route. */
    private final boolean[] isIn;
    /** The ids of planes by the part of {@link #order} that is a route, in the end: few, which all addresses share. */
    private final Map<IntBuffer, List<Integer>> orders = new HashMap<>();

    /**
     * Begins with the active routes.
     *
     * @param previous the whole routes before by address, null if none; a route that stays the same stays this object
     */
    RouteTable(PlacementModel model, PlaneChoice[][] active, @Nullable Route[] previous) {
        this.model = model;
        this.previous = previous;
        planes = model.fabric.planes();
        length = new int[active.length];
        order = new int[active.length * planes];
        spine = new int[order.length];
        backup = new int[order.length];
        isIn = new boolean[order.length];
        Arrays.fill(spine, PlaneChoice.NO_SPINE);
        Arrays.fill(backup, PlaneChoice.NO_SPINE);
        for (int address = 0; address < active.length; address++) {
            for (PlaneChoice choice : active[address]) {
                append(address, choice);
            }
        }
    }

    void append(int address, PlaneChoice choice) {
        order[address * planes + length[address]++] = choice.plane();
        spine[address * planes + choice.plane()] = choice.spine();
        backup[address * planes + choice.plane()] = choice.backup();
        isIn[address * planes + choice.plane()] = true;
    }

    boolean isEmpty(int address) {
        return length[address] == 0;
    }

    int lastPlane(int address) {
        return plane(address, length[address] - 1);
    }

    /** Whether a plane is in the route of an address. */
    boolean has(int address, int plane) {
        return isIn[address * planes + plane];
    }

    private int plane(int address, int at) {
        return order[address * planes + at];
    }

    int spine(int address, int plane) {
        return spine[address * planes + plane];
    }

    int backup(int address, int plane) {
        return backup[address * planes + plane];
    }

    void setSpine(int address, int plane, int chosen) {
        spine[address * planes + plane] = chosen;
    }

    void setBackup(int address, int plane, int chosen) {
        backup[address * planes + plane] = chosen;
    }

    /** The routes of all addresses that are in some plane. */
    List<Map.Entry<Address, Route>> routes() {
        List<Map.Entry<Address, Route>> routes = new ArrayList<>(length.length);
        for (int address = 0; address < length.length; address++) {
            if (!isEmpty(address)) {
                routes.add(Map.entry(model.addressOf(address),
                    isUnchanged(address) ? previous[address] : route(address)));
            }
        }
        return routes;
    }

    private boolean isUnchanged(int address) {
        Route before = previous[address];
        boolean same = before != null && before.planes().size() == length[address]
            && before.spines().size() == length[address];
        for (int at = 0; same && at < length[address]; at++) {
            int plane = plane(address, at);
            int id = model.fabric.planeId(plane);
            SpineChoice choice = before.spines().get(id);
            same = before.planes().get(at) == id && choice.spine() == spineId(plane, spine(address, plane))
                && choice.backup() == spineId(plane, backup(address, plane));
        }
        return same;
    }

    private Route route(int address) {
        ImmutableSortedMap.Builder<Integer, SpineChoice> spines = ImmutableSortedMap.naturalOrder();
        for (int plane = 0; plane < planes; plane++) {
            if (has(address, plane)) {
                spines.put(model.fabric.planeId(plane),
                    new SpineChoice(spineId(plane, spine(address, plane)), spineId(plane, backup(address, plane))));
            }
        }
        return new Route(orders.computeIfAbsent(IntBuffer.wrap(order, address * planes, length[address]),
            this::ids), spines.build());
    }

    private List<Integer> ids(IntBuffer inOrder) {
        return IntStream.range(0, inOrder.remaining()).map(at -> inOrder.get(inOrder.position() + at))
            .mapToObj(model.fabric::planeId).toList();
    }

    /** The id of a spine, 0 for none. */
    private int spineId(int plane, int index) {
        return index == PlaneChoice.NO_SPINE ? 0 : model.fabric.spineId(plane, index);
    }
}
