package org.daqfabric.impl.cluster;

import java.time.Instant;

/**
 * The stored claim of the member that holds the lease.
 *
 * @param session identifies the life of that member's controller, from start to stop
 * @param renewals number of claims and renewals; while it grows the holder is alive
 * @param since when it became active
 */
public record LeaseTerm(String member, String address, String session, long renewals, Instant since) {
    /** The same term, renewed once more. */
    LeaseTerm renewed() {
        return new LeaseTerm(member, address, session, renewals + 1, since);
    }
}
