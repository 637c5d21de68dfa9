package org.daqfabric.impl.engine.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;

/**
 * The labels that changed from one configuration to the next, found by the identities of the switches. It rewrites a
 * decision in the new labels, so that every address stays where it is and every port keeps its number. What belonged
 * to a bridge that is no longer configured is left out.
 */
public final class Relabelling {
    /** New name by old name, for every bridge that is in both configurations. */
    private final Map<String, String> names = new HashMap<>();
    private final Map<Integer, Integer> planes = new HashMap<>();
    private final Map<Integer, Integer> pods = new HashMap<>();
    /** By old plane, the new spine id by the old one. */
    private final Map<Integer, Map<Integer, Integer>> spines = new HashMap<>();
    private boolean changes;

    private Relabelling(Identities before, Identities now) {
        Map<String, Map<String, String>> nowNames = new HashMap<>();
        now.switches().forEach((name, identity) ->
            nowNames.computeIfAbsent(identity.systemId(), id -> new HashMap<>()).put(identity.bridge(), name));
        before.switches().forEach((name, identity) -> {
            String newName = nowNames.getOrDefault(identity.systemId(), Map.of()).get(identity.bridge());
            if (newName != null) {
                names.put(name, newName);
                changes |= !newName.equals(name);
            }
        });
        map(before, now, SwitchIdentity::plane, planes);
        map(before, now, SwitchIdentity::pod, pods);
        mapSpines(before, now);
    }

    /** What changed between two sets of identities. */
    public static Relabelling between(Identities before, Identities now) {
        return new Relabelling(before, now);
    }

    /** What changed between two configurations. */
    public static Relabelling between(FabricSpec before, FabricSpec now) {
        return between(IdentityAssignment.of(before, Identities.NONE), IdentityAssignment.of(now, Identities.NONE));
    }

    /** Whether a switch has another name, or a plane, spine or pod another id. */
    public boolean changesLabels() {
        return changes;
    }

    /** The new name of a switch; empty if its bridge is no longer configured. */
    public Optional<String> name(String before) {
        return Optional.ofNullable(names.get(before));
    }

    /** A plane or pod is the one that most of its switches are in now. */
    private void map(Identities before, Identities now, ToIntFunction<SwitchIdentity> label,
            Map<Integer, Integer> into) {
        Map<Integer, SortedMap<Integer, Integer>> votes = new TreeMap<>();
        names.forEach((old, name) -> {
            int was = label.applyAsInt(before.of(old));
            int is = label.applyAsInt(now.of(name));
            if (was != 0 && is != 0) {
                votes.computeIfAbsent(was, id -> new TreeMap<>()).merge(is, 1, Integer::sum);
            }
        });
        votes.forEach((was, counted) -> {
            int most = counted.values().stream().mapToInt(Integer::intValue).max().orElse(0);
            Integer is = counted.getOrDefault(was, 0) == most ? was
                : counted.entrySet().stream().filter(each -> each.getValue() == most).findFirst().orElseThrow()
                    .getKey();
            if (!into.containsValue(is)) {
                into.put(was, is);
                changes |= !is.equals(was);
            }
        });
    }

    private void mapSpines(Identities before, Identities now) {
        names.forEach((old, name) -> {
            SwitchIdentity was = before.of(old);
            SwitchIdentity is = now.of(name);
            if (was.spine() != 0 && is.spine() != 0 && planes.getOrDefault(was.plane(), 0) == is.plane()) {
                spines.computeIfAbsent(was.plane(), id -> new HashMap<>()).put(was.spine(), is.spine());
                changes |= was.spine() != is.spine();
            }
        });
    }

    /** The new id of a plane; 0 if none of its switches is configured any more. */
    int plane(int before) {
        return planes.getOrDefault(before, 0);
    }

    /** The new id of a pod; 0 if none of its switches is configured any more. */
    int pod(int before) {
        return pods.getOrDefault(before, 0);
    }

    /** The new id of a spine of a plane; 0 if it is no longer configured there. */
    int spine(int plane, int before) {
        return spines.getOrDefault(plane, Map.of()).getOrDefault(before, 0);
    }

    /** The configuration in the new labels, with everything else as it was. */
    public FabricSpec apply(FabricSpec spec) {
        return changes ? RelabelledSpec.of(spec, this) : spec;
    }

    /** The placement in the new labels. */
    public Placement apply(Placement placement) {
        if (!changes) {
            return placement;
        }
        SortedMap<Address, Route> routes = new TreeMap<>();
        placement.routes().forEach((address, route) -> routes.put(address, apply(route)));
        SortedMap<Bundle, SortedMap<Address, PortId>> lanes = new TreeMap<>();
        placement.lanes().forEach((bundle, links) -> {
            if (names.containsKey(bundle.lower()) && names.containsKey(bundle.upper())) {
                SortedMap<Address, PortId> renamed = new TreeMap<>();
                links.forEach((address, link) -> apply(link).ifPresent(next -> renamed.put(address, next)));
                lanes.put(new Bundle(names.get(bundle.lower()), names.get(bundle.upper())), renamed);
            }
        });
        return new Placement(routes, lanes);
    }

    private Route apply(Route route) {
        List<Integer> order = new ArrayList<>();
        route.planes().forEach(plane -> renumbered(planes, plane).ifPresent(order::add));
        SortedMap<Integer, SpineChoice> choices = new TreeMap<>();
        route.spines().forEach((plane, choice) -> {
            Map<Integer, Integer> ids = spines.getOrDefault(plane, Map.of());
            SpineChoice renumbered = new SpineChoice(renumbered(ids, choice.spine()).orElse(0),
                renumbered(ids, choice.backup()).orElse(0));
            renumbered(planes, plane).ifPresent(next -> choices.put(next, renumbered));
        });
        SortedMap<Integer, Route> fromPods = new TreeMap<>();
        route.fromPods().forEach((pod, other) ->
            renumbered(pods, pod).ifPresent(next -> fromPods.put(next, apply(other))));
        return new Route(order, choices, fromPods);
    }

    /** The new id; the same if none of its switches is left and no other has it now, and empty if another has it. */
    private static Optional<Integer> renumbered(Map<Integer, Integer> ids, int before) {
        Integer next = ids.get(before);
        return next != null ? Optional.of(next) : ids.containsValue(before) ? Optional.empty() : Optional.of(before);
    }

    /** The same port in the new labels; empty if its bridge is no longer configured. */
    public Optional<PortId> apply(PortId port) {
        return name(port.switchName()).map(name -> new PortId(name, port.port()));
    }

    /** The port numbers by the new names. */
    public PortNumbers apply(PortNumbers numbers) {
        if (!changes) {
            return numbers;
        }
        SortedMap<String, SortedMap<String, Integer>> renamed = new TreeMap<>();
        numbers.numbers().forEach((name, ports) -> name(name).ifPresent(next -> renamed.put(next, ports)));
        return new PortNumbers(renamed);
    }
}
