/**
 * Creates bridges and ports on Open vSwitch nodes over OVSDB (RFC 7047), behind
 * {@link org.daqfabric.impl.controller.spi.BridgeDriver}.
 *
 * <p>In flow the desired bridges ({@code put}, {@code remove}) and the rows that nodes send; out flow transactions to
 * the nodes, and to the {@link org.daqfabric.impl.controller.spi.BridgeListener} the state of nodes, bridges and ports.
 * {@link org.daqfabric.impl.ovsdb.OvsdbBridgeDriver} is the entry point. {@code PeerConnections} has all connections
 * ({@code JsonRpcConnection}, {@code OvsdbSession}); one whose peer has named its system-id goes to the {@code Node} of
 * that name, where {@code SessionArbiter} settles duplicates. A node's rows are an {@code OvsdbSnapshot}, immutable.
 * {@code BridgePlan} and {@code BridgeDiff} compute from it and the desired bridges what to change;
 * {@code NodeRemovals} has the bridges that fabrics have left: one is deleted only while it has the mark of that
 * fabric and no other fabric is configured to have it. {@code NodeTransactions} sends changes and retries; {@code
 * BridgeStatus} reads from the snapshot what to report. Each node has a {@code Mailbox}, so that its code needs no
 * locks.
 *
 * <p>Words: a <em>node</em> is an Open vSwitch instance with its system-id; a <em>peer</em> whoever is at the other end
 * of a connection, <em>unidentified</em> until it has named a system-id; an <em>orphan</em> a bridge with our mark that
 * no request mentions; to <em>dial</em> is to connect to a node that listens.
 *
 * <p>Anyone who reaches the port may connect (over TLS: may try the handshake). So {@code OvsdbSettings.Limits} and
 * {@code Timing} limit the memory and time that each peer may cost, {@code MemoryBudget} the memory of all peers
 * together, and {@code ReadThrottle} the processor time of those that send without a pause, and of all peers of an
 * address that no node of a fabric has. A peer beyond a limit is disconnected, a throttled one waits.
 *
 * <p>OpenDaylight's own OVSDB southbound plugin and library are not used for two reasons. They do not exist for the
 * OpenDaylight release that daqfabric builds on (Titanium): their newest artifacts are from 2021 and need mdsal,
 * yangtools and Guava versions that this release does not have. And the plugin's interface types are a closed list, so
 * it could not create a daqring port without a patch. {@code BridgeDriver} is the interface behind which it could take
 * this package's place.
 */
package org.daqfabric.impl.ovsdb;
