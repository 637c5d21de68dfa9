/**
 * A configured fabric, indexed for the engine: the roles of switches, the addresses and their edge switches, and the
 * segments between switches. A <i>segment</i> is a link with its ends ordered by the structure of the fabric: the lower
 * on an edge switch or leaf, the upper on a leaf or spine. Immutable.
 */
package org.daqfabric.impl.engine.topology;
