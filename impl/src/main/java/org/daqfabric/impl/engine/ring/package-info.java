/** What daqrings hold, and how long that takes to leave. Pure functions. */
package org.daqfabric.impl.engine.ring;
