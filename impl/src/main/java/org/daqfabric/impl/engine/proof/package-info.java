/**
 * Proof that packets pass: which packets to send so that each direction of each link carries some, and which direction
 * is silent when some do not arrive.
 */
package org.daqfabric.impl.engine.proof;
