/**
 * Chooses the route of every address: planes in order, and in each a spine with a backup. Pure functions; the same
 * input gives the same placement.
 *
 * <h2>What flows in and out</h2>
 * {@link org.daqfabric.impl.engine.place.Placer} takes the topology, the links that placement must not use, the
 * previous placement and a {@link org.daqfabric.impl.engine.place.Scope}: whether only addresses touched by a failure
 * may move. It returns a {@link org.daqfabric.api.placement.Placement}: routes and lanes. What follows is done twice,
 * for the events to the DCMs and for the requests to the ROS; only lanes are chosen for both together.
 *
 * <h2>From capacities to routes</h2>
 * <ol>
 * <li>{@code PlacementModel} numbers addresses, groups of sources and links, and takes the capacities of usable
 * links. {@code PreviousPlacement} expresses the previous placement in these numbers and finds what of it is intact.
 * <li>{@code HostRoutes} places other hosts, and {@code HostLoads} is what their flows take of links: capacities are
 * less by it.
 * <li>{@code Solver} finds the active routes, which carry traffic now. It makes up to four candidates, each in a
 * {@code PlacementState}: intact routes are kept, {@code Waterfill} gives each of the other addresses the least
 * loaded plane and spine, {@code HotLinkSearch} moves addresses off the most loaded links until {@code LowerBound} is
 * reached or nothing helps, and {@code MoveReduction} undoes moves that gain nothing. The best candidate is taken.
 * {@code LimitedMoves} goes from a repair to a better solution by a limited number of moves. {@code RoundRobin} is
 * the algorithm of the thesis in place of {@code Solver}, for comparison.
 * <li>Where the policy places by pod, {@code PodSolver} does this for flows, each from the sources of one pod to one
 * address, in a {@code PodState}: it begins with the solution for whole addresses or with the flows that
 * {@code PodPrevious} finds intact, {@code PodFill} places the others, {@code PodSearch} lowers the highest load until
 * {@code PodBound} is reached or nothing helps, and
 * {@code PodRoutes} makes one route per address of it, and further ones for pods that differ. {@code PodMoves} is
 * {@code LimitedMoves} for it.
 * <li>{@code StandbyRoutes} adds what an address uses after a failure: its next plane and the backup of its spine,
 * found by {@code FailureRehearsal}, and the further planes, spread evenly by {@code BinSpread}. A {@code RouteTable}
 * holds the result and makes the routes.
 * <li>{@code LaneSpread} chooses one of several parallel links for each address, also by {@code BinSpread}.
 * <li>{@link org.daqfabric.impl.engine.place.SpineRepair} is another way from a previous placement: after the loss of
 * links it replaces no more than the spines that were lost.
 * <li>Where the rules of ROS switches are compressed, {@code PrefixNeighbours} exchanges routes between
 * interchangeable new DCMs.
 * </ol>
 *
 * <h2>Objectives, in the order of Placer</h2>
 * <ol>
 * <li>Fewest addresses without a path: {@code Waterfill} extends each route until no more sources can be served; the
 * later steps replace a route only by one that serves as many sources.
 * <li>Lowest highest load: the comparison of candidates in {@code Solver}; {@code Waterfill} and
 * {@code HotLinkSearch} bring it down. Among candidates with equal load the one with fewer addresses on partial
 * spines is better.
 * <li>Fewest moves, then moves within the plane: the same comparison. Candidates start from the previous placement;
 * only if none of them reaches the bound, and all addresses may move, others start from scratch. {@code MoveReduction}
 * then brings each closer to the previous placement.
 * <li>Lowest load after any single failure: {@code StandbyRoutes}. It never changes an active route.
 * <li>Ties by name: addresses and indexes are in the order of names and ids, and the first of equals is taken.
 * </ol>
 *
 * <h2>Words</h2>
 * <dl>
 * <dt>source, address</dt><dd>an edge switch that sends, and a DCM or ROS that receives; both have weights</dd>
 * <dt>load</dt><dd>of a link: the sum of source weight times address weight over the pairs that use it; relative load
 * is load by capacity</dd>
 * <dt>plane choice</dt><dd>a plane, and a spine in it: one element of an active route</dd>
 * <dt>active route</dt><dd>the plane choices that carry traffic to an address; one, unless its plane has lost
 * sources</dd>
 * <dt>standby</dt><dd>the rest of a route: planes, spines and backups that are used after a failure</dd>
 * <dt>complete, partial</dt><dd>a spine that joins the pod of an address to all sources of other pods that the plane
 * serves, or only to some of them</dd>
 * <dt>intact</dt><dd>a choice of the previous placement that no failure touches</dd>
 * <dt>interchangeable</dt><dd>addresses with the same edge switch and weight</dd>
 * </dl>
 */
package org.daqfabric.impl.engine.place;
