package org.daqfabric.impl.controller.links;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switches of a fabric that may hold no rules. Their neighbours have reported all links to them as down at the same
 * time, and they were not connected then, or have said nothing of it: they may have restarted. Or they are not
 * connected, and no packets pass through them. They are in doubt until they say something over OpenFlow; a connection
 * does not outlive a restart. One that only stood still for a moment forwards as before. Belongs to the fabric's event
 * loop.
 */
public final class Doubt {
    private static final Logger LOG = LoggerFactory.getLogger(Doubt.class);

    private final String fabric;
    private final Map<String, SwitchView> views;
    /** What each switch in doubt had said when it came into doubt. */
    private SortedMap<String, Long> said = new TreeMap<>();
    private Set<String> fallen = Set.of();
    /** Switches that forwarded at some time. */
    private final Set<String> stood = new HashSet<>();

    Doubt(String fabric, Map<String, SwitchView> views) {
        this.fabric = fabric;
        this.views = views;
    }

    /**
     * All that was reported is taken into account.
     *
     * @param mute switches through which no packets pass
     */
    void update(Topology topology, LinkStates.Fallen now, Set<String> mute) {
        SortedMap<String, Long> next = new TreeMap<>(said);
        next.entrySet().removeIf(each -> !topology.roles().containsKey(each.getKey())
            || view(each.getKey()).said() != each.getValue());
        stood.addAll(now.forwarding());
        stood.retainAll(topology.roles().keySet());
        for (String name : now.names()) {
            SwitchView view = view(name);
            boolean isSilent = !fallen.contains(name) && now.contradicting().contains(name);
            if (stood.contains(name) && !next.containsKey(name) && (!view.openflow() || isSilent)) {
                add(next, name, "all its links are down, and it says nothing");
            }
        }
        for (String name : mute) {
            if (topology.roles().containsKey(name) && !view(name).openflow() && !next.containsKey(name)) {
                add(next, name, "no packets pass through it, and it is not connected");
            }
        }
        said = next;
        fallen = now.names();
    }

    /** These were in doubt before the controller started; those that have said something since are not any more. */
    void restore(Set<String> names) {
        for (String name : names) {
            if (view(name).said() == SwitchView.UNKNOWN.said()) {
                add(said, name, "it was in doubt before, and has not connected since");
            }
        }
    }

    private void add(Map<String, Long> doubted, String name, String why) {
        doubted.put(name, view(name).said());
        LOG.warn("fabric {}: switch {} may hold nothing: {}", fabric, name, why);
    }

    private SwitchView view(String name) {
        return views.getOrDefault(name, SwitchView.UNKNOWN);
    }

    /** Their names. */
    public Set<String> switches() {
        return Collections.unmodifiableSet(said.keySet());
    }

    /** Those that seem to be connected: an answer ends the doubt. */
    public Set<String> connected() {
        return said.keySet().stream().filter(name -> view(name).openflow()).collect(Collectors.toSet());
    }

    /** Whether a switch at an end of a link is in doubt. */
    public boolean concerns(Link link) {
        return said.containsKey(link.end().switchName()) || said.containsKey(link.peer().switchName());
    }

    /** Links that must not be counted on: those that must not be used, and those of switches in doubt. */
    public UnusableLinks doubtful(Topology topology, UnusableLinks unusable) {
        if (said.isEmpty()) {
            return unusable;
        }
        Set<PortId> all = links(topology, role -> true);
        all.addAll(unusable.down());
        return new UnusableLinks(all);
    }

    /** The links of leaves and spines in doubt: others have another way, or had none anyway. */
    Set<PortId> linksInPlanes(Topology topology) {
        return links(topology, role -> role instanceof Role.OfLeaf || role instanceof Role.OfSpine);
    }

    private Set<PortId> links(Topology topology, Predicate<Role> which) {
        return said.keySet().stream().filter(name -> topology.roles().containsKey(name)
                && which.test(topology.roles().get(name)))
            .flatMap(name -> topology.segments(name).stream()).map(Segment::id)
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
