package org.daqfabric.impl.engine.compile;

import java.nio.charset.StandardCharsets;
import org.daqfabric.api.spec.Mac;

/**
 * The datapath-id of every switch, made from its name alone so that it is the same in every controller and after every
 * restart: 48 bits that are also the bridge's (locally administered, unicast) Ethernet address.
 */
public final class DatapathIds {
    private static final long LOCALLY_ADMINISTERED = 0x02L << 40;
    private static final long HASHED = (1L << 40) - 1;

    private DatapathIds() {
    }

    public static long of(String fabric, String switchName) {
        long hash = 0xcbf29ce484222325L;
        // FNV-1a; the zero byte keeps ("a", "bc") and ("ab", "c") apart
        for (byte octet : (fabric + '\0' + switchName).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ octet & 0xff) * 0x100000001b3L;
        }
        return LOCALLY_ADMINISTERED | (hash ^ hash >>> 40) & HASHED;
    }

    /** The Ethernet address of the bridge's own port. */
    public static Mac mac(String fabric, String switchName) {
        return new Mac(of(fabric, switchName));
    }
}
