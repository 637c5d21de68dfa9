/**
 * How well a fabric serves a partition. A {@code FabricStatus} and a partition go in, a
 * {@link org.daqfabric.api.run.Condition} comes out; {@code SelectedFabric} weighs a fabric for placement by who takes
 * part. The functions are pure but for {@code Assessment}, which remembers the results of the status before: most
 * changes of a fabric's state leave bandwidth and reachability as they are. Use one per partition, from one thread.
 */
package org.daqfabric.impl.engine.run;
