package org.daqfabric.impl.engine;

import java.util.stream.LongStream;

/**
 * Seeds of generated cases: {@code -Ddaqfabric.seed=N} for one, {@code fresh} for one never used before. Else always the
 * same: a build must not fail by what it did not change.
 */
public final class Seeds {
    /** {@link #seeds} for a method source; the seed stands in the display name of the test. */
    public static final String SOURCE = "org.daqfabric.impl.engine.Seeds#seeds";

    private Seeds() {
    }

    public static LongStream seeds() {
        String given = System.getProperty("daqfabric.seed", "");
        return given.isEmpty() ? LongStream.of(1, 2)
            : LongStream.of(given.equals("fresh") ? System.nanoTime() : Long.parseLong(given));
    }
}
