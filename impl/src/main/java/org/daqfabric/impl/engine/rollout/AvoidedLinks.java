package org.daqfabric.impl.engine.rollout;

import com.google.common.collect.Sets;
import java.util.Optional;
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
 * @param known whether these are all; not known after a start until all switches have confirmed a set of programs
 * @param used the leaves and spines with a link that packets may pass; empty if that is not known, as after a start
 *     until all switches within reach have changed
 */
public record AvoidedLinks(Set<PortId> links, boolean known, Optional<Set<String>> used) {
    /** Before it is known what is installed. */
    public static final AvoidedLinks UNKNOWN = new AvoidedLinks(Set.of(), false, Optional.empty());

    public AvoidedLinks {
        links = Set.copyOf(links);
        used = used.map(Set::copyOf);
    }

    /** When all switches have installed the programs for these unusable links. */
    public static AvoidedLinks settled(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(topology.outOfUse(unusable), true, Optional.of(inUse(topology, unusable)));
    }

    private static Set<String> inUse(Topology topology, UnusableLinks unusable) {
        Set<PortId> links = topology.outOfUse(unusable);
        Set<String> used = new TreeSet<>();
        topology.spec().links().stream().filter(link -> !links.contains(link.end())).forEach(link -> {
            used.add(link.end().switchName());
            used.add(link.peer().switchName());
        });
        used.removeAll(topology.edges().keySet());
        return used;
    }

    /**
     * When links were added and removed: the programs for the other topology avoid them. A link that comes back before
     * its port was removed is up and may be used at once.
     */
    public AvoidedLinks with(Set<PortId> changed) {
        Set<PortId> all = new TreeSet<>(links);
        all.addAll(changed);
        return new AvoidedLinks(all, known, used);
    }

    /** While the programs for these unusable links are rolled out. */
    public AvoidedLinks during(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(Sets.union(topology.outOfUse(unusable), links), known, used);
    }

    /** When switches begin to change for the programs for these unusable links, after all have added. */
    public AvoidedLinks changing(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(links, known, used.map(before -> Sets.union(inUse(topology, unusable), before)));
    }

    /**
     * When all switches within reach have changed for the programs for these links, and nothing is removed yet.
     */
    public AvoidedLinks followed(Topology topology, UnusableLinks unusable) {
        return new AvoidedLinks(links, known, Optional.of(inUse(topology, unusable)));
    }

    /** The order in which switches must change in the rollout of the programs for these unusable links. */
    public ChangeOrder order(Topology topology, UnusableLinks unusable) {
        Set<String> edges = topology.edges().keySet();
        Set<String> inside = Sets.difference(topology.roles().keySet(), edges);
        boolean atOnce = known && during(topology, unusable).links.size() <= 1;
        return new ChangeOrder(used.<Set<String>>map(of -> Sets.difference(inside, of)).orElse(Set.of()),
            atOnce ? Set.of() : edges);
    }
}
