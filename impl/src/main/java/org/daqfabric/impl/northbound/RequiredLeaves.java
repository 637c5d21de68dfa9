package org.daqfabric.impl.northbound;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.FabricConfiguration;

/** The mandatory leaves; without them no {@link org.daqfabric.api.spec.FabricSpec} can be made and checked. */
final class RequiredLeaves {
    private final List<Problem> problems = new ArrayList<>();

    private RequiredLeaves() {
    }

    static List<Problem> missing(FabricConfiguration fabric, Location location) {
        RequiredLeaves leaves = new RequiredLeaves();
        fabric.nonnullPlane().values().forEach(plane -> {
            Location at = location.entry("plane", "id", plane.requireId().getValue());
            plane.nonnullSpine().values().forEach(spine ->
                leaves.require(spine.getSwitch(), at.entry("spine", "id", spine.requireId().getValue()), "switch"));
            plane.nonnullLeaf().values().forEach(leaf ->
                leaves.require(leaf.getSwitch(), at.entry("leaf", "pod", leaf.requirePod().getValue()), "switch"));
        });
        fabric.nonnullPod().values().forEach(pod -> {
            Location at = location.entry("pod", "id", pod.requireId().getValue());
            pod.nonnullRos().values().forEach(ros -> {
                Location node = at.entry("ros", "name", ros.requireName().getValue());
                leaves.require(ros.getAddress(), node, "address");
                leaves.require(ros.getSwitch(), node, "switch");
            });
            pod.nonnullHltRack().values().forEach(rack -> {
                Location node = at.entry("hlt-rack", "name", rack.requireName().getValue());
                leaves.require(rack.getSwitch(), node, "switch");
                rack.nonnullDcm().values().forEach(dcm ->
                    leaves.require(dcm.getAddress(), node.entry("dcm", "name", dcm.requireName().getValue()),
                        "address"));
            });
            pod.nonnullHost().values().forEach(host -> {
                Location node = at.entry("host", "name", host.requireName().getValue());
                leaves.require(host.getAddress(), node, "address");
                leaves.require(host.getSwitch(), node, "switch");
            });
        });
        fabric.nonnullFlow().values().forEach(flow -> {
            Location node = location.entry("flow", "name", flow.requireName().getValue());
            leaves.require(flow.getFrom(), node, "from");
            leaves.require(flow.getTo(), node, "to");
            leaves.require(flow.getAmount(), node, "rate or share");
        });
        fabric.nonnullLink().values().forEach(link -> {
            Location node = location.entry("link", "switch", link.requireSwitch().getValue(),
                "port", link.requirePort().getValue());
            leaves.require(link.getPeerSwitch(), node, "peer-switch");
            leaves.require(link.getPeerPort(), node, "peer-port");
        });
        return leaves.problems;
    }

    private void require(Object value, Location location, String leaf) {
        if (value == null) {
            problems.add(new Problem(location, "the leaf " + leaf + " is missing: add it"));
        }
    }
}
