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

    /** After any assignments and unassignments the first of a queue is the spine that comparing all spines finds. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void findsWhatASearchFinds(long seed) {
        int compared = 0;
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed * CASES + number);
            FabricSpec spec = random.nextBoolean() ? TestFabrics.generated(random)
                : TestFabrics.regular("regular", 1 + random.nextInt(3), 1 + random.nextInt(9), 3, 2, 2, 4);
            Topology topology = new Topology(spec);
            PlacementModel model =
                PlacementModel.events(topology, new UsableFabric(topology, TestFabrics.failures(random, spec)));
            if (!model.addresses.isEmpty()) {
                compared += compare(random, new PlacementState(model), "daqfabric.seed=" + seed + " case " + number);
            }
        }
        assertThat(compared).isGreaterThan(CASES * STEPS / 2);
    }

    private static int compare(Random random, PlacementState state, String when) {
        Waterfill waterfill = new Waterfill(state, true);
        int compared = 0;
        for (int step = 0; step < STEPS; step++) {
            int address = random.nextInt(state.model.addresses.size());
            state.unassign(address);
            PlaneChoices choices = waterfill.choices(address, PlaneChoice.UNPLACED);
            for (SpineQueue queue : choices.queues(state)) {
                state.preparePlane(address, PlaneChoice.UNPLACED, queue.plane);
                assertThat(queue.leastLoaded(state.model.weightOf[address])).as("%s step %s", when, step)
                    .isEqualTo(searched(state, choices.options, queue.plane));
                compared++;
            }
            if (random.nextInt(4) > 0 && !choices.isEmpty()) {
                state.assign(address, waterfill.extend(address, PlaneChoice.UNPLACED, null));
            }
        }
        return compared;
    }

    private static PlaneChoice searched(PlacementState state, List<PlaneChoice> options, int plane) {
        PlaneChoice best = null;
        double[] lowest = {};
        for (PlaneChoice choice : options) {
            if (choice.plane() == plane) {
                double[] loads = state.loadsIfChosen(choice).clone();
                int order = best == null ? -1 : RelativeLoad.compare(loads, lowest);
                if (order < 0 || order == 0 && state.primaryCount(choice) < state.primaryCount(best)) {
                    best = choice;
                    lowest = loads;
                }
            }
        }
        return best;
    }
}
