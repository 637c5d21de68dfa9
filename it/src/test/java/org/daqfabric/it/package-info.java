/**
 * Integration tests: the built distribution with switches of Open vSwitch (the lab) or simulated ones.
 *
 * <p>{@link org.daqfabric.it.SharedController} gives tests a running {@code Distribution} and a {@code Lab}, which
 * starts the switches of a {@code FabricFile} as a {@code LabFabric}; {@code SimulatedFabric} is its counterpart with
 * package {@code sim}. Tests talk to the controller only from outside: over {@code Restconf}, {@code Shell}, {@code
 * Browser}, {@code Scrape} and {@code EventStream}. {@code FuzzIT} and {@code FaultIT} are random and seeded. {@code
 * SizeBench} and {@code Soak} are programs, not tests.
 */
package org.daqfabric.it;
