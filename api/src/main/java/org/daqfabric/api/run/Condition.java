package org.daqfabric.api.run;

import java.util.List;

/**
 * How well a fabric serves a partition.
 *
 * @param achievable Gbps that the enabled ROS can send to the enabled DCMs now
 * @param nominal the same with every link up
 * @param concerns what is missing or impaired, ordered by kind and name
 */
public record Condition(double achievable, double nominal, List<Concern> concerns) {
    public Condition {
        concerns = List.copyOf(concerns);
    }

    public Health health() {
        return concerns.stream().anyMatch(concern -> concern.kind().isSevere()) ? Health.INSUFFICIENT
            : concerns.isEmpty() ? Health.OK : Health.DEGRADED;
    }
}
