/**
 * Which way packets go, given a placement and what is usable. Programs, traces, loads and the placement itself follow
 * this one definition.
 */
package org.daqfabric.impl.engine.routing;
