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

/** Which switches can reach each other, found from links: an oracle without the indexes of the engine. */
public final class Wiring {
    private final Set<List<String>> linked = new HashSet<>();
    private final FabricSpec spec;
    private final UnusableLinks unusable;
    private final Map<String, Switch> switches;

    public Wiring(FabricSpec spec, UnusableLinks unusable) {
        this.spec = spec;
        this.unusable = unusable;
        switches = spec.switches().stream().collect(Collectors.toMap(Switch::name, Function.identity()));
        for (Link link : spec.links()) {
            if (usable(link)) {
                linked.add(List.of(link.end().switchName(), link.peer().switchName()));
                linked.add(List.of(link.peer().switchName(), link.end().switchName()));
            }
        }
    }

    public boolean usable(Link link) {
        return link.adminState() == AdminState.IN_SERVICE && !unusable.down().contains(link.end())
            && switches.get(link.end().switchName()).adminState() == AdminState.IN_SERVICE
            && switches.get(link.peer().switchName()).adminState() == AdminState.IN_SERVICE;
    }

    /** Whether two switches have a usable link. */
    public boolean linked(String one, String other) {
        return linked.contains(List.of(one, other));
    }

    /** Whether a path leads from one edge switch to another, by one leaf or by a leaf, a spine and a leaf. */
    public boolean hasPath(String from, int fromPod, String to, int toPod) {
        return spec.planes().stream().anyMatch(plane -> plane.leaves().stream()
            .filter(leaf -> leaf.pod() == fromPod && linked(from, leaf.switchName()))
            .anyMatch(leaf -> plane.leaves().stream()
                .filter(last -> last.pod() == toPod && linked(last.switchName(), to))
                .anyMatch(last -> leaf.equals(last) || plane.spines().stream().anyMatch(
                    spine -> linked(leaf.switchName(), spine.switchName())
                        && linked(spine.switchName(), last.switchName())))));
    }
}
