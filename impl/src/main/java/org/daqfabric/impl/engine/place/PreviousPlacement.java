package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Map;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/** The previous placement in terms of the model: what it chose, and how much of that is still usable. */
final class PreviousPlacement {
    /** By address: its whole route, null if it was not placed. */
    final @Nullable Route[] placed;
    /** By address: its active route, up to the first choice that is impossible now. */
    final PlaneChoice[][] routes;
    /** By address: number of leading choices that no failure touches; 0 if the first is touched or there is none. */
    final int[] intact;

    private final PlacementModel model;
    private final int planes;
    private final boolean isNone;
    /** By address and plane, {@code address * planes + plane}; {@link PlaneChoice#NO_SPINE} if none. */
    private final int[] spines;
    private final int[] backups;

    PreviousPlacement(PlacementModel model, Map<Address, Route> placement) {
        this.model = model;
        int count = model.addresses.size();
        placed = new Route[count];
        routes = new PlaneChoice[count][];
        intact = new int[count];
        planes = model.fabric.planes();
        isNone = placement.isEmpty();
        spines = new int[isNone ? 0 : count * planes];
        backups = new int[spines.length];
        Arrays.fill(spines, PlaneChoice.NO_SPINE);
        Arrays.fill(backups, PlaneChoice.NO_SPINE);
        Arrays.fill(routes, PlaneChoice.UNPLACED);
        for (int address = 0; address < count && !isNone; address++) {
            placed[address] = placement.get(model.addressOf(address));
            if (placed[address] != null) {
                readSpines(address);
                routes[address] = activeRoute(address);
                intact[address] = intactChoices(routes[address], model.podOf[address]);
            }
        }
    }

    /** Whether nothing was placed before. */
    boolean isNone() {
        return isNone;
    }

    private void readSpines(int address) {
        placed[address].spines().forEach((id, choice) -> {
            int plane = model.fabric.plane(id);
            if (plane >= 0) {
                spines[address * planes + plane] = spineIndex(plane, choice.spine());
                backups[address * planes + plane] = spineIndex(plane, choice.backup());
            }
        });
    }

    private int spineIndex(int plane, int id) {
        return Math.max(PlaneChoice.NO_SPINE, model.fabric.spine(plane, id));
    }

    private int intactChoices(PlaneChoice[] route, int pod) {
        int choices = 0;
        while (choices < route.length && model.isComplete(route[choices], pod)) {
            choices++;
        }
        return choices;
    }

    /** Leaves out the standby planes of the route as placed, which serve nothing that the planes before them do not. */
    private PlaneChoice[] activeRoute(int address) {
        PlaneChoice[] route = PlaneChoice.UNPLACED;
        int pod = model.podOf[address];
        for (int id : placed[address].planes()) {
            int plane = model.fabric.plane(id);
            if (plane < 0 || !model.fabric.inPlane(plane, model.edgeOf[address])) {
                break;
            }
            if (!model.servesMore(plane, pod, route)) {
                if (route.length == 0 && canBeServed(address)) {
                    break;
                }
                if (route.length > 0) {
                    continue;
                }
            }
            PlaneChoice choice = choice(address, plane);
            if (!model.isComplete(choice, pod) && !model.servesOtherPods(choice, pod)) {
                break;
            }
            route = Waterfill.with(route, choice);
        }
        return route;
    }

    /** The choice as placed in a plane; with its backup only if it is partial, so that the backup carries traffic. */
    private PlaneChoice choice(int address, int plane) {
        PlaneChoice choice = new PlaneChoice(plane, spine(address, plane));
        return model.isComplete(choice, model.podOf[address]) ? choice : choice.withBackup(backup(address, plane));
    }

    /** The spine as placed, {@link PlaneChoice#NO_SPINE} if there was none or there is no such spine now. */
    int spine(int address, int plane) {
        return isNone ? PlaneChoice.NO_SPINE : spines[address * planes + plane];
    }

    /** Likewise the backup. */
    int backup(int address, int plane) {
        return isNone ? PlaneChoice.NO_SPINE : backups[address * planes + plane];
    }

    private boolean canBeServed(int address) {
        for (int plane = 0; plane < model.fabric.planes(); plane++) {
            if (model.fabric.inPlane(plane, model.edgeOf[address])
                && model.servesMore(plane, model.podOf[address], PlaneChoice.UNPLACED)) {
                return true;
            }
        }
        return false;
    }

    /** The first choice as placed, even if it is impossible now; null if there was none. */
    @Nullable PlaneChoice primary(int address) {
        if (placed[address] == null || placed[address].planes().isEmpty()) {
            return null;
        }
        int plane = model.fabric.plane(placed[address].planes().get(0));
        return plane < 0 ? null : choice(address, plane);
    }

    /** Whether an address that was placed has another first plane or spine in a route. */
    boolean isMoved(int address, PlaneChoice[] route) {
        PlaneChoice before = primary(address);
        return before != null && route.length > 0 && !route[0].sameSpine(before);
    }
}
