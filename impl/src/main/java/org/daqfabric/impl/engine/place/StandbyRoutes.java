package org.daqfabric.impl.engine.place;

import com.google.common.primitives.Booleans;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Completes active routes by what an address uses after a failure, so that the load of what failed spreads over what is
 * left: its next plane is found by rehearsing that its leaf fails, the backup of its spine by rehearsing that the spine
 * fails. Planes, spines and backups that carry no traffic even after one failure are spread evenly by count.
 */
final class StandbyRoutes {
    private final PlacementModel model;
    private final PlacementState state;
    private final Waterfill waterfill;
    private final PreviousPlacement previous;
    private final boolean keepPrevious;
    private final FailureRehearsal rehearsal;
    private final RouteTable table;
    private final int[][] addressesOfPod;
    /** By edge switch: the first one alike in pod and planes, which stands for it. */
    private final int[] alike;
    /** [failing plane][edge switch that stands for others], the options in other planes, made when first needed. */
    private final PlaneChoices[][] otherPlanes;

    /**
     * Prepares the choice.
     *
     * @param state the active routes and their loads; unchanged in the end
     * @param keepPrevious whether possible choices of the previous placement stay even if others are better
     */
    StandbyRoutes(PlacementState state, PreviousPlacement previous, boolean keepPrevious) {
        this.state = state;
        this.previous = previous;
        this.keepPrevious = keepPrevious;
        model = state.model;
        waterfill = new Waterfill(state, true);
        rehearsal = new FailureRehearsal(state, waterfill, keepPrevious);
        table = new RouteTable(model, state.routes, previous.placed);
        alike = alike();
        otherPlanes = new PlaneChoices[model.fabric.planes()][model.fabric.edges()];
        addressesOfPod = groupedBy(address -> model.podOf[address], model.fabric.pods(),
            IntStream.range(0, model.podOf.length));
    }

    /** The routes of all addresses that have one. */
    List<Map.Entry<Address, Route>> routes() {
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            nextPlanes(pod);
            furtherPlanes(pod);
        }
        backupsOfActiveSpines();
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            for (int plane = 0; plane < model.fabric.planes(); plane++) {
                backupsOfStandbySpines(pod, plane);
            }
        }
        return table.routes();
    }

    /** The second plane and its spine, by rehearsing that the leaf of the first plane fails. */
    private void nextPlanes(int pod) {
        for (int plane = 0; plane < model.fabric.planes(); plane++) {
            int failing = plane;
            int[] addresses = Arrays.stream(addressesOfPod[pod])
                .filter(address -> state.routes[address].length == 1 && state.routes[address][0].plane() == failing
                    && !otherPlanes(model.edgeOf[address], failing).isEmpty()).toArray();
            PlaneChoices[] choices = Arrays.stream(addresses)
                .mapToObj(address -> otherPlanes(model.edgeOf[address], failing)).toArray(PlaneChoices[]::new);
            PlaneChoice[] before = Arrays.stream(addresses).mapToObj(address -> previousNext(address, failing))
                .toArray(PlaneChoice[]::new);
            PlaneChoice[] next = rehearsal.rehearse(addresses, choices, before, plane);
            for (int i = 0; i < next.length; i++) {
                table.append(addresses[i], next[i]);
            }
        }
    }

    private int[] alike() {
        Map<List<Object>, Integer> first = new HashMap<>();
        return IntStream.range(0, model.fabric.edges()).map(edge -> first.computeIfAbsent(
            List.of(model.fabric.podOfEdge(edge), Booleans.asList(model.planesOf(edge))), key -> edge)).toArray();
    }

    private PlaneChoices otherPlanes(int edge, int failing) {
        int first = alike[edge];
        if (otherPlanes[failing][first] == null) {
            int pod = model.fabric.podOfEdge(first);
            otherPlanes[failing][first] = new PlaneChoices(pod, IntStream.range(0, model.fabric.planes())
                .filter(plane -> plane != failing && model.fabric.inPlane(plane, first)).boxed()
                .flatMap(plane -> waterfill.options(plane, pod, true).stream()).toList());
        }
        return otherPlanes[failing][first];
    }

    /** The first choice of the previous placement in another plane, null if none or if that plane no longer exists. */
    private @Nullable PlaneChoice previousNext(int address, int failing) {
        int failingId = model.fabric.planeId(failing);
        if (previous.placed[address] != null) {
            for (int id : previous.placed[address].planes()) {
                if (id != failingId) {
                    int plane = model.fabric.plane(id);
                    return plane < 0 ? null : new PlaneChoice(plane, previous.spine(address, plane));
                }
            }
        }
        return null;
    }

    /** The other planes follow the last one cyclically, so that edge switches need no more groups for them. */
    private void furtherPlanes(int pod) {
        int planes = model.fabric.planes();
        IntStream.Builder[] standby = builders(planes);
        for (int address : addressesOfPod[pod]) {
            for (int step = 1, last = table.isEmpty(address) ? 0 : table.lastPlane(address); step < planes; step++) {
                int plane = (last + step) % planes;
                if (!table.isEmpty(address) && model.fabric.inPlane(plane, model.edgeOf[address])
                    && !table.has(address, plane)) {
                    table.append(address, new PlaneChoice(plane, PlaneChoice.NO_SPINE));
                    standby[plane].add(address);
                }
            }
        }
        for (int plane = 0; plane < planes; plane++) {
            int standbyPlane = plane;
            spread(standby[plane].build().toArray(), waterfill.options(plane, pod, true),
                address -> previous.spine(address, standbyPlane),
                (address, spine) -> table.setSpine(address, standbyPlane, spine));
        }
    }

    /** Backups of the spines of active routes, by rehearsing that each spine fails. */
    private void backupsOfActiveSpines() {
        IntStream.Builder[][] users = IntStream.range(0, model.fabric.planes())
            .mapToObj(plane -> builders(model.fabric.spines(plane))).toArray(IntStream.Builder[][]::new);
        for (int address = 0; address < state.routes.length; address++) {
            for (PlaneChoice choice : state.routes[address]) {
                if (choice.backup() == PlaneChoice.NO_SPINE && choice.spine() != PlaneChoice.NO_SPINE) {
                    users[choice.plane()][choice.spine()].add(address);
                }
            }
        }
        for (int plane = 0; plane < model.fabric.planes(); plane++) {
            for (int spine = 0; spine < model.fabric.spines(plane); spine++) {
                backupsOf(new PlaneChoice(plane, spine), users[plane][spine].build().toArray());
            }
        }
    }

    private void backupsOf(PlaneChoice failing, int[] users) {
        int plane = failing.plane();
        PlaneChoices[] others = new PlaneChoices[model.fabric.pods()];
        for (int address : users) {
            int pod = model.podOf[address];
            others[pod] = others[pod] == null ? new PlaneChoices(pod, otherSpines(pod, failing)) : others[pod];
        }
        int[] addresses = Arrays.stream(users).filter(address -> !others[model.podOf[address]].isEmpty()).toArray();
        PlaneChoices[] choices =
            Arrays.stream(addresses).mapToObj(address -> others[model.podOf[address]]).toArray(PlaneChoices[]::new);
        PlaneChoice[] before = Arrays.stream(addresses).map(address -> previousBackup(address, failing))
            .mapToObj(spine -> spine == PlaneChoice.NO_SPINE ? null : new PlaneChoice(plane, spine))
            .toArray(PlaneChoice[]::new);
        PlaneChoice[] backups = rehearsal.rehearse(addresses, choices, before, plane);
        for (int i = 0; i < backups.length; i++) {
            table.setBackup(addresses[i], plane, backups[i].spine());
        }
    }

    /** The other spines of a plane for a pod, complete ones if there are any, cyclically after the failing one. */
    private List<PlaneChoice> otherSpines(int pod, PlaneChoice failing) {
        List<PlaneChoice> complete = cyclicallyAfter(failing.spine(), waterfill.options(failing.plane(), pod, true));
        return complete.isEmpty()
            ? cyclicallyAfter(failing.spine(), waterfill.options(failing.plane(), pod, false)) : complete;
    }

    private static List<PlaneChoice> cyclicallyAfter(int failing, List<PlaneChoice> options) {
        int first = 0;
        while (first < options.size() && options.get(first).spine() < failing) {
            first++;
        }
        boolean isThere = first < options.size() && options.get(first).spine() == failing;
        PlaneChoice[] all = options.toArray(PlaneChoice[]::new);
        int after = isThere ? first + 1 : first;
        PlaneChoice[] others = Arrays.copyOfRange(all, after, after + all.length - (isThere ? 1 : 0));
        System.arraycopy(all, 0, others, all.length - after, first);
        // in a plane in which the pod reaches no spine the only option is none
        return others.length == 1 && others[0].spine() == PlaneChoice.NO_SPINE ? List.of() : Arrays.asList(others);
    }

    /** The backup an address had for a spine, {@link PlaneChoice#NO_SPINE} if it had another spine. */
    private int previousBackup(int address, PlaneChoice failing) {
        return previous.spine(address, failing.plane()) == failing.spine()
            ? previous.backup(address, failing.plane()) : PlaneChoice.NO_SPINE;
    }

    private void backupsOfStandbySpines(int pod, int plane) {
        int[][] users = groupedBy(address -> table.spine(address, plane), model.fabric.spines(plane),
            Arrays.stream(addressesOfPod[pod]).filter(address -> table.spine(address, plane) != PlaneChoice.NO_SPINE
                && table.backup(address, plane) == PlaneChoice.NO_SPINE));
        for (int spine = 0; spine < users.length; spine++) {
            PlaneChoice failing = new PlaneChoice(plane, spine);
            if (users[spine].length > 0) {
                spread(users[spine], otherSpines(pod, failing), address -> previousBackup(address, failing),
                    (address, backup) -> table.setBackup(address, plane, backup));
            }
        }
    }

    /** Addresses by a property that takes values from 0 to below a count. */
    private static int[][] groupedBy(IntUnaryOperator property, int count, IntStream addresses) {
        IntStream.Builder[] groups = builders(count);
        addresses.forEach(address -> groups[property.applyAsInt(address)].add(address));
        return Arrays.stream(groups).map(each -> each.build().toArray()).toArray(int[][]::new);
    }

    private static IntStream.Builder[] builders(int count) {
        return Stream.generate(IntStream::builder).limit(count).toArray(IntStream.Builder[]::new);
    }

    private interface SpineSetter {
        void set(int address, int spine);
    }

    /** Spreads addresses over the spines of a plane by count; those that had one of these spines before may keep it. */
    private void spread(int[] addresses, List<PlaneChoice> options, IntUnaryOperator spineBefore, SpineSetter setter) {
        if (addresses.length == 0 || options.isEmpty()) {
            return;
        }
        int[] binOfSpine = new int[model.fabric.spines(options.get(0).plane())];
        Arrays.fill(binOfSpine, -1);
        for (int bin = 0; bin < options.size(); bin++) {
            if (options.get(bin).spine() != PlaneChoice.NO_SPINE) {
                binOfSpine[options.get(bin).spine()] = bin;
            }
        }
        int[] before = new int[addresses.length];
        for (int i = 0; i < before.length; i++) {
            int spine = spineBefore.applyAsInt(addresses[i]);
            before[i] = spine == PlaneChoice.NO_SPINE ? -1 : binOfSpine[spine];
        }
        int[] bins = BinSpread.spread(options.size(), before, keepPrevious);
        for (int i = 0; i < bins.length; i++) {
            setter.set(addresses[i], options.get(bins[i]).spine());
        }
    }
}
