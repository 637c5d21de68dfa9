/**
 * What a fabric will do before it is built: the formulas of the thesis (G. Jereczek, Software switching for high
 * throughput data acquisition networks) and of the TCP paper (Jereczek, Lehmann Miotto, Malone, Analogues between tuning
 * TCP for Data Acquisition and Datacenter Networks), by the numbers of their equations.
 */
package org.daqfabric.impl.engine.planning;
