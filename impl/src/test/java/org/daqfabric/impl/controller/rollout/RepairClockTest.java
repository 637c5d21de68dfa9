package org.daqfabric.impl.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.impl.async.Clocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The second step of a repair is told when it has come into force, and not if something has overtaken it. */
class RepairClockTest {
    private static final Set<PortId> LINK = Set.of(new PortId("leaf", "spine"));

    private Instant now = Instant.EPOCH;
    private Duration set = Duration.ZERO;
    private final RepairClock clock = new RepairClock(new Clocks(() -> now.plus(set), () -> now));

    @BeforeEach
    void firstStep() {
        clock.failure("down", LINK, 100);
        clock.computed(6);
        clock.adopted();
        clock.confirmed(110);
    }

    @Test
    void tellsTheSecondStep() {
        clock.balanced(7, 110);
        now = now.plusMillis(30);
        clock.confirmed(130);
        assertThat(clock.rebalanced().flatMap(Rebalanced::confirmed)).as("not in force yet").isEmpty();
        assertThat(clock.isBusy()).isTrue();
        clock.placed();
        clock.confirmed(150);
        assertThat(clock.rebalanced()).contains(
            new Rebalanced("down: leaf:spine", Instant.EPOCH, Optional.of(now), 7, 40));
        assertThat(clock.isBusy()).isFalse();
    }

    /** Decided anew, because the store refused it for example, nothing moves any more. */
    @Test
    void decidedAnewItMovesNothing() {
        clock.balanced(7, 110);
        clock.balanced(0, 110);
        clock.placed();
        clock.confirmed(110);
        assertThat(clock.rebalanced()).isEmpty();
        assertThat(clock.isBusy()).isFalse();
    }

    @Test
    void failureOvertakesIt() {
        clock.balanced(7, 110);
        clock.failure("down", LINK, 110);
        assertThat(clock.rebalanced()).isEmpty();
    }

    @Test
    void failureDoesNotOvertakeWhatIsInForce() {
        clock.balanced(7, 110);
        clock.placed();
        clock.failure("down", LINK, 140);
        clock.confirmed(150);
        assertThat(clock.rebalanced().flatMap(Rebalanced::confirmed)).isPresent();
        assertThat(clock.isUnderWay()).as("its placement is not in force").isTrue();
    }

    /** What is shown of a repair lasts as long as it did, also if somebody sets the clock meanwhile. */
    @Test
    void clockIsSetBack() {
        clock.event(now);
        now = now.plusMillis(30);
        clock.failure("down", LINK, 100);
        set = Duration.ofHours(-1);
        now = now.plusMillis(20);
        clock.computed(6);
        clock.adopted();
        now = now.plusMillis(50);
        clock.confirmed(110);
        Repair shown = clock.last().orElseThrow();
        assertThat(Duration.between(shown.detected(), shown.computed())).hasMillis(50);
        assertThat(Duration.between(shown.detected(), shown.confirmed().orElseThrow())).hasMillis(100);
    }
}
