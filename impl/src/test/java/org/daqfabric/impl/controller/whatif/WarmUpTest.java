package org.daqfabric.impl.controller.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private Instant now = Instant.EPOCH;

    /** What is rehearsed are repairs: every link inside the fabric has a first step. */
    @Test
    void fabricIsOneThatIsRepaired() {
        Snapshot start = RehearsedFabric.snapshot();
        var spec = start.topology().spec();
        assertThat(FabricChecks.check(spec)).isEmpty();
        assertThat(start.programs()).hasSize(spec.switches().size());
        assertThat(spec.links()).allSatisfy(link -> {
            var failed = new UnusableLinks(Set.of(link.end()));
            var first = Planner.repairSpines(start.topology(), failed, start.decision());
            assertThat(first).as("first step without %s", link.end()).isPresent();
            DryRun run = new DryRun(start, Set.of());
            run.discardFirstStep(failed);
            assertThat(run.messages()).as("messages without %s", link.end()).isPositive();
            assertThat(run.programs()).isEqualTo(start.programs());
            assertThat(run.decision()).isEqualTo(start.decision());
        });
    }

    /** It takes one repair after another, so that other tasks run in between, and ends. */
    @Test
    void endsAfterAllRepairs() {
        WarmUp.begin(tasks::add, () -> now);
        assertThat(run()).isBetween(300, 1000);
    }

    @Test
    void endsAfterSomeTime() {
        WarmUp.begin(tasks::add, () -> now = now.plus(Duration.ofSeconds(1)));
        assertThat(run()).isBetween(10, 20);
    }

    private int run() {
        int count = 0;
        while (!tasks.isEmpty()) {
            assertThat(tasks).hasSize(1);
            tasks.remove().run();
            count++;
        }
        return count;
    }
}
