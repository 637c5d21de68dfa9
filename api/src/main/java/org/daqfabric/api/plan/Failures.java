package org.daqfabric.api.plan;

import java.util.List;
import java.util.Optional;
import org.daqfabric.api.spec.Link;

/**
 * What would be left of a fabric if any one link or switch failed.
 *
 * @param bandwidth Gbps now
 * @param worstFirst most DCMs, ROS and flows cut off, then least bandwidth left, then most DCMs moved
 */
public record Failures(double bandwidth, List<Failure> worstFirst) {
    public Failures {
        worstFirst = List.copyOf(worstFirst);
    }

    /**
     * One failure, and the fabric once the controller has repaired it.
     *
     * @param link what fails; empty if a switch does
     * @param switchName the switch that fails; that of the link's end if a link does
     * @param bandwidth Gbps left
     * @param utilisation that divided by what the fabric offers with every link up, 0..1
     * @param movedDcms DCMs that change plane or spine
     * @param cutOffDcms those that no ROS reaches, or not every ROS that reaches some DCM; ordered by name
     * @param cutOffRos those that reach no DCM, ordered by name
     * @param cutOffFlows those of which some sender does not reach some receiver, ordered by name
     */
    public record Failure(Optional<Link> link, String switchName, double bandwidth, double utilisation, int movedDcms,
            List<String> cutOffDcms, List<String> cutOffRos, List<String> cutOffFlows) {
        public Failure {
            cutOffDcms = List.copyOf(cutOffDcms);
            cutOffRos = List.copyOf(cutOffRos);
            cutOffFlows = List.copyOf(cutOffFlows);
        }
    }
}
