package org.daqfabric.impl.engine.doctor;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;

/**
 * Switches all of whose links are down: rather the switch than all cables. One whose peers have no other link is not
 * among them, as that says nothing of which end is at fault, nor one with a single link.
 */
final class FallenSwitches {
    private FallenSwitches() {
    }

    static Set<String> of(FabricSpec spec, FabricState state) {
        Set<PortId> down = state.links().stream().filter(each -> each.operState() == OperState.DOWN)
            .map(LinkState::end).collect(Collectors.toSet());
        Map<String, Set<String>> peers = new TreeMap<>();
        Map<String, Integer> links = new TreeMap<>();
        Set<String> standing = new TreeSet<>();
        for (Link link : spec.links()) {
            String end = link.end().switchName();
            String peer = link.peer().switchName();
            peers.computeIfAbsent(end, key -> new TreeSet<>()).add(peer);
            peers.computeIfAbsent(peer, key -> new TreeSet<>()).add(end);
            Stream.of(end, peer).forEach(each -> links.merge(each, 1, Integer::sum));
            if (!down.contains(link.end())) {
                standing.add(end);
                standing.add(peer);
            }
        }
        return links.keySet().stream().filter(name -> links.get(name) > 1 && !standing.contains(name)
            && peers.get(name).stream().anyMatch(standing::contains)).collect(Collectors.toCollection(TreeSet::new));
    }
}
