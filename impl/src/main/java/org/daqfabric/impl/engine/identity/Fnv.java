package org.daqfabric.impl.engine.identity;

/**
 * The FNV-1a hash with 64 bits (RFC 9923), the same in every process. Callers mix the upper bits into those they use.
 */
public final class Fnv {
    /** The hash of nothing. */
    public static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Fnv() {
    }

    /** The hash of what was hashed so far and one value more. */
    public static long add(long hash, int value) {
        return (hash ^ value) * PRIME;
    }
}
