package org.daqfabric.impl.engine.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Numbers are within their ranges and list keys are not repeated, also in a fabric that did not pass YANG. */
final class RangeChecks {
    /** Gbps, and other numbers without a bound of their own. */
    static final double MAX = 1_000_000;

    private final Problems problems;
    private final NodeLocations locations;
    private final Policy.Daqring rings;

    private RangeChecks(FabricSpec spec, Problems problems) {
        this.problems = problems;
        rings = spec.policy().daqring();
        locations = NodeLocations.of(spec.name());
    }

    static void check(FabricSpec spec, Problems problems) {
        RangeChecks checks = new RangeChecks(spec, problems);
        checks.unique(spec.planes(), Plane::id, "plane", checks.locations::plane);
        checks.unique(spec.pods(), Pod::id, "pod", checks.locations::pod);
        checks.unique(spec.switches(), Switch::name, "switch", sw -> checks.locations.switchNamed(sw.name()));
        spec.planes().forEach(checks::plane);
        spec.pods().forEach(checks::pod);
        spec.links().forEach(checks::link);
        checks.policy(spec.policy());
    }

    private void plane(Plane plane) {
        within(plane.id(), 1, 255, "the id of a plane", locations.plane(plane).child("id"));
        unique(plane.spines(), Spine::id, "spine", spine -> locations.spine(plane, spine));
        unique(plane.leaves(), Leaf::pod, "leaf of pod", leaf -> locations.leaf(plane, leaf));
        for (Spine spine : plane.spines()) {
            within(spine.id(), 1, 65535, "the id of a spine", locations.spine(plane, spine).child("id"));
        }
    }

    private void pod(Pod pod) {
        within(pod.id(), 1, 65535, "the id of a pod", locations.pod(pod).child("id"));
        for (Ros ros : pod.ros()) {
            positive(ros.fragmentWeight(), "the fragment-weight of ROS '" + ros.name() + "'",
                locations.ros(pod, ros).child("fragment-weight"), "remove the ROS if it sends nothing");
        }
        unique(pod.racks(), HltRack::name, "HLT rack", rack -> locations.rack(pod, rack));
        for (HltRack rack : pod.racks()) {
            for (Dcm dcm : rack.dcms()) {
                positive(dcm.weight(), "the weight of DCM '" + dcm.name() + "'",
                    locations.dcm(pod, rack, dcm).child("weight"), "remove the DCM if it takes no events");
                DaqringOptions own = rings.ofDcms().get(dcm.address());
                if (own != null) {
                    options(own, locations.dcm(pod, rack, dcm).child("daqring"));
                }
            }
        }
    }

    private void link(Link link) {
        positive(link.capacity(), "the capacity of " + LinkChecks.text(link),
            locations.link(link.end()).child("capacity"), "set admin-state to drained to take the link out of use");
    }

    private void policy(Policy policy) {
        Location at = locations.fabric().child("policy");
        options(rings.options(), at.child("daqring"));
        policy.mtu().ifPresent(mtu -> within(mtu, 576, 65535, "mtu", locations.fabric().child("mtu")));
        within(policy.protection().bfdInterval(), 1, 60000, "bfd-interval",
            at.child("protection").child("bfd-interval"));
    }

    private void options(DaqringOptions options, Location daqring) {
        within(options.ringSize(), 1, 1_048_576, "ring-size", daqring.child("ring-size"));
        within(options.maxBurst(), 1, 65535, "max-burst", daqring.child("max-burst"));
        within(options.pollingInterval(), 0, 1_000_000, "polling-interval", daqring.child("polling-interval"));
        within(options.credit().orElse(0), 0, 1_000_000, "credit", daqring.child("credit"));
        within(options.ecnThreshold().orElse(0), 0, 1_048_576, "ecn-threshold", daqring.child("ecn-threshold"));
    }

    private void within(int value, int low, int high, String what, Location location) {
        if (value < low || value > high) {
            problems.add(location, "%s is %d: give a number from %d to %d", what, value, low, high);
        }
    }

    private void positive(double value, String what, Location location, String otherwise) {
        if (!(value > 0 && value <= MAX)) {
            problems.add(location, "%s is %s: give a number above 0 and up to 1000000, or %s", what, value, otherwise);
        }
    }

    private <T> void unique(List<T> nodes, Function<T, ?> key, String what, Function<T, Location> location) {
        Set<Object> seen = new HashSet<>();
        for (T node : nodes) {
            if (!seen.add(key.apply(node))) {
                problems.add(location.apply(node),
                    "%s '%s' is declared twice: remove one or give it another id or name", what, key.apply(node));
            }
        }
    }
}
