/**
 * A switch simulator: hundreds of nodes with OpenFlow 1.3 and OVSDB in one process, for fabrics larger than one machine
 * can run with Open vSwitch, and for faults that Open vSwitch cannot be made to have.
 *
 * <p>In: a fabric file, and calls that cut links, power switches off and on, or make them refuse rules
 * ({@link org.daqfabric.it.sim.SimFabric}, which may be called from any thread). A {@code SimNode} is one Open vSwitch:
 * its {@code Database} is changed over an {@code OvsdbSession}, and the bridges ({@code SimSwitch}) follow the
 * database. A bridge keeps a {@code FlowTable} and a {@code GroupTable}, changed over {@code OpenFlowSession}s. Out:
 * the replies to the controller, and {@code MessageCounts} of what the switches have received. Everything runs on the
 * thread of one {@link org.daqfabric.it.sim.EventLoop}.
 *
 * <p>Words are those of Open vSwitch: a node has bridges, a bridge has ports, a device is what a port is named after.
 */
package org.daqfabric.it.sim;
