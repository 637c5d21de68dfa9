/**
 * The fabric in models that others know: {@code opendaylight-inventory}, {@code network-topology}, and as an export
 * those of RFC 8345.
 *
 * <p>{@code ShownFabric} is what the models share, made of the controller's records by a pure function; {@code
 * InventoryTree} and {@code TopologyTree} turn it into nodes of YANG, {@code ViewChange} finds what differs between two
 * views, and {@code StandardViews} brings that into the operational datastore.
 */
package org.daqfabric.impl.northbound.views;
