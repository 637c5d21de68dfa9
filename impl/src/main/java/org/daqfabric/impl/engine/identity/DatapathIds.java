package org.daqfabric.impl.engine.identity;

import java.nio.charset.StandardCharsets;
import org.daqfabric.api.spec.Mac;

/**
 * The datapath-ids of switches. Each is a hash of the fabric's and the switch's names alone, so it is the same in every
 * controller and after every restart. Its 48 bits are also the bridge's Ethernet address, locally administered and
 * unicast.
 */
public final class DatapathIds {
    private static final long LOCALLY_ADMINISTERED = 0x02L << 40;
    private static final long HASHED = (1L << 40) - 1;

    private DatapathIds() {
    }

    public static long of(String fabric, String switchName) {
        long hash = Fnv.OFFSET_BASIS;
        // the zero byte keeps ("a", "bc") and ("ab", "c") apart
        for (byte octet : (fabric + '\0' + switchName).getBytes(StandardCharsets.UTF_8)) {
            hash = Fnv.add(hash, octet & 0xff);
        }
        return LOCALLY_ADMINISTERED | (hash ^ hash >>> 40) & HASHED;
    }

    /** The Ethernet address of the bridge's own port. */
    public static Mac mac(String fabric, String switchName) {
        return new Mac(of(fabric, switchName));
    }
}
