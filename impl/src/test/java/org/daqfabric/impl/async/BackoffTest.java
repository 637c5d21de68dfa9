package org.daqfabric.impl.async;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    /** Pauses between attempts grow up to a limit. */
    @Test
    void doublesUpToTheLimit() {
        Backoff first = new Backoff(Duration.ofMillis(100), Duration.ofMillis(350));
        assertEquals(Duration.ofMillis(100), first.pause());
        assertEquals(Duration.ofMillis(200), first.doubled().pause());
        assertEquals(Duration.ofMillis(350), first.doubled().doubled().pause());
        assertEquals(Duration.ofMillis(350), first.doubled().doubled().doubled().pause());
    }

    @Test
    void doesNotBeginBeyondTheLimit() {
        assertEquals(Duration.ofSeconds(1), new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(1)).pause());
    }
}
