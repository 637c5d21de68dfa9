package org.daqfabric.impl.engine.rollout;

import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The links that programs avoid which may still be installed in some switch. If it is one link at most, every leaf has
 * had a path all the time, and edge switches need not wait for the others.
 *
 * @param links names of the links
 * @param known whether these are all; not known after a start until all switches have confirmed a set of programs
 */
public record AvoidedLinks(Set<PortId> links, boolean known) {
    /** Before it is known what is installed. */
    public static final AvoidedLinks UNKNOWN = new AvoidedLinks(Set.of(), false);

    public AvoidedLinks {
        links = Set.copyOf(links);
    }

    /** When all switches have installed the programs for these unusable links. */
    public static AvoidedLinks settled(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(topology.outOfUse(unusable), true);
    }

    /**
     * When links were added and removed: the programs for the other topology avoid them. A link that comes back before
     * its port was removed is up and may be used at once.
     */
    public AvoidedLinks with(Set<PortId> changed) {
        Set<PortId> all = new TreeSet<>(links);
        all.addAll(changed);
        return new AvoidedLinks(all, known);
    }

    /** While the programs for these unusable links are rolled out. */
    public AvoidedLinks during(Topology topology, UnusableLinks unusable) {
        Set<PortId> all = new TreeSet<>(topology.outOfUse(unusable));
        all.addAll(links);
        return new AvoidedLinks(all, true);
    }

    /** The switches that must change after the others in the rollout of the programs for these unusable links. */
    public Set<String> changeLast(Topology topology, UnusableLinks unusable) {
        return known && during(topology, unusable).links.size() <= 1 ? Set.of() : topology.edges().keySet();
    }
}
