package org.daqfabric.impl.engine;

import java.util.stream.LongStream;

/** Seeds of generated cases: {@code -Ddaqfabric.seed=N} for one, else a fixed and a fresh one. */
public final class Seeds {
    private Seeds() {
    }

    /** For a method source; the seed stands in the display name of the test. */
    public static LongStream seeds() {
        Long given = Long.getLong("daqfabric.seed");
        return given != null ? LongStream.of(given) : LongStream.of(1, System.nanoTime());
    }
}
