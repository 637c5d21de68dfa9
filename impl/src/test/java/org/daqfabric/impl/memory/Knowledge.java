package org.daqfabric.impl.memory;

import java.util.Set;
import org.daqfabric.api.spec.PortId;

/**
 * What the controller knew when it sent something.
 *
 * @param down links with an end that was reported down
 * @param unread switches that may have lost rules and have not been read since
 * @param away switches that forward and are not connected over OpenFlow
 */
public record Knowledge(Set<PortId> down, Set<String> unread, Set<String> away) {
}
