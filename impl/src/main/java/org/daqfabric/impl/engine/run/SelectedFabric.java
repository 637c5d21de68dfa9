package org.daqfabric.impl.engine.run;

import java.util.Optional;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric weighed by who takes part in a partition. ROS and DCMs that do not take part keep their paths, but weigh so
 * little that they are placed around the traffic of those that do.
 */
public final class SelectedFabric {
    /** A factor: a thousand that do not take part weigh a thousandth of one that does. */
    private static final double IDLE_WEIGHT = 1e-6;

    private SelectedFabric() {
    }

    /**
     * The same fabric with the weights of those that do not take part lowered.
     *
     * @param selection who takes part; everybody if empty
     */
    public static Topology of(Topology topology, Optional<Selection> selection) {
        if (selection.isEmpty() || all(topology.spec(), selection.get())) {
            return topology;
        }
        FabricSpec spec = topology.spec();
        return new Topology(new FabricSpec(spec.name(), spec.planes(),
            spec.pods().stream().map(pod -> of(pod, selection.get())).toList(), spec.switches(), spec.links(),
            spec.policy()));
    }

    private static boolean all(FabricSpec spec, Selection selection) {
        return spec.pods().stream().allMatch(pod ->
            pod.ros().stream().allMatch(ros -> selection.ros().contains(ros.name()))
                && pod.racks().stream().flatMap(rack -> rack.dcms().stream())
                    .allMatch(dcm -> selection.dcms().contains(dcm.name())));
    }

    private static Pod of(Pod pod, Selection selection) {
        return new Pod(pod.id(), pod.ros().stream().map(ros -> of(ros, selection)).toList(),
            pod.racks().stream().map(rack -> new HltRack(rack.name(), rack.switchName(),
                rack.dcms().stream().map(dcm -> of(dcm, selection)).toList())).toList());
    }

    private static Ros of(Ros ros, Selection selection) {
        return selection.ros().contains(ros.name()) ? ros
            : new Ros(ros.name(), ros.address(), ros.switchName(), ros.fragmentWeight() * IDLE_WEIGHT);
    }

    private static Dcm of(Dcm dcm, Selection selection) {
        return selection.dcms().contains(dcm.name()) ? dcm
            : new Dcm(dcm.name(), dcm.address(), dcm.weight() * IDLE_WEIGHT, dcm.port(), dcm.mac());
    }
}
