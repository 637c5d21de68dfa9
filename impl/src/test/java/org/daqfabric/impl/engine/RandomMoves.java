package org.daqfabric.impl.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Random edits that take switches somewhere else. */
public final class RandomMoves {
    private static final int MANY = 1_000_000;

    private RandomMoves() {
    }

    /** A switch gets a bridge of another name on its node. */
    public static UnaryOperator<FabricSpec> toBridge(String switchName, Random random) {
        String bridge = "br-" + random.nextInt(MANY);
        return spec -> FabricEdits.change(spec, switchName, before ->
            FabricEdits.at(before, before.systemId(), bridge));
    }

    /** A switch gets another node, with the same ports. */
    public static UnaryOperator<FabricSpec> toNode(String switchName, Random random) {
        String systemId = "other-node-" + random.nextInt(MANY);
        return spec -> FabricEdits.change(spec, switchName, before ->
            FabricEdits.at(before, systemId, before.bridge()));
    }

    /** A spine that is not the only one of its plane; empty if no plane has two. */
    public static Optional<String> spareSpine(FabricSpec spec, Random random) {
        List<String> possible = spec.planes().stream().filter(plane -> plane.spines().size() > 1)
            .flatMap(plane -> plane.spines().stream()).map(Spine::switchName).toList();
        return possible.isEmpty() ? Optional.empty() : Optional.of(possible.get(random.nextInt(possible.size())));
    }

    /**
     * A spine becomes one of another plane, under another name: its bridge stays, and it has new links; empty if no
     * plane has two, or there is one plane only.
     */
    public static Optional<FabricSpec> toPlane(FabricSpec spec, Random random) {
        return spec.planes().size() < 2 ? Optional.empty()
            : spareSpine(spec, random).flatMap(name -> toPlane(spec, name, random));
    }

    /** The same of one spine. */
    public static Optional<FabricSpec> toPlane(FabricSpec spec, String name, Random random) {
        List<Plane> others = spec.planes().stream().filter(plane -> plane.spines().stream()
            .noneMatch(spine -> spine.switchName().equals(name))).toList();
        if (others.isEmpty()) {
            return Optional.empty();
        }
        Plane to = others.get(random.nextInt(others.size()));
        String newName = "moved-spine-" + random.nextInt(MANY);
        int id = 1 + spec.planes().stream().flatMap(plane -> plane.spines().stream()).mapToInt(Spine::id).max()
            .orElse(0);
        FabricSpec rest = FabricEdits.withoutSpine(spec, name);
        List<Plane> planes = rest.planes().stream().map(plane -> {
            if (plane.id() != to.id()) {
                return plane;
            }
            List<Spine> spines = new ArrayList<>(plane.spines());
            spines.add(new Spine(id, newName));
            return new Plane(plane.id(), spines, plane.leaves());
        }).toList();
        List<Link> links = new ArrayList<>(rest.links());
        to.leaves().forEach(leaf -> links.add(new Link(new PortId(leaf.switchName(), leaf.switchName() + newName),
            new PortId(newName, newName + leaf.switchName()), 10, AdminState.IN_SERVICE)));
        List<Switch> switches = new ArrayList<>(rest.switches());
        spec.switches().stream().filter(each -> each.name().equals(name))
            .forEach(each -> switches.add(each.withName(newName)));
        return Optional.of(new FabricSpec(rest.name(), planes, rest.pods(), switches, links, rest.policy()));
    }
}
