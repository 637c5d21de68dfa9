package org.daqfabric.impl.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses found in the counters of two ports that are read at different times, while traffic comes and goes. */
class LinkLossesTest {
    private static final int CASES = 50;
    private static final PortId LEAF = new PortId("leaf", "up");
    private static final PortId SPINE = new PortId("spine", "down");
    private static final LinkDirection UP = new LinkDirection(LEAF, LEAF, 1, SPINE, 2);
    private static final LinkDirection DOWN = new LinkDirection(LEAF, SPINE, 2, LEAF, 1);

    private final long[] up = new long[2];
    private final long[] down = new long[2];
    private LinkLosses losses = LinkLosses.UNKNOWN;
    private long lostUp;

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * CASES, (seed + 1) * CASES));
    }

    /** Packets pass in both directions; of those that leave the leaf some are lost. */
    private void pass(Random random, double packets, double loss) {
        long sent = Math.round(packets);
        long lost = 0;
        for (long each = 0; loss > 0 && each < sent; each++) {
            lost += random.nextDouble() < loss ? 1 : 0;
        }
        up[0] += sent;
        up[1] += sent - lost;
        lostUp += lost;
        down[0] += sent / 2;
        down[1] += sent / 2;
    }

    private Map<String, Map<Integer, PortCount>> leaf() {
        return Map.of("leaf", Map.of(1, new PortCount(down[1], up[0], 0)));
    }

    private Map<String, Map<Integer, PortCount>> spine() {
        return Map.of("spine", Map.of(2, new PortCount(up[1], down[0], 0)));
    }

    /** A second of traffic, with a round of readings between which other packets pass. */
    private void second(Random random, double rate, double loss, double skew) {
        pass(random, rate * (1 - 2 * skew), loss);
        Map<String, Map<Integer, PortCount>> first = leaf();
        pass(random, rate * skew * random.nextDouble(2), loss);
        Map<String, Map<Integer, PortCount>> between = spine();
        pass(random, rate * skew * random.nextDouble(2), loss);
        read(Set.of(), new Round(first, between, leaf()));
    }

    /** Long enough that what is read is believed. */
    private void pause(Random random) {
        for (int i = 0; i < LossHistory.CONFIRMED; i++) {
            second(random, 0, 0, 0);
        }
    }

    private void read(Set<PortId> interrupted, Round round) {
        losses = losses.after(List.of(UP, DOWN), interrupted, round);
    }

    private int rate(PortId from) {
        return losses.told(Map.of()).get(from).rate();
    }

    /** A link that loses 0.1 % or more is found within ten seconds, the other direction never, and lost packets are. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossesAreFound(long seed) {
        Random random = new Random(seed);
        double rate = 20_000 + random.nextInt(20_000);
        double skew = random.nextDouble(0.002);
        double loss = Math.pow(10, -random.nextDouble(3)) / 2 + 0.001;
        second(random, 0, 0, 0);
        for (int i = random.nextInt(100); i >= 0; i--) {
            second(random, rate * random.nextDouble(), 0, skew);
        }
        int seconds = 0;
        do {
            second(random, rate * (0.5 + random.nextDouble()), loss, skew);
            seconds++;
        } while (rate(LEAF) == 0 && seconds < 20);
        assertThat(seconds).as("until %s is found", loss).isLessThanOrEqualTo(10);
        for (int i = 0; i < 20; i++) {
            second(random, rate * (0.5 + random.nextDouble()), loss, skew);
        }
        assertThat(Math.abs(Math.log10(rate(LEAF) / 1e6 / loss))).isLessThan(0.9);
        assertThat(losses.told(Map.of()).get(SPINE)).isEqualTo(new Loss(0, 0));
        assertThat(losses.told(Map.of()).get(LEAF).lost()).isPositive().isLessThanOrEqualTo(lostUp);
        pause(random);
        assertThat(losses.told(Map.of()).get(LEAF).lost()).isEqualTo(lostUp);
        int clean = 0;
        while (rate(LEAF) > 0 && clean < 600) {
            second(random, rate * (0.5 + random.nextDouble()), 0, skew);
            clean++;
        }
        assertThat(rate(LEAF)).as("after %d s without losses", clean).isZero();
    }

    /** A hundredth of the frames that the controller sends where little else passes. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lossesOfAnIdleLinkAreFound(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            second(random, IdleLinks.FRAMES, 0, 0);
        }
        int seconds = 0;
        do {
            second(random, IdleLinks.FRAMES, 0.01, 0);
            seconds++;
        } while (rate(LEAF) == 0 && seconds < 60);
        assertThat(seconds).isLessThanOrEqualTo(30);
        assertThat(losses.told(Map.of()).get(SPINE)).isEqualTo(new Loss(0, 0));
    }

    /** Nothing is said to be lost where nothing is, however traffic and readings come. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLost(long seed) {
        Random random = new Random(seed);
        double rate = Math.pow(10, random.nextDouble(6));
        for (int i = 0; i < 300; i++) {
            switch (random.nextInt(20)) {
                case 0 -> rate = Math.pow(10, random.nextDouble(6));
                case 1 -> second(random, 0, 0, 0);
                case 2 -> read(Set.of(), new Round(Map.of(), spine(), leaf()));
                default -> second(random, rate * random.nextDouble(2), 0, random.nextDouble(0.4));
            }
            losses.told(Map.of()).values().forEach(loss -> assertThat(loss).isEqualTo(new Loss(0, 0)));
        }
    }

    /** One packet of a million is placed on its link at the next pause. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onePacketIsFoundInAPause(long seed) {
        Random random = new Random(seed);
        second(random, 0, 0, 0);
        for (int i = 0; i < 100; i++) {
            if (i == seed % 100) {
                up[0]++;
            }
            second(random, 10_000 * random.nextDouble(2), 0, random.nextDouble(0.1));
        }
        pause(random);
        assertThat(losses.told(Map.of())).isEqualTo(Map.of(LEAF, new Loss(0, 1), SPINE, new Loss(0, 0)));
    }

    /** Cards that tell their counters late make nothing a loss for long. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lateCountersAreNoLosses(long seed) {
        Random random = new Random(seed);
        Map<String, Map<Integer, PortCount>> told = spine();
        for (int i = 0; i < 300; i++) {
            pass(random, 1000 * random.nextInt(20), 0);
            // the card tells every third second what it has counted
            if (i % 3 == 0) {
                told = spine();
            }
            read(Set.of(), new Round(leaf(), told, leaf()));
            assertThat(losses.told(Map.of()).get(LEAF)).isEqualTo(new Loss(0, 0));
        }
    }

    /** A packet that was lost among many, some of which were on their way at readings, is found while a few pass. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onePacketIsFoundWhileFewPass(long seed) {
        Random random = new Random(seed);
        pause(random);
        for (int i = 0; i < 10; i++) {
            pass(random, 8000, 0);
            up[0] += 3;
            Map<String, Map<Integer, PortCount>> first = leaf();
            pass(random, random.nextInt(1, 9), 0);
            Map<String, Map<Integer, PortCount>> between = spine();
            pass(random, random.nextInt(1, 9), 0);
            up[1] += 3;
            read(Set.of(), new Round(first, between, leaf()));
        }
        up[0]++;
        for (int i = 0; i < 30; i++) {
            second(random, random.nextDouble() < 0.6 ? 500 : 0, 0, 0.2);
        }
        assertThat(losses.told(Map.of())).isEqualTo(Map.of(LEAF, new Loss(0, 1), SPINE, new Loss(0, 0)));
    }

    /** What is exact stays so: what a card tells late after that is no loss at the next pause, in either direction. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lateCountersAreNoLossesAfterAPause(long seed) {
        Random random = new Random(seed);
        pause(random);
        long lostBefore = 0;
        for (int each = 0; each < 5; each++) {
            Map<String, Map<Integer, PortCount>> told = spine();
            for (int i = 1; i < 20; i++) {
                pass(random, 1000 * random.nextInt(20), 0);
                told = i % 3 == 0 ? spine() : told;
                read(Set.of(), new Round(leaf(), told, leaf()));
            }
            up[0] += each % 2;
            lostBefore += each % 2;
            pause(random);
            assertThat(losses.told(Map.of())).isEqualTo(Map.of(LEAF, new Loss(0, lostBefore), SPINE, new Loss(0, 0)));
        }
    }

    /** What is sent while a link is down is not counted, nor are counters that begin again. */
    @Test
    void interruptions() {
        Random random = new Random(1);
        second(random, 1000, 0, 0);
        second(random, 1000, 0.5, 0);
        pause(random);
        long before = losses.told(Map.of()).get(LEAF).lost();
        assertThat(before).isEqualTo(lostUp);
        assertThat(rate(LEAF)).isNotZero();

        pass(random, 1000, 1);
        read(Set.of(LEAF, SPINE), new Round(leaf(), spine(), leaf()));
        assertThat(losses.told(Map.of())).isEmpty();
        second(random, 1000, 0, 0);
        second(random, 1000, 0, 0);
        assertThat(losses.told(Map.of()).get(LEAF)).isEqualTo(new Loss(0, before));

        up[1] = 0;
        second(random, 1000, 0, 0);
        second(random, 1000, 0, 0);
        assertThat(losses.told(Map.of()).get(LEAF)).isEqualTo(new Loss(0, before));
        Map<String, Map<Integer, PortCount>> uncounted = Map.of("leaf", Map.of(1, new PortCount(-1, -1, -1)));
        for (int i = 0; i <= LossHistory.OUTDATED; i++) {
            read(Set.of(), new Round(uncounted, spine(), uncounted));
        }
        assertThat(losses.told(Map.of())).isEmpty();
    }
}
