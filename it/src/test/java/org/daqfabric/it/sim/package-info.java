/**
 * A switch simulator: OpenFlow 1.3 and OVSDB peers, hundreds in one process, for fabrics larger than one machine can hold
 * in real Open vSwitch, and for faults that Open vSwitch cannot be asked to have. Everything happens on one thread, the
 * {@link org.daqfabric.it.sim.Loop}'s; what others may call says so.
 */
package org.daqfabric.it.sim;
