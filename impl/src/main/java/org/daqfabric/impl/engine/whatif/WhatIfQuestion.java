package org.daqfabric.impl.engine.whatif;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;

/**
 * A question of the operator, with every name looked up.
 *
 * @param spec the configuration then; the same object as now if it does not change
 * @param switches names of the switches that fail
 * @param links names of the links that fail, those of the switches among them
 * @param measured the weights in {@code spec}, if they are measured ones
 */
public record WhatIfQuestion(FabricSpec spec, Set<String> switches, Set<PortId> links, Optional<Weights> measured) {
    private static final int MAX_NAMED = 20;

    public WhatIfQuestion {
        switches = Set.copyOf(switches);
        links = Set.copyOf(links);
    }

    /**
     * Looks up what is named.
     *
     * @throws InvalidInputException where something is not there, or nothing is asked
     */
    public static WhatIfQuestion of(FabricSpec configured, WhatIf asked) {
        if (asked.isEmpty()) {
            throw new InvalidInputException(Location.input(), "there is nothing to plan: give a candidate, "
                + "drain-switch, drain-link, undrain-switch, undrain-link, fail-switch, fail-link or "
                + "measured-weights, as in {\"input\":{\"fabric\":\""
                + configured.name() + "\",\"drain-switch\":[\"NAME\"]}}");
        }
        FabricSpec given = asked.candidate().orElse(configured);
        Names names = new Names(given);
        Set<String> drain = names.switches(asked.drain(), "drain-switch");
        Set<String> undrain = names.switches(asked.undrain(), "undrain-switch");
        Set<PortId> drainLinks = names.links(asked.drain(), "drain-link");
        Set<PortId> undrainLinks = names.links(asked.undrain(), "undrain-link");
        refuseBoth(drain, undrain, "undrain-switch");
        refuseBoth(drainLinks, undrainLinks, "undrain-link");
        FabricSpec spec = given;
        if (!asked.drain().isEmpty() || !asked.undrain().isEmpty()) {
            spec = given.with(given.switches().stream()
                    .map(each -> each.withState(state(each.name(), drain, undrain, each.adminState()))).toList(),
                given.links().stream().map(each -> new Link(each.end(), each.peer(), each.capacity(),
                    state(each.end(), drainLinks, undrainLinks, each.adminState()))).toList());
        }
        FabricSpec weighed = spec;
        return failing(asked.measured().map(each -> each.applied(weighed)).orElse(spec), asked.fail(),
            asked.measured());
    }

    /**
     * Failures of a fabric that stays as it is configured.
     *
     * @throws InvalidInputException where something is not there
     */
    public static WhatIfQuestion failing(FabricSpec configured, FabricParts fail) {
        return failing(configured, fail, Optional.empty());
    }

    private static WhatIfQuestion failing(FabricSpec configured, FabricParts fail, Optional<Weights> measured) {
        Names names = new Names(configured);
        Set<String> switches = names.switches(fail, "fail-switch");
        Set<PortId> links = new HashSet<>(names.links(fail, "fail-link"));
        configured.links().stream().filter(link -> switches.contains(link.end().switchName())
            || switches.contains(link.peer().switchName())).map(Link::end).forEach(links::add);
        return new WhatIfQuestion(configured, switches, links, measured);
    }

    private static <T> void refuseBoth(Set<T> drain, Set<T> undrain, String leaf) {
        undrain.stream().filter(drain::contains).findFirst().ifPresent(both -> {
            throw new InvalidInputException(leaf, both + " is to be drained too: leave it out of one of the two");
        });
    }

    private static <T> AdminState state(T name, Set<T> drain, Set<T> undrain, AdminState now) {
        return drain.contains(name) ? AdminState.DRAINED : undrain.contains(name) ? AdminState.IN_SERVICE : now;
    }

    /** Some names for a message, not all of a large fabric. */
    public static String list(Collection<String> names) {
        List<String> sorted = new ArrayList<>(new TreeSet<>(names));
        return sorted.isEmpty() ? "none" : sorted.size() <= MAX_NAMED ? String.join(", ", sorted)
            : String.join(", ", sorted.subList(0, MAX_NAMED)) + " and " + (sorted.size() - MAX_NAMED) + " more";
    }

    /** What there is to name. */
    private static final class Names {
        private final FabricSpec spec;
        private final Set<String> switches = new TreeSet<>();
        /** Names of links by both their ends. */
        private final Map<PortId, PortId> links = new HashMap<>();

        Names(FabricSpec spec) {
            this.spec = spec;
            spec.switches().forEach(each -> switches.add(each.name()));
            spec.links().forEach(link -> {
                links.put(link.end(), link.end());
                links.put(link.peer(), link.end());
            });
        }

        Set<String> switches(FabricParts parts, String leaf) {
            parts.switches().forEach(name -> known(name, leaf));
            return Set.copyOf(parts.switches());
        }

        Set<PortId> links(FabricParts parts, String leaf) {
            Set<PortId> found = new HashSet<>();
            for (PortId port : parts.links()) {
                known(port.switchName(), leaf);
                PortId link = links.get(port);
                if (link == null) {
                    throw new InvalidInputException(leaf, "fabric " + spec.name() + " has no link at " + port
                        + "; the ports of " + port.switchName() + " with links are " + list(ports(port.switchName())));
                }
                found.add(link);
            }
            return found;
        }

        private List<String> ports(String switchName) {
            return links.keySet().stream().filter(port -> port.switchName().equals(switchName)).map(PortId::port)
                .toList();
        }

        private void known(String name, String leaf) {
            if (!switches.contains(name)) {
                throw new InvalidInputException(leaf, "fabric " + spec.name() + " has no switch " + name
                    + "; its switches are " + list(switches));
            }
        }
    }
}
