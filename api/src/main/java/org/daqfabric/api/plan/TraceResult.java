package org.daqfabric.api.plan;

import java.util.List;
import java.util.Optional;

/**
 * The paths of packets between a ROS and a DCM.
 *
 * @param switched after the failures, by fast failover alone; empty if no failures were given
 * @param repaired after the failures, once the controller has repaired them; empty if no failures were given
 */
public record TraceResult(Way now, Optional<Way> switched, Optional<Way> repaired) {
    /** Both directions. */
    public record Way(Hops toDcm, Hops toRos) {
    }

    /**
     * One direction.
     *
     * @param problem why the packet does not arrive; empty if it does
     */
    public record Hops(List<Hop> hops, String problem) {
        public Hops {
            hops = List.copyOf(hops);
        }

        public boolean arrives() {
            return problem.isEmpty();
        }
    }

    /**
     * A rule that the packet matches. A switch whose daqring it passes appears twice.
     *
     * @param inPort name of the port or daqring it comes in by
     * @param outPort name of the port or daqring it leaves by
     * @param rule in the words of ovs-ofctl
     * @param group id of the group the rule points to; empty if it points to none
     * @param daqring the DCM in whose daqring the packet is put; empty if in none
     */
    public record Hop(String switchName, String inPort, String outPort, String rule, String group, String daqring) {
    }
}
