/**
 * Decides which member of a cluster of controllers is active, that is, may change switches, and when.
 *
 * <p>In flows the lease as it stands in the datastore ({@code LeaseStore}, implemented in {@code northbound}) and the
 * time; out flow claims of the lease, and to the {@code ActiveRole} the order to begin, pause, resume or end.
 * {@code Lease} is the pure rule, {@code Leadership} applies it, {@code Member} is this controller's place in the
 * cluster.
 *
 * <p>Words: a <em>member</em> is one controller of the cluster; it is <em>active</em> or <em>stands by</em>; the
 * <em>lease</em> is the right to be active for some seconds; a <em>term</em> is an entry of it in the store, which the
 * holder <em>renews</em>; a <em>session</em> is a controller's life from start to stop.
 */
package org.daqfabric.impl.cluster;
