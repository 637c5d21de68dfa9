package org.daqfabric.impl.ovsdb;

import java.net.InetSocketAddress;
import java.util.Set;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the bridges of a node that nobody mentions. */
final class OrphanLog {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanLog.class);

    private OrphanLog() {
    }

    static void log(DriverContext context, String systemId, InetSocketAddress at, Set<String> orphans,
            OvsdbSnapshot snapshot) {
        for (BridgeRow row : snapshot.bridges().values()) {
            if (orphans.contains(row.name()) && context.shouldLog(at, "orphan " + systemId + " " + row.name())) {
                LOG.warn("Node {} has bridge {} of fabric {}, which nobody here mentions: it is left as it is. Put its"
                    + " switch into the fabric, or remove the bridge with rpc remove-orphans", systemId, row.name(),
                    row.externalIds().get(BridgePlan.MARK));
            }
        }
    }
}
