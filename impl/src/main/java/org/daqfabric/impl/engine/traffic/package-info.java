/**
 * What the rules of switches have counted of event traffic, and what follows from it. Readings go in, a
 * {@link org.daqfabric.api.state.TrafficMatrix} comes out; the functions are pure.
 */
package org.daqfabric.impl.engine.traffic;
