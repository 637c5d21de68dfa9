package org.daqfabric.api.run;

import java.util.Optional;

/**
 * A partition and how it is served.
 *
 * @param condition empty while it is idle or its fabric has no state yet
 */
public record PartitionState(Partition partition, Optional<Condition> condition) {
}
