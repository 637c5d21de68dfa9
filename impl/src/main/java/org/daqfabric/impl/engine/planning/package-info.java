/**
 * What a fabric will do before it is built: the formulas of the thesis (G. Jereczek, Software switching for high
 * throughput data acquisition networks) and of the TCP paper (Jereczek, Lehmann Miotto, Malone, Analogues between
 * tuning TCP for Data Acquisition and Datacenter Networks), by the numbers of their equations. Symbols in the comments,
 * such as N_S or (6.8), are those of the two texts; ROS are the senders of event data and DCMs the receivers.
 *
 * <p>Numbers, or a configured fabric in place of them, flow in; sizes, rates, costs and the settings of a host flow
 * out. Every record checks the range of its inputs when it is made, and refuses with an
 * {@link org.daqfabric.impl.engine.check.InvalidInputException} that names the leaf. What an answer must not depend on
 * is the last bit of a double, see {@code Rounding}.
 */
package org.daqfabric.impl.engine.planning;
