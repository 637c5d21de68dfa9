package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BinSpreadTest {
    /** Every item goes into the bin that comparing all bins finds emptiest; the short form for equal bins agrees. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void fillsTheEmptiestBinFirst(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < 2000; number++) {
            int kinds = 1 + random.nextInt(2);
            double[] weights = random.doubles(random.nextInt(12), 1, 5)
                .map(weight -> kinds == 1 ? 1 : Math.floor(weight)).sorted().map(weight -> 6 - weight).toArray();
            double[] capacities = random.doubles(1 + random.nextInt(6), 1, 4)
                .map(capacity -> kinds == 1 ? 10 : Math.floor(capacity)).toArray();
            int[] before = IntStream.range(0, weights.length)
                .map(item -> random.nextInt(3) == 0 ? random.nextInt(capacities.length) : -1).toArray();
            assertThat(BinSpread.spread(weights, capacities, before, true)).as("%s into %s, before %s",
                Arrays.toString(weights), Arrays.toString(capacities), Arrays.toString(before))
                .containsExactly(searched(weights, capacities, before));
            if (kinds == 1) {
                boolean keepAll = random.nextBoolean();
                assertThat(BinSpread.spread(capacities.length, before, keepAll))
                    .as("into %s equal bins, before %s", capacities.length, Arrays.toString(before))
                    .containsExactly(BinSpread.spread(weights, capacities, before, keepAll));
            }
        }
    }

    private static int[] searched(double[] weights, double[] capacities, int[] before) {
        int[] bins = before.clone();
        double[] loads = new double[capacities.length];
        for (int item = 0; item < bins.length; item++) {
            loads[Math.max(0, bins[item])] += bins[item] < 0 ? 0 : weights[item];
        }
        for (int item = 0; item < bins.length; item++) {
            if (bins[item] < 0) {
                for (int bin = 0; bin < loads.length; bin++) {
                    int best = Math.max(0, bins[item]);
                    bins[item] = (loads[bin] + weights[item]) / capacities[bin]
                        < (loads[best] + weights[item]) / capacities[best] * (1 - 1e-9) ? bin : best;
                }
                loads[bins[item]] += weights[item];
            }
        }
        return bins;
    }
}
