package org.daqfabric.impl.engine.identity;

import java.nio.charset.StandardCharsets;

/**
 * The datapath-ids of switches. Each is a hash of the fabric's name, the node's system-id and the bridge's name. So it
 * is the same in every controller and after every restart, and a bridge that its fabric has left, but that still
 * exists, does not have the id of the one in its place. Its 48 bits are also the bridge's Ethernet address, locally
 * administered and unicast.
 */
public final class DatapathIds {
    private static final long LOCALLY_ADMINISTERED = 0x02L << 40;
    private static final long HASHED = (1L << 40) - 1;

    private DatapathIds() {
    }

    /** The id of a bridge on a node. */
    public static long of(String fabric, String systemId, String bridge) {
        return hash(fabric, systemId, bridge);
    }

    /** The id that a switch had by its name, before bridges had identities. */
    static long ofName(String fabric, String switchName) {
        return hash(fabric, switchName);
    }

    private static long hash(String... names) {
        long hash = Fnv.OFFSET_BASIS;
        // the zero byte keeps ("a", "bc") and ("ab", "c") apart
        for (byte octet : String.join("\0", names).getBytes(StandardCharsets.UTF_8)) {
            hash = Fnv.add(hash, octet & 0xff);
        }
        return LOCALLY_ADMINISTERED | (hash ^ hash >>> 40) & HASHED;
    }
}
