/**
 * Run control: serves the controllers of data-taking runs, which prepare a partition (some ROS and DCMs of a fabric),
 * arm it, and start and stop runs.
 *
 * <p>In: a {@code Request} of a run controller (the rpcs are in {@code northbound}), and a {@code FabricStatus} after
 * every change of a fabric. {@link org.daqfabric.impl.runcontrol.RunControl} takes one request at a time on an event
 * loop of its own: {@code Transitions} decides, {@code RunStore} stores, then the fabric gets a {@code RunDirective}
 * (whether it is frozen, and who takes part), made by {@code PartitionRegistry} from all partitions. {@code
 * PartitionWatch} assesses how the fabrics serve the partitions and turns changes into {@code RunEvent}s. Out: a {@code
 * RunListener} gets the newest {@code PartitionState}s and the events, which {@code EventLog} has numbered.
 *
 * <p>Words: a fabric is <em>frozen</em> while a run is in progress: it is repaired and nothing else. A fabric is
 * <em>settled</em> when no repair is in progress. A {@code Refusal} answers a request that cannot be granted.
 */
package org.daqfabric.impl.runcontrol;
