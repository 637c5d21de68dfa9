package org.daqfabric.impl.engine;

import java.util.stream.LongStream;

/**
 * Seeds of generated cases: {@code -Ddaqfabric.seed=N} sets one, {@code fresh} takes a new one. By default they are
 * always the same: a build must not fail for a reason that it did not introduce.
 */
public final class Seeds {
    /** {@link #seeds} as a method source; the display name of a test must contain the seed. */
    public static final String SOURCE = "org.daqfabric.impl.engine.Seeds#seeds";

    private Seeds() {
    }

    public static LongStream seeds() {
        String property = System.getProperty("daqfabric.seed", "");
        return property.isEmpty() ? LongStream.of(1, 2)
            : LongStream.of(property.equals("fresh") ? System.nanoTime() : Long.parseLong(property));
    }
}
