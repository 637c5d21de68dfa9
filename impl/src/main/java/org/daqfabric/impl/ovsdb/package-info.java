/**
 * Brings up bridges and ports on Open vSwitch nodes by OVSDB (RFC 7047), behind
 * {@link org.daqfabric.impl.controller.BridgeDriver}.
 *
 * <p>{@link org.daqfabric.impl.ovsdb.OvsdbBridgeDriver} is the way in. A node's rows are kept as a {@code Picture};
 * {@code BridgePlan} computes from it what to change; {@code Node} sends that as one transaction and reports.
 */
package org.daqfabric.impl.ovsdb;
