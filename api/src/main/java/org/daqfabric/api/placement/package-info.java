/**
 * What is decided for a fabric: a {@link org.daqfabric.api.placement.Placement} holds the route of every address and
 * its lanes, {@link org.daqfabric.api.placement.PortNumbers} the OpenFlow numbers of ports. Both depend on history and
 * are stored before anything acts on them. {@link org.daqfabric.api.placement.UnusableLinks} goes into a placement,
 * {@link org.daqfabric.api.placement.Capacity} says what it offers.
 *
 * <p>A route names planes in order and a spine with a backup per plane. A lane is the one of several parallel links, a
 * bundle, that an address uses.
 */
package org.daqfabric.api.placement;
