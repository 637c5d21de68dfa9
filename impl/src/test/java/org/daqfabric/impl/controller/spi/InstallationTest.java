package org.daqfabric.impl.controller.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of two installations with the same bridges, at most one takes them for its own. */
class InstallationTest {
    private static final Installation FIRST = Installation.of("a");

    @Test
    void whoDoesNotKnowItselfKnowsNoOther() {
        assertThat(Installation.UNKNOWN.isOther("a")).isFalse();
        assertThat(FIRST.isOther(null)).isFalse();
        assertThat(FIRST.isOther("a")).isFalse();
        assertThat(FIRST.isOther("b")).isTrue();
        assertThat(FIRST.takenOver(List.of("b", "a")).isOther("b")).isFalse();
    }

    /** A backup goes from one to the other and back: each time the one that restored last has the bridges, alone. */
    @Test
    void whoRestoresHasTheBridges() {
        Installation second = Installation.of("b").restored(Optional.of(FIRST), "b2");
        assertThat(second.id()).isEqualTo("b2");
        assertHas(second, FIRST);

        Installation third = FIRST.restored(Optional.of(second), "a2");
        assertHas(third, second);
        assertHas(third, FIRST);

        Installation fourth = second.restored(Optional.of(FIRST), "b3");
        assertThat(third.isOther("b3")).as("a backup from before").isTrue();
        assertThat(fourth.isOther("a2")).as("it does not know who has them now").isTrue();
    }

    /** Whose backup it is does not change who it is. */
    @Test
    void ownBackupsChangeNothing() {
        Installation own = FIRST.takenOver(List.of("x"));
        assertThat(own.restored(Optional.of(FIRST), "fresh")).isEqualTo(own);
        assertThat(own.restored(Optional.empty(), "fresh")).isEqualTo(own);
    }

    private static void assertHas(Installation owner, Installation loser) {
        assertThat(owner.isOther(loser.id())).isFalse();
        assertThat(loser.isOther(owner.id())).isTrue();
    }
}
