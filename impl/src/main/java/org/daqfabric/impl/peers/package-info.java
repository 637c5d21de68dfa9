/**
 * What peers may cost that connect to the controller, before and after they have said who they are: the same for OVSDB
 * and OpenFlow. {@code Places} decides which connections are kept where there are too many, {@code Arrivals} how fast
 * an address may connect, {@code Allowance} how often something may happen, {@code Credit} how long a peer may keep a
 * thread busy, and {@code AddressCredit} how long all peers of an address may. {@code Refusals} counts, tells and logs
 * what was refused.
 *
 * <p>Words: a <em>stranger</em> has not said who it is; a peer is <em>wanted</em> if it is a node or switch of a
 * fabric, and an address if a wanted peer has it.
 */
package org.daqfabric.impl.peers;
