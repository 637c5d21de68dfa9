package org.daqfabric.impl.controller.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.junit.jupiter.api.Test;

/** A plan is made only for what this controller can hold, and where it delays nothing else. */
class LargestCandidateTest {
    private static final long DELIVERED = 1L << 30; // bytes, as bin/setenv has it
    private static final FabricSpec SMALL = TestFabrics.prototype();

    @Test
    void fabricsOfTheBenchmarksAreSmallEnough() {
        for (FabricSpec spec : List.of(SMALL, TestFabrics.fig64(4, 6, 40), TestFabrics.atlas(), TestFabrics.lhcb())) {
            assertThatCode(() -> LargestCandidate.check(spec, DELIVERED)).as(spec.name()).doesNotThrowAnyException();
        }
    }

    /** 20 switches, and 6 ROS and 48 DCMs. */
    @Test
    void theLimitGrowsWithTheHeap() {
        long needed = 20 * 54 * 256;
        assertThatCode(() -> LargestCandidate.check(SMALL, needed)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LargestCandidate.check(SMALL, needed - 1)).isInstanceOfSatisfying(
            InvalidInputException.class, refused -> assertThat(refused.problems()).singleElement().satisfies(problem ->
                assertThat(problem.location().steps()).extracting(step -> step.node()).containsExactly("candidate")))
            .hasMessageContaining("20 switches with rules for 54 ROS, DCMs and other hosts are 1080 rules")
            .hasMessageContaining("1079 at most").hasMessageContaining("DAQFABRIC_HEAP");
    }

    /** Neither the check nor the answer is worked out by who asks. */
    @Test
    void theCallerWorksNothingOut() {
        List<Runnable> tasks = new ArrayList<>();
        List<String> looked = new ArrayList<>();
        WhatIfQueries queries = new WhatIfQueries(() -> {
            looked.add("others");
            return new TreeMap<>();
        }, name -> {
            looked.add(name);
            return SMALL;
        }, (name, question) -> {
            throw new InvalidInputException("fabric", "as far as it goes here");
        }, tasks::add);
        FabricParts none = FabricParts.NONE;
        var answer = queries.plan("prototype", new WhatIf(Optional.of(TestFabrics.huge()), none, none, none,
            Optional.empty())).toCompletableFuture();
        assertThat(looked).isEmpty();
        assertThat(tasks).hasSize(1);
        tasks.remove(0).run();
        assertThat(looked).containsExactly("prototype");
        assertThat(answer).isCompletedExceptionally();
    }
}
