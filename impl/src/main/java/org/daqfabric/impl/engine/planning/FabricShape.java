package org.daqfabric.impl.engine.planning;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/** The numbers of a regular fabric, for which alone the equations hold. */
public final class FabricShape {
    private final FabricSpec spec;
    private final Topology topology;

    private FabricShape(FabricSpec spec) {
        this.spec = spec;
        topology = new Topology(spec);
    }

    /** The equations of a fabric; refuses one that is not regular. */
    public static LeafSpineEquations of(FabricSpec spec) {
        return new FabricShape(spec).equations();
    }

    private LeafSpineEquations equations() {
        int planes = spec.planes().size();
        final int spines = one("planes differ in spines", spec.planes(), plane -> plane.spines().size());
        int ros = one("pods differ in ROS", spec.pods(), pod -> pod.ros().size());
        int racks = one("pods differ in HLT racks", spec.pods(), pod -> pod.racks().size());
        if (ros == 0 || racks == 0) {
            throw refused("has no ROS or no HLT racks");
        }
        one("ROS differ in fragment-weight", all(spec, Pod::ros), Ros::fragmentWeight);
        one("HLT racks differ in the weight of their DCMs", all(spec, Pod::racks), FabricShape::weight);
        topology.roles().forEach((name, role) -> links(name, role, planes, spines));
        double capacity = one("links differ in capacity", spec.links(), Link::capacity);
        return new LeafSpineEquations(planes, spines, spec.pods().size(), ros * spec.pods().size(),
            racks * spec.pods().size(), capacity);
    }

    /** The checks guarantee that links lead to the right switches; this only requires exactly one to each. */
    private void links(String name, Role role, int planes, int spines) {
        int expected = switch (role) {
            case Role.OfRos unused -> planes;
            case Role.OfRack unused -> planes;
            case Role.OfBuilder unused -> throw refused("switch " + name + " is that of a ROS and of an HLT rack");
            case Role.OfHosts unused -> throw refused("switch " + name + " is that of other hosts");
            case Role.OfLeaf unused -> spines;
            default -> 0;
        };
        List<String> uppers = topology.segments(name).stream()
            .filter(segment -> segment.lower().switchName().equals(name)).map(segment -> segment.upper().switchName())
            .toList();
        if (uppers.size() != expected || new TreeSet<>(uppers).size() != expected) {
            throw refused("switch " + name + " has not exactly one link to each switch above it");
        }
    }

    private static double weight(HltRack rack) {
        return rack.dcms().stream().mapToDouble(Dcm::weight).sum();
    }

    private static <T> List<T> all(FabricSpec spec, Function<Pod, List<T>> of) {
        return spec.pods().stream().flatMap(pod -> of.apply(pod).stream()).toList();
    }

    /** The value that all have. */
    private <T, V> V one(String otherwise, Collection<T> of, Function<T, V> value) {
        List<V> values = of.stream().map(value).distinct().limit(2).toList();
        if (values.size() != 1) {
            throw refused(values.isEmpty() ? "is not complete" : otherwise);
        }
        return values.get(0);
    }

    private InvalidInputException refused(String why) {
        return new InvalidInputException("fabric", "fabric " + spec.name() + " is not regular: " + why
            + "; give the numbers themselves, or read what it carries in its state/capacity");
    }
}
