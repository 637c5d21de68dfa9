package org.daqfabric.impl.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses behind a port of a switch whose rules tell up to half a second late what they have counted. */
class SwitchLossesTest {
    private static final int CASES = 50;
    private static final int PORTS = 6;
    private static final int STEPS = 20;
    /** The other ports are those of hosts. */
    private static final Set<Integer> LINKS = Set.of(1, 2, 3, 4);
    /** Frames of BFD that each link's port sends in a step, and receives. */
    private static final int BFD = 1;

    private final Random random;
    private final long[] received = new long[PORTS + 1];
    private final long[] ruled = new long[PORTS + 1];
    private final long[] transmitted = new long[PORTS + 1];
    private final double[] rates = new double[PORTS + 1];
    private final Map<Integer, Long> told = new HashMap<>();
    private long dropped;
    private long droppedTold;
    private int step;
    private SwitchLosses losses = SwitchLosses.UNKNOWN;

    SwitchLossesTest() {
        random = new Random(0);
    }

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * CASES, (seed + 1) * CASES));
    }

    private void begin(long seed) {
        random.setSeed(seed);
        for (int port = 1; port <= PORTS; port++) {
            rates[port] = 1000 + random.nextInt(20_000);
            received[port] = random.nextInt(1000);
            transmitted[port] = random.nextInt(1000);
        }
    }

    /**
     * A second of traffic, and readings.
     *
     * @param lossy port behind which a part is lost
     * @param unruled part that is lost before rules
     */
    private void second(int lossy, double loss, double unruled) {
        for (int i = 0; i < STEPS; i++) {
            for (int port = 1; port <= PORTS; port++) {
                long packets = Math.round(rates[port] / STEPS * (0.8 + random.nextDouble(0.4)));
                received[1 + random.nextInt(PORTS)] += packets;
                long taken = packets - lost(packets, unruled);
                ruled[port] += taken;
                transmitted[port] += taken - (port == lossy ? lost(taken, loss) : 0);
            }
            for (int port : LINKS) {
                received[port] += BFD;
                transmitted[port] += BFD;
            }
            received[1]++;
            dropped++;
            step++;
            if (step % (STEPS / 2) == 0) {
                for (int port = 1; port <= PORTS; port++) {
                    told.put(port, ruled[port]);
                }
                droppedTold = dropped;
            }
            if (i == STEPS - 1 - random.nextInt(3) || i == STEPS - 1 && random.nextInt(4) == 0) {
                read();
            }
        }
    }

    private long lost(long packets, double part) {
        double exact = packets * part;
        return (long) exact + (random.nextDouble() < exact - (long) exact ? 1 : 0);
    }

    private void read() {
        Map<Integer, PortCount> ports = new HashMap<>();
        for (int port = 1; port <= PORTS; port++) {
            ports.put(port, new PortCount(received[port], transmitted[port], 0));
        }
        losses = losses.after(ports);
        if (losses.isSuspected()) {
            losses = losses.after(SwitchCounts.of(ports, told, droppedTold), LINKS);
        }
    }

    /** What is lost behind a port is found there, and only there; when that ends, nothing is. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossesBehindPorts(long seed) {
        begin(seed);
        int lossy = 1 + random.nextInt(LINKS.size());
        double loss = 0.001 * Math.pow(10, random.nextDouble(2.3));
        for (int i = 0; i < 30; i++) {
            second(lossy, 0, 0);
            assertThat(losses.finding()).isEmpty();
        }
        int seconds = 0;
        while (losses.finding().isEmpty() && seconds < 250) {
            second(lossy, loss, 0);
            seconds++;
        }
        assertThat(losses.finding().map(SwitchLosses.Finding::port)).as("after %d s of %s", seconds, loss)
            .isEqualTo(Optional.of(lossy));
        assertThat(seconds).as("until %s is found", loss).isLessThanOrEqualTo(loss < 0.01 ? 250 : 60);
        assertThat(Math.abs(Math.log10(losses.finding().orElseThrow().rate() / loss))).isLessThan(1);
        for (int i = 0; i < 60 && losses.finding().isPresent(); i++) {
            second(lossy, 0, 0);
        }
        assertThat(losses.finding()).isEmpty();
    }

    /** A link that is not used carries little: it is watched until so many packets passed that ten would be lost. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossesOfAPortThatIsNotUsedAnyMore(long seed) {
        begin(seed);
        for (int i = 0; i < 250 && losses.finding().isEmpty(); i++) {
            second(1, 0.01, 0);
        }
        assertThat(losses.finding().map(SwitchLosses.Finding::port)).contains(1);
        rates[1] = 10 * STEPS;
        for (int i = 0; i < 400; i++) {
            second(1, 0.01, 0);
            assertThat(losses.finding().map(SwitchLosses.Finding::port)).contains(1);
        }
        for (int i = 0; i < 400 && losses.finding().isPresent(); i++) {
            second(1, 0, 0);
        }
        assertThat(losses.finding()).isEmpty();
    }

    /** What is lost before rules is behind no port. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossesBeforeRules(long seed) {
        begin(seed);
        double loss = Math.pow(10, -random.nextDouble(4));
        for (int i = 0; i < 300; i++) {
            second(0, 0, i > 20 ? loss : 0);
            assertThat(losses.finding()).isEmpty();
        }
    }
}
