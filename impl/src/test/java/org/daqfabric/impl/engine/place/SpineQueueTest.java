package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpineQueueTest {
    private static final int CASES = 200;
    private static final int STEPS = 60;

    /** Whatever is put and taken meanwhile, the first of a queue is what looking at every spine finds. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void findsWhatASearchFinds(long seed) {
        int compared = 0;
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed * CASES + number);
            FabricSpec spec = random.nextBoolean() ? TestFabrics.generated(random)
                : TestFabrics.regular("regular", 1 + random.nextInt(3), 1 + random.nextInt(9), 3, 2, 2, 4);
            PlacementModel problem = PlacementModel.events(new Topology(spec), new UsableFabric(new Topology(spec), TestFabrics.failures(random, spec)));
            if (!problem.sinks.isEmpty()) {
                compared += compare(random, new PlacementState(problem), "daqfabric.seed=" + seed + " case " + number);
            }
        }
        assertThat(compared).isGreaterThan(CASES * STEPS / 2);
    }

    private static int compare(Random random, PlacementState loading, String when) {
        Waterfill fill = new Waterfill(loading, true);
        int compared = 0;
        for (int step = 0; step < STEPS; step++) {
            int sink = random.nextInt(loading.problem.sinks.size());
            loading.take(sink);
            PlaneChoices choices = fill.choices(sink, PlaneChoice.NOWHERE);
            for (SpineQueue queue : choices.queues(loading)) {
                loading.aim(sink, PlaneChoice.NOWHERE, queue.plane);
                assertThat(queue.first(loading.problem.weight[sink])).as("%s step %s", when, step)
                    .isEqualTo(searched(loading, choices.stages, queue.plane));
                compared++;
            }
            if (random.nextInt(4) > 0 && !choices.isEmpty()) {
                loading.put(sink, fill.complete(sink, PlaneChoice.NOWHERE, null));
            }
        }
        return compared;
    }

    private static PlaneChoice searched(PlacementState loading, List<PlaneChoice> stages, int plane) {
        PlaneChoice best = null;
        double[] least = {};
        for (PlaneChoice stage : stages) {
            if (stage.plane() == plane) {
                double[] loads = loading.probe(stage).clone();
                int order = best == null ? -1 : RelativeLoad.compare(loads, least);
                if (order < 0 || order == 0 && loading.users(stage) < loading.users(best)) {
                    best = stage;
                    least = loads;
                }
            }
        }
        return best;
    }
}
