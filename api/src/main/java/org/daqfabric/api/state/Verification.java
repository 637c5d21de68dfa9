package org.daqfabric.api.state;

import java.util.List;

/**
 * The result of reading switches and comparing them with what they must hold.
 *
 * @param switches names of the switches read
 * @param findings ordered by switch
 * @param foreign rules of others, which were left alone
 * @param pairs pairs of a ROS and a DCM, each direction counted, whose packets were followed through what the switches
 *     hold; 0 unless every switch of the fabric was read
 * @param lost those pairs whose packets do not arrive although the usable links allow it, with the reason
 */
public record Verification(List<String> switches, List<Finding> findings, int foreign, int pairs, List<String> lost) {
    public Verification {
        switches = List.copyOf(switches);
        findings = List.copyOf(findings);
        lost = List.copyOf(lost);
    }
}
