package org.daqfabric.impl.engine.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeafSpineEquationsTest {
    /** The equations give the curves of Fig. 6.4. */
    @ParameterizedTest
    @CsvSource({
        "1, 53.33, 106.67, 160, 213.33, 266.67, 280, 280",
        "2, 106.67, 213.33, 320, 426.67, 533.33, 560, 560",
        "4, 213.33, 426.67, 640, 853.33, 1066.67, 1120, 1120",
    })
    void givesTheBandwidthOfFig64(int planes, double b1, double b2, double b3, double b4, double b5, double b6,
            double b7) {
        double[] expected = {b1, b2, b3, b4, b5, b6, b7};
        for (int spines = 1; spines <= expected.length; spines++) {
            assertThat(new LeafSpineEquations(planes, spines, 4, 100, 28, 10).bandwidth())
                .as("%d spines", spines).isCloseTo(expected[spines - 1], within(0.005));
        }
    }

    /** The equations give the bandwidth of the prototype of Fig. 6.7. */
    @ParameterizedTest
    @CsvSource({"1, 1, 40", "1, 2, 60", "2, 1, 80", "2, 2, 120"})
    void givesTheBandwidthOfThePrototype(int planes, int spines, double bandwidth) {
        assertThat(new LeafSpineEquations(planes, spines, 2, 6, 6, 10).bandwidth())
            .isCloseTo(bandwidth, within(1e-9));
    }

    /** The equations give the two numbers that section 6.2.2 works out, and the number of spines it uses. */
    @Test
    void givesTheSpinesNeeded() {
        LeafSpineEquations fig64 = new LeafSpineEquations(4, 1, 4, 100, 28, 10);
        assertThat(fig64.spinesForRacks()).isEqualTo(5.25);
        assertThat(fig64.spinesForRos()).isEqualTo(18.75);
        assertThat(fig64.spinesNeeded()).isEqualTo(6);
    }

    /** A single pod needs no spine, but one is the least that a plane can have. */
    @Test
    void needsNoSpineInASinglePod() {
        LeafSpineEquations pod = new LeafSpineEquations(2, 1, 1, 5, 4, 10);
        assertThat(pod.bandwidth()).isCloseTo(80, within(1e-9));
        assertThat(pod.spinesNeeded()).isEqualTo(1);
    }
}
