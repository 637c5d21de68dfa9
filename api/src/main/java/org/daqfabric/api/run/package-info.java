/**
 * What run controllers see. A {@link org.daqfabric.api.run.Partition} is what one run controller runs at a time: the
 * ROS and DCMs that take part, its state, its run and the answers it got. A {@link org.daqfabric.api.run.Condition}
 * says how well the fabric serves it, as a list of concerns.
 *
 * <p>Partitions are stored, with the text of each answered request: the names in
 * {@link org.daqfabric.api.run.Selection} are part of that text.
 */
package org.daqfabric.api.run;
