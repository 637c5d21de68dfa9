package org.daqfabric.impl.engine.run;

import java.util.Optional;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
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
        Selection chosen = selection.get();
        return new Topology(topology.spec().weighed(
            ros -> chosen.ros().contains(ros.name()) ? ros.fragmentWeight() : ros.fragmentWeight() * IDLE_WEIGHT,
            dcm -> chosen.dcms().contains(dcm.name()) ? dcm.weight() : dcm.weight() * IDLE_WEIGHT));
    }

    private static boolean all(FabricSpec spec, Selection selection) {
        return spec.pods().stream().allMatch(pod ->
            pod.ros().stream().allMatch(ros -> selection.ros().contains(ros.name()))
                && pod.racks().stream().flatMap(rack -> rack.dcms().stream())
                    .allMatch(dcm -> selection.dcms().contains(dcm.name())));
    }
}
