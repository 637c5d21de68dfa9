package org.daqfabric.impl.controller.whatif;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.identity.Relabelling;
import org.daqfabric.impl.engine.rollout.AvoidedLinks;
import org.daqfabric.impl.engine.run.SelectedFabric;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric at one moment, for computations beside its event loop, with the unusable links of each step of a question.
 *
 * @param topology the configuration in force
 * @param unusable the links that must not be used now
 * @param programs the desired programs
 * @param given port numbers that switches may still use
 * @param avoided the links avoided by programs that may still be installed
 * @param dead links that carry no packets, whether or not they would be used
 * @param directive what run control requires
 * @param next the configuration asked about
 * @param changed its unusable links at first; all new links are among them
 * @param proven its unusable links when the new links have been reported up
 * @param failed its unusable links after the failures asked about
 * @param generation that of the desired programs
 */
public record Snapshot(Topology topology, Decision decision, UnusableLinks unusable,
        SortedMap<String, Program> programs, Map<String, SwitchView> switches, PortNumbers given,
        Set<String> ringCapable, AvoidedLinks avoided, Set<PortId> dead, RunDirective directive, Topology next,
        UnusableLinks changed, UnusableLinks proven, UnusableLinks failed, long generation) {
    public Snapshot {
        programs = Collections.unmodifiableSortedMap(new TreeMap<>(programs));
        switches = Map.copyOf(switches);
        ringCapable = Set.copyOf(ringCapable);
        dead = Set.copyOf(dead);
    }

    /**
     * The same in the labels of the configuration asked about, under which a new event loop takes the fabric over.
     *
     * @param failing the links whose failure is asked about, in those labels
     */
    public Snapshot relabelled(Relabelling labels, Set<PortId> failing) {
        SortedMap<String, Program> installed = new TreeMap<>();
        programs.forEach((name, program) -> labels.name(name).ifPresent(now -> installed.put(now, program)));
        Map<String, SwitchView> views = new HashMap<>();
        switches.forEach((name, view) -> labels.name(name).ifPresent(now -> views.put(now, view)));
        UnusableLinks still = new UnusableLinks(relabelled(unusable.down(), labels));
        Set<PortId> down = new HashSet<>(still.down());
        down.addAll(failing);
        Topology before = new Topology(labels.apply(topology.spec()), decision.identities());
        Decision decided = new Decision(labels.apply(decision.placement()), labels.apply(decision.portNumbers()),
            before.identities(), Optional.of(before.spec()));
        return new Snapshot(before, decided, still, installed, views, labels.apply(given),
            ringCapable.stream().flatMap(name -> labels.name(name).stream()).collect(Collectors.toSet()),
            AvoidedLinks.UNKNOWN, relabelled(dead, labels), directive, next, still, still, new UnusableLinks(down),
            generation);
    }

    private static Set<PortId> relabelled(Set<PortId> ports, Relabelling labels) {
        return ports.stream().flatMap(port -> labels.apply(port).stream()).collect(Collectors.toSet());
    }

    /** A configuration with the weights to place by. */
    public Topology weighted(Topology unweighted) {
        return SelectedFabric.of(unweighted, directive.selection());
    }
}
