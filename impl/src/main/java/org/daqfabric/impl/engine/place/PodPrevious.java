package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Map;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/** The previous placement in terms of a {@link PodState}: what each flow took, and what of that is still usable. */
final class PodPrevious {
    /** By flow: its route up to the first choice that is impossible now. */
    final PlaneChoice[][] routes;
    private final PlaneChoice[] primaries;
    private boolean isNone = true;

    PodPrevious(PodState state, Map<Address, Route> placement) {
        routes = new PlaneChoice[state.routes.length][];
        primaries = new PlaneChoice[state.routes.length];
        Arrays.fill(routes, PlaneChoice.UNPLACED);
        for (int flow = 0; flow < routes.length; flow++) {
            Route route = placement.get(state.model.addressOf(state.address(flow)));
            if (route != null) {
                read(state, flow, route.from(state.model.fabric.podId(state.from(flow))));
                isNone = false;
            }
        }
    }

    private void read(PodState state, int flow, Route route) {
        for (int id : route.planes()) {
            int plane = state.model.fabric.plane(id);
            int spine = plane < 0 || state.from(flow) == state.to(flow) ? PlaneChoice.NO_SPINE
                : Math.max(PlaneChoice.NO_SPINE, state.model.fabric.spine(plane, route.spineChoice(id).spine()));
            if (primaries[flow] == null && plane >= 0) {
                primaries[flow] = new PlaneChoice(plane, spine);
            }
            if (plane < 0) {
                return;
            }
            if (state.servesMore(flow, plane, routes[flow]) || routes[flow].length == 0) {
                if (!state.isOption(flow, plane, spine)) {
                    return;
                }
                routes[flow] = Waterfill.with(routes[flow], new PlaneChoice(plane, spine));
            }
        }
    }

    /** Whether nothing was placed. */
    boolean isNone() {
        return isNone;
    }

    /** The plane and spine a flow took, even if that is impossible now; null if the address was not placed. */
    @Nullable PlaneChoice primary(int flow) {
        return primaries[flow];
    }
}
