package org.daqfabric.impl.controller.whatif;

import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;

/**
 * How large a fabric may be that a plan is asked for. Every switch has rules for most hosts, so what a plan takes of
 * memory and time grows by both together, and a candidate that is short to write may take all of the controller's. Who
 * configures such a fabric is responsible for its controller; who only asks may have no right to change anything.
 */
final class LargestCandidate {
    /** The heap for a rule: that of the controller as it is delivered is enough for a fabric of LHCb's size. */
    private static final int BYTES = 256;

    private LargestCandidate() {
    }

    /**
     * Refuses a candidate that is too large.
     *
     * @param heap of this controller at most, bytes
     * @throws InvalidInputException if it is
     */
    static void check(FabricSpec candidate, long heap) {
        long switches = candidate.switches().size();
        long hosts = candidate.pods().stream().mapToLong(LargestCandidate::hosts).sum();
        long most = heap / BYTES;
        if (switches * hosts > most) {
            throw new InvalidInputException(Location.input("candidate"), switches + " switches with rules for " + hosts
                + " ROS, DCMs and other hosts are " + switches * hosts + " rules, and with the heap of this controller"
                + " a plan is made for " + most + " at most: ask for a smaller fabric, or of a controller with more"
                + " heap (DAQFABRIC_HEAP)");
        }
    }

    private static long hosts(Pod pod) {
        return pod.ros().size() + pod.hosts().size() + pod.racks().stream().mapToLong(rack -> rack.dcms().size()).sum();
    }
}
