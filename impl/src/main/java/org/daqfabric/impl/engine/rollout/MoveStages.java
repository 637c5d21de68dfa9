package org.daqfabric.impl.engine.rollout;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The configurations through which a fabric goes to one in which leaves or spines move: they get another node, bridge,
 * datapath type or role. First whatever has another path takes it, as if the operator had drained those switches, then
 * they move. If all of them at once would leave some hosts without a path, they move plane by plane. Hosts that have no
 * other path lose theirs as soon as that helps others, else only while the switches move.
 */
public final class MoveStages {
    private MoveStages() {
    }

    /**
     * The configuration to put in force next: the target, one on the way to it, or the one in force, which means to
     * wait until links of switches that have moved are up. An edge switch has no other path and moves with the target.
     *
     * @param unusable the links that must not be used now
     */
    public static FabricSpec next(Topology inForce, FabricSpec target, UnusableLinks unusable) {
        return next(inForce, target, unusable, UnusableLinks.ALL_UP);
    }

    /** The same when links that are down have been waited for in vain: it never is the one in force. */
    public static FabricSpec nextWithoutWaiting(Topology inForce, FabricSpec target, UnusableLinks unusable) {
        return next(inForce, target, unusable, unusable);
    }

    /** The same, if {@code later} are the links that still must not be used after a wait. */
    private static FabricSpec next(Topology inForce, FabricSpec target, UnusableLinks unusable, UnusableLinks later) {
        SortedSet<String> moving = moving(inForce, target);
        SortedSet<String> undrained = undrained(inForce.spec(), moving);
        if (undrained.isEmpty()) {
            return target;
        }
        if (keepsPaths(inForce, undrained, unusable)) {
            return drained(inForce.spec(), undrained);
        }
        for (int plane : inForce.planes()) {
            SortedSet<String> ofPlane = ofPlane(inForce, moving, plane);
            SortedSet<String> carrying = undrained(inForce.spec(), ofPlane);
            FabricSpec moved = moved(inForce.spec(), target, ofPlane);
            if (carrying.isEmpty() && !moved.equals(inForce.spec())) {
                return moved;
            }
            if (!carrying.isEmpty() && keepsPaths(inForce, carrying, unusable)) {
                return drained(inForce.spec(), carrying);
            }
        }
        boolean laterPossible = inForce.planes().stream().anyMatch(plane -> {
            SortedSet<String> ofPlane = ofPlane(inForce, undrained, plane);
            return !ofPlane.isEmpty() && keepsPaths(inForce, ofPlane, later);
        });
        return laterPossible ? inForce.spec() : whereSomeHaveNoOtherPath(inForce, target, moving, unusable,
            later);
    }

    /** What comes next if some hosts lose their path whatever comes next, but not all. */
    private static FabricSpec whereSomeHaveNoOtherPath(Topology inForce, FabricSpec target, Set<String> moving,
            UnusableLinks unusable, UnusableLinks later) {
        for (int plane : inForce.planes()) {
            SortedSet<String> ofPlane = ofPlane(inForce, moving, plane);
            SortedSet<String> carrying = undrained(inForce.spec(), ofPlane);
            SortedSet<String> avoidable = new TreeSet<>(carrying);
            avoidable.removeIf(name -> !isAvoidable(inForce, name, later));
            FabricSpec next = avoidable.isEmpty() ? moved(inForce.spec(), target, ofPlane)
                : drained(inForce.spec(), avoidable);
            if (!next.equals(inForce.spec()) && !(avoidable.isEmpty() && carrying.equals(ofPlane))) {
                boolean laterBetter = lost(inForce, carrying, unusable) > lost(inForce, carrying, later);
                return laterBetter ? inForce.spec() : next;
            }
        }
        return target;
    }

    /** Whether some of the pairs of hosts that a switch can carry have another path, too. */
    private static boolean isAvoidable(Topology inForce, String name, UnusableLinks unusable) {
        boolean isSpine = inForce.roles().get(name) instanceof Role.OfSpine;
        Set<String> others = inForce.roles().keySet().stream().filter(other -> !other.equals(name)
            && switch (inForce.roles().get(other)) {
                case Role.OfLeaf leaf -> leaf.plane() != plane(inForce, name);
                case Role.OfSpine spine -> isSpine && spine.plane() == plane(inForce, name);
                default -> false;
            }).collect(Collectors.toSet());
        Topology alone = new Topology(drained(inForce.spec(), others));
        return lost(alone, Set.of(name), unusable) > lost(inForce, Set.of(name), unusable);
    }

    /** The leaves and spines that move. */
    public static SortedSet<String> moving(Topology inForce, FabricSpec target) {
        Topology next = new Topology(target);
        Map<String, Switch> after = target.switches().stream().collect(Collectors.toMap(Switch::name, each -> each));
        SortedSet<String> moving = new TreeSet<>();
        for (Switch before : inForce.spec().switches()) {
            Switch now = after.get(before.name());
            Role role = inForce.roles().get(before.name());
            if (isInside(role) && now != null
                    && !(isSameBridge(before, now) && role.equals(next.roles().get(now.name())))) {
                moving.add(before.name());
            }
        }
        return moving;
    }

    /** Whether leaves or spines move or leave; one that moves under another name leaves. */
    public static boolean concerns(Topology inForce, FabricSpec target) {
        return !moving(inForce, target).isEmpty() || inForce.spec().switches().stream()
            .filter(before -> isInside(inForce.roles().get(before.name())))
            .anyMatch(before -> target.switches().stream().noneMatch(now -> isSameBridge(before, now)));
    }

    private static boolean isInside(Role role) {
        return role instanceof Role.OfSpine || role instanceof Role.OfLeaf;
    }

    private static boolean isSameBridge(Switch before, Switch now) {
        return before.systemId().equals(now.systemId()) && before.bridge().equals(now.bridge())
            && before.datapathType() == now.datapathType();
    }

    private static int plane(Topology topology, String switchName) {
        return switch (topology.roles().get(switchName)) {
            case Role.OfSpine spine -> spine.plane();
            case Role.OfLeaf leaf -> leaf.plane();
            default -> 0;
        };
    }

    private static SortedSet<String> undrained(FabricSpec spec, Set<String> names) {
        return spec.switches().stream().filter(each -> each.adminState() != AdminState.DRAINED).map(Switch::name)
            .filter(names::contains).collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> ofPlane(Topology inForce, Set<String> names, int plane) {
        return names.stream().filter(name -> plane(inForce, name) == plane)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean keepsPaths(Topology inForce, Set<String> without, UnusableLinks unusable) {
        return lost(inForce, without, unusable) == 0;
    }

    /** How many pairs of hosts have no path without some switches. */
    private static int lost(Topology inForce, Set<String> without, UnusableLinks unusable) {
        return new UsableFabric(inForce, unusable).connectedPairs()
            - new UsableFabric(new Topology(drained(inForce.spec(), without)), unusable).connectedPairs();
    }

    private static FabricSpec drained(FabricSpec spec, Set<String> names) {
        return change(spec, each -> names.contains(each.name()) ? each.withState(AdminState.DRAINED) : each);
    }

    private static FabricSpec moved(FabricSpec spec, FabricSpec target, Set<String> names) {
        Map<String, Switch> after = target.switches().stream().collect(Collectors.toMap(Switch::name, each -> each));
        return change(spec, each -> names.contains(each.name()) ? after.get(each.name()) : each);
    }

    private static FabricSpec change(FabricSpec spec, UnaryOperator<Switch> how) {
        List<Switch> switches = spec.switches().stream().map(how).toList();
        return spec.with(switches, spec.links());
    }
}
