package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.daqfabric.api.run.RunRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody sets the clock of the controller in a run, by hours. */
class RunTimesTest extends AbstractRunControlTest {
    private static final Duration MINUTES = Duration.ofMinutes(5);

    /** A run lasts as long as it does, and its repairs are counted. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void runLastsAsLongAsItDoes(int hours) {
        runs("det", 8);
        final Instant begun = world.clocks.wall().instant();
        world.pass(MINUTES);
        world.set = Duration.ofHours(hours);
        world.pass(MINUTES);
        world.network.carrier(leafToSpine(), false);
        world.pass(MINUTES);
        RunRecord run = stop("det").run().orElseThrow();
        assertThat(run.begun()).isEqualTo(begun);
        assertThat(run.ended()).contains(begun.plus(MINUTES.multipliedBy(3)));
        assertThat(run.repairs()).isEqualTo(1);
        assertThat(run.movedDcms()).isPositive();
        assertThat(partition("det").since()).isEqualTo(world.clocks.wall().instant());
    }

    /** A controller that starts in a run, its clock set back, does not end the run before its beginning. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void restartedControllerEndsNoRunBeforeItsBeginning(int hours) {
        runs("det", 8);
        final Instant begun = world.clocks.wall().instant();
        world.set = Duration.ofHours(hours);
        world.start(spec);
        world.network.reconnect();
        world.pass(MINUTES);
        world.network.carrier(leafToSpine(), false);
        world.settle();
        RunRecord run = stop("det").run().orElseThrow();
        Instant now = world.clocks.wall().instant();
        assertThat(run.ended()).contains(hours < 0 ? begun : now);
        assertThat(run.repairs()).isEqualTo(1);
    }
}
