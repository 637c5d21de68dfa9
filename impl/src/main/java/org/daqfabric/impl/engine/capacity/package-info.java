/**
 * What a fabric carries. In: a topology, unusable links and a placement. Out: the load of every link
 * ({@link org.daqfabric.impl.engine.capacity.Loads}) and the event bandwidth that follows from the most loaded one,
 * with the nominal bandwidth for comparison ({@link org.daqfabric.impl.engine.capacity.Capacities}).
 * {@link org.daqfabric.impl.engine.capacity.LeafSpineEquations} are the thesis's closed forms for regular fabrics.
 *
 * <p>Load and weight are as in {@link org.daqfabric.impl.engine.place}. Loads are computed here a second time, from
 * the finished routes and by physical link: the placement's own sums count a bundle as one link, and this way a
 * placement is also judged under failures that it was not made for.
 *
 * <dl>
 * <dt>bandwidth</dt><dd>Gbps arriving at all DCMs together when the bottleneck is full</dd>
 * <dt>bottleneck</dt><dd>the link with the highest relative load</dd>
 * <dt>nominal</dt><dd>the bandwidth with all links up, nothing drained and everything placed afresh</dd>
 * </dl>
 */
package org.daqfabric.impl.engine.capacity;
