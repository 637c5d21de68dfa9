/**
 * Benchmarks of the engine by JMH, of rules into a real switch against {@code ovs-ofctl}, and counts of rules and
 * memory. In flow the fabrics of the unit tests and their generated kin; out flow JSON files, from which the
 * documentation's page of benchmarks is written. Not part of the distribution.
 */
package org.daqfabric.bench;
