package org.daqfabric.impl.users;

import java.util.Map;

/**
 * What a member knows between two looks at its rows, and between two runs.
 *
 * @param seen its own rows as they were at the last look; what differs then was changed here
 */
record Remembered(Ledger ledger, Map<RowId, Row> seen) {
    Remembered {
        seen = Map.copyOf(seen);
    }
}
