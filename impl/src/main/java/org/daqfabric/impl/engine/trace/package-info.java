/**
 * Follows packets through programs, computed or read from switches, by the rules of OpenFlow and the cabling alone. It
 * knows nothing of placements or of the compiler, so that it can judge them. A <i>path</i> is the sequence of switches
 * that a packet takes. A {@code Trace} indexes rules when they are first needed and is used by one thread.
 */
package org.daqfabric.impl.engine.trace;
