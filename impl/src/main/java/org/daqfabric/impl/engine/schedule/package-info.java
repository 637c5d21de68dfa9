/**
 * In which order nodes send to each other. In: a topology, unusable links and a placement. Out: a
 * {@link org.daqfabric.api.plan.Schedule}: phases in which no two packets need the same link.
 *
 * <p>A <i>transfer</i> is a fragment from a ROS to a DCM of another node, by the path that
 * {@link org.daqfabric.impl.engine.routing.Routing} gives it. In a phase every node sends one transfer and receives one
 * at most, and a link carries as many as its capacity holds. This is colouring the edges of a bipartite multigraph,
 * with links as a further constraint: {@code Transfers} is the graph, {@code Colouring} gives each transfer its colour.
 */
package org.daqfabric.impl.engine.schedule;
