package org.daqfabric.impl.controller;

import java.util.Set;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A decision that is not in force yet.
 *
 * @param unusable the links that it does not use
 * @param pending names of links that are not used until both ends have been reported up
 */
record DecisionCandidate(Topology topology, UnusableLinks unusable, Decision decision, Set<PortId> pending) {
}
