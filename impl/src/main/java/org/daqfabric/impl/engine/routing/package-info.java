/**
 * The paths that packets take, given a placement and the usable links. This is the only definition of them: programs,
 * traces, loads and the placement itself follow it. Pure functions; {@code UsableFabric} has the same fabric as arrays
 * for those that ask often.
 */
package org.daqfabric.impl.engine.routing;
