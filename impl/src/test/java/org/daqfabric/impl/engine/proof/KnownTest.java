package org.daqfabric.impl.engine.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Packets return in their order; those that never do are not kept. */
class KnownTest {
    private final Known known = new Known();

    @Test
    void oneThatIsOvertakenEndsTheRow() {
        known.returning.addAll(List.of(3L, 5L, 8L));
        known.returned(3);
        assertThat(known.inRow).isEqualTo(1);
        known.returned(8);
        assertThat(known.inRow).isEqualTo(1);
        assertThat(known.returning).isEmpty();
    }

    @Test
    void whatIsNotWaitedForIsNotKept() {
        known.returning.addAll(List.of(3L, 5L, 8L));
        known.inRow = 4;
        known.forget(Set.of(5L, 8L));
        assertThat(known.returning).containsExactly(5L, 8L);
        assertThat(known.inRow).isZero();
    }
}
