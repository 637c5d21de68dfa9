/** What a fabric carries: link loads under a placement, event bandwidth, and the thesis's closed forms of it. */
package org.daqfabric.impl.engine.capacity;
