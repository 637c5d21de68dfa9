package org.daqfabric.impl.engine.rollout;

import com.google.common.collect.Sets;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The links that programs avoid which may still be installed in some switch, and the switches that they use. If it is
 * one link at most, every leaf has had a path all the time, and edge switches need not wait for the others.
 *
 * @param links names of the links
 * @param used the leaves and spines with a link that packets may pass
 * @param known whether these are all; not known after a start until all switches have confirmed a set of programs
 */
public record AvoidedLinks(Set<PortId> links, Set<String> used, boolean known) {
    /** Before it is known what is installed. */
    public static final AvoidedLinks UNKNOWN = new AvoidedLinks(Set.of(), Set.of(), false);

    public AvoidedLinks {
        links = Set.copyOf(links);
        used = Set.copyOf(used);
    }

    /** When all switches have installed the programs for these unusable links. */
    public static AvoidedLinks settled(Topology topology, UnusableLinks unusable) {
        Set<PortId> links = topology.outOfUse(unusable);
        Set<String> used = new TreeSet<>();
        topology.spec().links().stream().filter(link -> !links.contains(link.end())).forEach(link -> {
            used.add(link.end().switchName());
            used.add(link.peer().switchName());
        });
        used.removeAll(topology.edges().keySet());
        return new AvoidedLinks(links, used, true);
    }

    /**
     * When links were added and removed: the programs for the other topology avoid them. A link that comes back before
     * its port was removed is up and may be used at once.
     */
    public AvoidedLinks with(Set<PortId> changed) {
        Set<PortId> all = new TreeSet<>(links);
        all.addAll(changed);
        return new AvoidedLinks(all, used, known);
    }

    /** While the programs for these unusable links are rolled out. */
    public AvoidedLinks during(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(Sets.union(topology.outOfUse(unusable), links), used, known);
    }

    /** When switches begin to change for the programs for these unusable links, after all have added. */
    public AvoidedLinks changing(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(links, Sets.union(settled(topology, unusable).used, used), known);
    }

    /** When all switches have changed for the programs for these unusable links, and nothing is removed yet. */
    public AvoidedLinks followed(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(links, settled(topology, unusable).used, known);
    }

    /** The order in which switches must change in the rollout of the programs for these unusable links. */
    public ChangeOrder order(Topology topology, UnusableLinks unusable) {
        Set<String> edges = topology.edges().keySet();
        if (!known) {
            return new ChangeOrder(Set.of(), edges);
        }
        Set<String> unused = Sets.difference(Sets.difference(topology.roles().keySet(), edges), used);
        return new ChangeOrder(unused, during(topology, unusable).links.size() <= 1 ? Set.of() : edges);
    }
}
