/** What OpenDaylight's own servers listen on, put right from {@code etc/org.daqfabric.cfg}. */
package org.daqfabric.impl.listen;
