package org.daqfabric.impl.cluster;

import java.time.Instant;

/**
 * What stands in the store of the member that holds the lease.
 *
 * @param session the life of that member's controller, from one start to the next
 * @param renewals how often it said so; that it grows shows that the holder lives
 * @param since when it became active
 */
public record LeaseTerm(String member, String address, String session, long renewals, Instant since) {
    /** The same, said once more. */
    LeaseTerm renewed() {
        return new LeaseTerm(member, address, session, renewals + 1, since);
    }
}
