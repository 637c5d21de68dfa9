/**
 * Brings up bridges and ports on Open vSwitch nodes by OVSDB (RFC 7047), behind
 * {@link org.daqfabric.impl.controller.BridgeDriver}.
 *
 * <p>{@link org.daqfabric.impl.ovsdb.OvsdbBridgeDriver} is the way in. A node's rows are kept as a {@code Picture};
 * {@code BridgePlan} computes from it what to change; {@code Node} sends that as one transaction and reports.
 *
 * <p>Anyone may connect who reaches the port (over TLS: anyone, until the handshake). So a peer has limits, in
 * {@code OvsdbSettings.Limits} and {@code Timing}, of size and time for itself; {@code Holdings} bounds the memory of all
 * peers together and {@code Pace} the processor time of those that never pause. Whoever passes one is put out.
 */
package org.daqfabric.impl.ovsdb;
