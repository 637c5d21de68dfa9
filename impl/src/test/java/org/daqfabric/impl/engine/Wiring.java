package org.daqfabric.impl.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Switch;

/** Which switches can reach each other, found by looking at every link; knows nothing of the engine's indexes. */
public final class Wiring {
    private final Set<List<String>> joined = new HashSet<>();
    private final FabricSpec spec;
    private final UnusableLinks view;
    private final Map<String, Switch> switches;

    public Wiring(FabricSpec spec, UnusableLinks view) {
        this.spec = spec;
        this.view = view;
        switches = spec.switches().stream().collect(Collectors.toMap(Switch::name, Function.identity()));
        for (Link link : spec.links()) {
            if (usable(link)) {
                joined.add(List.of(link.end().switchName(), link.peer().switchName()));
                joined.add(List.of(link.peer().switchName(), link.end().switchName()));
            }
        }
    }

    public boolean usable(Link link) {
        return link.adminState() == AdminState.IN_SERVICE && !view.down().contains(link.end())
            && switches.get(link.end().switchName()).adminState() == AdminState.IN_SERVICE
            && switches.get(link.peer().switchName()).adminState() == AdminState.IN_SERVICE;
    }

    public boolean joined(String one, String other) {
        return joined.contains(List.of(one, other));
    }

    /** Whether some path leads up from one edge switch, by a leaf or by a leaf, a spine and a leaf, down to another. */
    public boolean path(String from, int fromPod, String to, int toPod) {
        return spec.planes().stream().anyMatch(plane -> plane.leaves().stream()
            .filter(leaf -> leaf.pod() == fromPod && joined(from, leaf.switchName()))
            .anyMatch(leaf -> plane.leaves().stream()
                .filter(last -> last.pod() == toPod && joined(last.switchName(), to))
                .anyMatch(last -> leaf.equals(last) || plane.spines().stream().anyMatch(
                    spine -> joined(leaf.switchName(), spine.switchName())
                        && joined(spine.switchName(), last.switchName())))));
    }
}
