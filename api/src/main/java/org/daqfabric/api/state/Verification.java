package org.daqfabric.api.state;

import java.util.List;

/**
 * What a look at switches found.
 *
 * @param switches names of the switches looked at
 * @param findings ordered by switch
 * @param foreign rules that are not ours and were left alone
 * @param pairs pairs of a ROS and a DCM, each way counted, whose packets were followed through what the switches hold;
 *     0 unless every switch of the fabric was read
 * @param lost those of them that do not arrive though links would allow it, with the reason
 */
public record Verification(List<String> switches, List<Finding> findings, int foreign, int pairs, List<String> lost) {
    public Verification {
        switches = List.copyOf(switches);
        findings = List.copyOf(findings);
        lost = List.copyOf(lost);
    }
}
