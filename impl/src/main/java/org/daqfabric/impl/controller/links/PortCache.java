package org.daqfabric.impl.controller.links;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A summary of the ports of each switch, computed again only if the switch has sent a report or its numbers have
 * changed: most events concern one of hundreds of switches, each with hundreds of daqrings. Belongs to the fabric's
 * event loop.
 */
public final class PortCache {
    private final Map<String, Ports> ports = new HashMap<>();
    private SortedMap<String, Set<String>> present = Collections.emptySortedMap();

    /**
     * A summary of the ports of a switch.
     *
     * @param view what it was computed from
     * @param numbers the OpenFlow numbers that the ports must have
     * @param present names of those that exist with their numbers
     * @param rings how many of them are daqrings
     * @param complete whether every port either exists with its number or has an error
     * @param known whether the switch has reported the state of all its ports over both connections
     * @param errors of ports, in words
     */
    public record Ports(SwitchView view, SortedMap<String, Integer> numbers, Set<String> present, int rings,
            boolean complete, boolean known, List<String> errors) {
    }

    /** The ports of a switch. */
    public Ports of(String switchName, SwitchView view, PortNumbers numbers) {
        Ports before = ports.get(switchName);
        SortedMap<String, Integer> given = numbers.of(switchName);
        if (before != null && before.view == view && before.numbers == given) {
            return before;
        }
        Ports now = before != null && before.view == view && before.numbers.equals(given)
            ? new Ports(view, given, before.present, before.rings, before.complete, before.known, before.errors)
            : summarise(switchName, view, given, before == null ? Set.of() : before.present);
        ports.put(switchName, now);
        return now;
    }

    private static Ports summarise(String switchName, SwitchView view, SortedMap<String, Integer> numbers,
            Set<String> before) {
        Set<String> names = view.present(numbers);
        List<String> errors = new ArrayList<>();
        view.ports().forEach((port, status) -> {
            if (!status.error().isEmpty()) {
                errors.add(new PortId(switchName, port) + ": " + status.error());
            }
        });
        return new Ports(view, numbers, names.equals(before) ? before : names,
            (int) names.stream().filter(port -> numbers.get(port) >= PortNumbers.FIRST_RING).count(),
            view.isComplete(numbers), view.isKnown(numbers), errors);
    }

    /** Names of the ports that each switch of a fabric has; the same object while nothing changes. */
    public SortedMap<String, Set<String>> present(Topology topology, Map<String, SwitchView> switches,
            PortNumbers numbers) {
        SortedMap<String, Set<String>> now = new TreeMap<>();
        ports.keySet().retainAll(switches.keySet());
        switches.forEach((name, view) -> {
            if (topology.roles().containsKey(name)) {
                now.put(name, of(name, view, numbers).present());
            }
        });
        if (!now.equals(present)) {
            present = Collections.unmodifiableSortedMap(now);
        }
        return present;
    }
}
