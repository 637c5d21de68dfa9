package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.Role;

/** A link joins an edge switch to a leaf of its pod, or a leaf to a spine of its plane, and is declared once. */
final class LinkChecks {
    private final Roles roles;
    private final Problems problems;
    private final NodeLocations locations;
    private final Set<String> declared;
    private final Map<PortId, Link> byEnd = new HashMap<>();

    private LinkChecks(FabricSpec spec, Roles roles, Problems problems) {
        this.roles = roles;
        this.problems = problems;
        locations = NodeLocations.of(spec.name());
        declared = spec.switches().stream().map(Switch::name).collect(Collectors.toSet());
        spec.links().forEach(link -> byEnd.put(link.end(), link));
    }

    static void check(FabricSpec spec, Roles roles, Problems problems) {
        LinkChecks checks = new LinkChecks(spec, roles, problems);
        spec.links().forEach(checks::check);
    }

    /** Whether a link is declared once more under its other end, and this is the second of the two. */
    static boolean isSecond(Link link, Map<PortId, Link> byEnd) {
        Link other = byEnd.get(link.peer());
        return other != null && other.peer().equals(link.end()) && other.end().compareTo(link.end()) < 0;
    }

    private void check(Link link) {
        Location location = locations.link(link.end());
        if (!declared.contains(link.end().switchName())) {
            unknown(location.child("switch"), link, link.end());
        }
        if (!declared.contains(link.peer().switchName())) {
            unknown(location.child("peer-switch"), link, link.peer());
        }
        if (link.end().switchName().equals(link.peer().switchName())) {
            problems.add(location, "%s leads from switch '%s' back to itself: name the switch at the other end as "
                + "peer-switch", text(link), link.end().switchName());
        } else if (isSecond(link, byEnd)) {
            problems.add(location, "%s is declared from both ends, also as %s: remove one of the two", text(link),
                text(byEnd.get(link.peer())));
        } else if (declared.contains(link.end().switchName()) && declared.contains(link.peer().switchName())) {
            wrong(link).ifPresent(why -> problems.add(location, "%s", why));
        }
    }

    private void unknown(Location location, Link link, PortId end) {
        problems.add(location, "%s names the unknown switch '%s': declare the switch or name a declared one",
            text(link), end.switchName());
    }

    /** What is wrong with the roles of the two switches. */
    private Optional<String> wrong(Link link) {
        List<Roles.Assignment> ends = roles.of(link.end().switchName());
        List<Roles.Assignment> peers = roles.of(link.peer().switchName());
        if (ends.isEmpty() || peers.isEmpty()) {
            String spare = (ends.isEmpty() ? link.end() : link.peer()).switchName();
            return Optional.of(("%s ends at switch '%s', which has no role: name the switch as a spine, leaf, ROS or "
                + "HLT rack, or remove the link").formatted(text(link), spare));
        }
        // A switch with two roles is a node that is both, or a problem of its own: a link is right if it is for one.
        return ends.stream().flatMap(end -> peers.stream().map(peer -> wrong(link, end, peer)))
            .reduce((one, other) -> one.isEmpty() ? one : other.isEmpty() ? other : one).orElseThrow();
    }

    private Optional<String> wrong(Link link, Roles.Assignment end, Roles.Assignment peer) {
        boolean endIsLower = height(end) <= height(peer);
        return advice(endIsLower ? end : peer, endIsLower ? peer : end).map(advice ->
            "%s joins %s and %s: %s".formatted(text(link), end.description(), peer.description(), advice));
    }

    private Optional<String> advice(Roles.Assignment lower, Roles.Assignment upper) {
        if (upper.role() instanceof Role.OfSpine spine) {
            return switch (lower.role()) {
                case Role.OfLeaf leaf when leaf.plane() == spine.plane() -> Optional.empty();
                case Role.OfLeaf leaf -> Optional.of("planes are independent, link the leaf to a spine of plane "
                    + leaf.plane());
                case Role.OfSpine unused -> Optional.of("spines are not linked with each other, link each to leaves "
                    + "of its plane");
                default -> Optional.of("an edge switch is not linked to a spine, " + linkToLeaf(lower));
            };
        }
        if (upper.role() instanceof Role.OfLeaf leaf) {
            return lower.role() instanceof Role.OfLeaf
                ? Optional.of("leaves are not linked with each other, link each to spines of its plane and to edge "
                    + "switches of its pod")
                : lower.pod() == leaf.pod() ? Optional.empty()
                    : Optional.of("an edge switch is linked to leaves of its own pod, " + linkToLeaf(lower));
        }
        return Optional.of("edge switches are not linked with each other, link each to a leaf of its pod");
    }

    private String linkToLeaf(Roles.Assignment edge) {
        return "link it to " + roles.leavesOf(edge.pod());
    }

    private static int height(Roles.Assignment assignment) {
        return switch (assignment.role()) {
            case Role.OfSpine unused -> 2;
            case Role.OfLeaf unused -> 1;
            default -> 0;
        };
    }

    static String text(Link link) {
        return "link " + link.end() + " - " + link.peer();
    }
}
