package org.daqfabric.impl.engine.run;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Link;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/** The parts of a fabric that a partition needs: all that are in service, except edge switches of others. */
final class PartitionNeeds {
    private final Topology topology;
    private final Set<String> switches = new TreeSet<>();

    PartitionNeeds(Topology topology, Selection selection) {
        this.topology = topology;
        topology.roles().forEach((name, role) -> {
            boolean needed = switch (role) {
                case Role.OfSpine unused -> true;
                case Role.OfLeaf unused -> true;
                case Role.Spare unused -> false;
                case Role edge -> serves(name, selection);
            };
            if (needed && topology.switchOf(name).adminState() == AdminState.IN_SERVICE) {
                switches.add(name);
            }
        });
    }

    private boolean serves(String edge, Selection selection) {
        return topology.edges().get(edge).stream().anyMatch(host -> takesPart(host, selection));
    }

    static boolean takesPart(Endpoint host, Selection selection) {
        return (host.isDcm() ? selection.dcms() : selection.ros()).contains(host.name());
    }

    /** Names, in order. */
    Set<String> switches() {
        return switches;
    }

    /** In the order of their names. */
    List<Link> links() {
        return topology.spec().links().stream()
            .filter(link -> switches.contains(link.end().switchName()) && switches.contains(link.peer().switchName())
                && !topology.drained(link))
            .toList();
    }
}
