package org.daqfabric.api.state;

import java.time.Instant;
import java.util.Optional;
import org.daqfabric.api.spec.Switch.OvsdbAddress;

/**
 * A bridge that its fabric has left and that is still to be removed from its node.
 *
 * @param address where the controller connects to the node; empty if the node connects to the controller
 * @param since when the fabric left it
 */
public record PendingRemoval(MarkedBridge bridge, Optional<OvsdbAddress> address, Instant since) {
}
