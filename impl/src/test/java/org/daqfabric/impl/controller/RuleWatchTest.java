package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.identity.DatapathIds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Switches report that others have changed their rules; they are compared at once, and seldom where that goes on. */
class RuleWatchTest {
    private static final String LEAF = "leaf-1-1";
    private static final Duration STEP = Duration.ofMillis(50);

    private final FabricSpec spec = TestFabrics.prototype();
    private final World world = new World(7);
    /** When a switch was compared. */
    private final List<Instant> compared = new ArrayList<>();
    private Program program = Program.EMPTY;

    @BeforeEach
    void bringUp() {
        Recorder recorder = mock();
        doAnswer(call -> compared.add(world.now)).when(recorder).compared(any(), anyBoolean(), anyInt(), any());
        world.recorder = recorder;
        // nothing else compares them meanwhile
        world.services = all -> new FabricServices(all.store(), all.removals(), all.publisher(), all.clocks(),
            all.timer(), all.executor(), all.background(), all.questions(), Duration.ofDays(100), all.recorder());
        world.start();
        world.configure(spec);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(compared).isEmpty();
        program = program();
    }

    private Program program() {
        return world.network.programs().get(LEAF);
    }

    /** Another program deletes all rules of the leaf, which reports that. */
    private void deleteRules() {
        world.network.edit(LEAF, all -> new Program(Program.EMPTY.rules(), all.groups()));
        world.manager.rulesChanged(DatapathIds.of(spec.name(), LEAF, "br-daq"));
        world.settle();
    }

    /** Milliseconds from each comparison to the next. */
    private List<Long> pauses() {
        return IntStream.range(1, compared.size()).mapToObj(each ->
            Duration.between(compared.get(each - 1), compared.get(each)).toMillis()).toList();
    }

    private void fight(Duration time) {
        for (Instant end = world.now.plus(time); world.now.isBefore(end);) {
            deleteRules();
            world.pass(STEP);
        }
    }

    @Test
    void whatWasChangedIsPutRightAtOnce() {
        for (int time = 0; time < 3; time++) {
            deleteRules();
            assertThat(program()).isEqualTo(program);
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(compared).hasSize(3);
    }

    /** Who deletes them again and again does not make the controller read the switch all the time. */
    @Test
    void aFightDoesNotFlood() {
        fight(Duration.ofMinutes(1));
        assertThat(pauses()).containsExactly(200L, 400L, 800L, 1600L, 3200L, 6400L, 10_000L, 10_000L, 10_000L, 10_000L);
        assertThat(program().rules().isEmpty()).as("deleted after the last comparison").isTrue();

        world.pass(Duration.ofSeconds(10));
        assertThat(program()).isEqualTo(program);
        world.pass(Duration.ofMinutes(1));
        assertThat(pauses()).as("and once more when it has ended").hasSize(11);
        compared.clear();
        fight(Duration.ofSeconds(1));
        assertThat(pauses()).as("begins anew").containsExactly(200L, 400L);
    }

    /** Where switches are never compared, nothing is put right here either. */
    @Test
    void whatIsNeverComparedIsNotPutRight() {
        world.services = all -> new FabricServices(all.store(), all.removals(), all.publisher(), all.clocks(),
            all.timer(), all.executor(), all.background(), all.questions(), Duration.ZERO, all.recorder());
        world.start(spec);
        world.network.reconnect();
        world.pass(Duration.ofMinutes(3));
        deleteRules();
        world.pass(Duration.ofMinutes(3));
        assertThat(compared).isEmpty();
        assertThat(program().rules().isEmpty()).isTrue();
    }
}
