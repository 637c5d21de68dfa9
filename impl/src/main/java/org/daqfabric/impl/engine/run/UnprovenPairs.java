package org.daqfabric.impl.engine.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.state.FabricState.DcmPlacement;

/** Which of the ROS and DCMs that take part have a path that packets have not proven. */
final class UnprovenPairs {
    private UnprovenPairs() {
    }

    static List<Concern> of(List<DcmPlacement> placements, Selection selection) {
        List<Concern> concerns = new ArrayList<>();
        for (DcmPlacement dcm : placements) {
            if (selection.dcms().contains(dcm.dcm())) {
                add(concerns, dcm.dcm(), dcm.proof().missed(), selection, "packets from or to %s do not arrive, though"
                    + " there is a path: daqfabric:doctor says more");
                add(concerns, dcm.dcm(), dcm.proof().old(), selection, "no packet of the controller has proven the path"
                    + " from or to %s for longer than proof-age (etc/org.daqfabric.cfg): daqfabric:doctor says more");
            }
        }
        return concerns;
    }

    private static void add(List<Concern> concerns, String dcm, SortedSet<String> ros, Selection selection,
            String detail) {
        SortedSet<String> taking = new TreeSet<>(ros);
        taking.retainAll(selection.ros());
        if (!taking.isEmpty()) {
            concerns.add(new Concern(Concern.Kind.DCM, dcm,
                String.format(detail, "ROS " + PartitionReach.names(taking))));
        }
    }
}
