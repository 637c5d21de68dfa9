package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalInt;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties for all inputs: results are monotonic, and meet what was asked for. */
class PlanningPropertiesTest {
    private static final int CASES = 500;
    private static final double TINY = 1e-9;

    /** Bandwidth grows with planes, spines, ROS and racks, and is never more than uplinks or spines let through. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void bandwidthGrows(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            int planes = 1 + random.nextInt(8);
            int spines = 1 + random.nextInt(20);
            int pods = 1 + random.nextInt(6);
            int ros = pods * (1 + random.nextInt(30));
            int racks = pods * (1 + random.nextInt(30));
            double capacity = 1 + random.nextInt(100);
            Bandwidth bandwidth = bandwidth(planes, spines, pods, ros, racks, capacity);
            double value = bandwidth.bandwidth();
            assertThat(value).isPositive()
                .isLessThanOrEqualTo(bandwidth.inputOutputBandwidth() * (1 + TINY))
                .isLessThanOrEqualTo(bandwidth.networkBandwidth() * (1 + TINY))
                .isCloseTo(bandwidth.network().bandwidth(), within(value * TINY))
                .isCloseTo(new FabricSize(planes, spines, pods, ros, racks, capacity).bandwidth(),
                within(value * TINY));
            double less = value * (1 - TINY);
            assertThat(bandwidth(planes + 1, spines, pods, ros, racks,
                capacity).bandwidth()).isGreaterThanOrEqualTo(less);
            assertThat(bandwidth(planes, spines + 1, pods, ros, racks,
                capacity).bandwidth()).isGreaterThanOrEqualTo(less);
            assertThat(bandwidth(planes, spines, pods, ros + pods, racks, capacity).bandwidth())
                .isGreaterThanOrEqualTo(less);
            assertThat(bandwidth(planes, spines, pods, ros, racks + pods, capacity).bandwidth())
                .isGreaterThanOrEqualTo(less);
            int needed = bandwidth.network().spinesNeeded();
            assertThat(bandwidth(planes, needed, pods, ros, racks,
                capacity).limit()).isNotEqualTo(Bandwidth.Limit.SPINES);
            if (needed > 1) {
                assertThat(bandwidth(planes, needed - 1, pods, ros, racks, capacity).limit())
                    .isEqualTo(Bandwidth.Limit.SPINES);
            }
        }
    }

    /** An event takes its data, 78 to 84 B a frame and 12 B a ROS; goodput is never more than the bandwidth. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void goodputStaysBelowBandwidth(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            int ros = 1 + random.nextInt(300);
            int size = 1 + random.nextInt(200_000);
            int mtu = 576 + random.nextInt(9000);
            int ipVersion = random.nextBoolean() ? 4 : 6;
            int overhead = ipVersion == 4 ? 78 : 98;
            EventTransfer event = EventTransfer.even(ros, 1 + random.nextInt(12), size,
                new TcpPacket(mtu, ipVersion));
            Goodput goodput = new Goodput(event, 10, 1);
            assertThat(event.overhead()).isGreaterThanOrEqualTo(event.frames() * overhead + ros * 12L)
                .isLessThan(event.frames() * (overhead + 6) + ros * 12L);
            assertThat(event.wireSize()).isGreaterThanOrEqualTo(event.frames() * 84);
            assertThat(event.frames() * (mtu - 40)).isGreaterThanOrEqualTo(event.size() + ros * 12L);
            assertThat(goodput.goodput()).isBetween(0.0, 10.0);
            assertThat(goodput.eventRate() * goodput.latency()).isCloseTo(1000, within(1e-6));
            assertThat(new Goodput(event, 20, 1).eventRate()).isGreaterThan(goodput.eventRate());
            assertThat(new Goodput(event, 10, 2).latency()).isGreaterThan(goodput.latency());
        }
    }

    /** A daqring never lets out more than the rate, at least 99 % of it, and holds every event whole. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void daqringKeepsToTheRate(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            EventTransfer event = EventTransfer.even(1 + random.nextInt(200), 1, 1 + random.nextInt(200_000),
                new TcpPacket(1500, 4));
            double rate = 0.05 + random.nextDouble() * 40;
            int shortest = 1 + random.nextInt(1000);
            int events = 1 + random.nextInt(3);
            RingSizing ring = RingSizing.forRate(event, events, rate, shortest);
            assertThat(ring.limit()).as("%s of %s", ring, rate).isBetween(rate * 0.99 * (1 - TINY), rate * (1 + TINY));
            assertThat(ring.pollingInterval()).isGreaterThanOrEqualTo(shortest);
            assertThat((long) ring.ringSize()).isEqualTo((event.frames() + event.responses().size()) * events);
            assertThat(ring.memory(2)).isEqualTo(2 * ring.memory(1)).isGreaterThanOrEqualTo(2 * event.wireSize());
            assertThat(RingSizing.forRate(event, events, rate, shortest, ring.maxBurst())).isEqualTo(ring);
        }
    }

    /**
     * The sized fabric carries the rate, with one spine less it would not; no smaller one with its pods and planes
     * does.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void sizedFabricIsJustEnough(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            int ros = 1 + random.nextInt(120);
            int racks = 1 + random.nextInt(60);
            EventTransfer event = EventTransfer.even(ros, 1, 1 + random.nextInt(100_000),
                new TcpPacket(1500, 4));
            double most = 4 * 10.0 * Math.min(ros, racks);
            double rate = Goodput.eventRate(event, most * (0.001 + 0.999 * random.nextDouble()));
            FabricSizing sizing = new FabricSizing(event, racks, Math.max(0.001, rate), 10, 4, OptionalInt.empty(),
                200);
            FabricSize size = sizing.fabric();
            assertThat(sizing.isSufficient(size.bandwidth())).as("%s for %s", size,
                sizing.requiredBandwidth()).isTrue();
            assertThat(size.leafPorts()).isLessThanOrEqualTo(200);
            if (size.spines() > 1) {
                assertThat(sizing.isSufficient(new FabricSize(size.planes(), size.spines() - 1, size.pods(), ros, racks,
                    10)
                    .bandwidth())).as("%s for %s", size, sizing.requiredBandwidth()).isFalse();
            }
            for (FabricSize.Failure failure : FabricSize.Failure.values()) {
                assertThat(size.without(failure)).as("%s without %s", size, failure)
                    .isBetween(0.0, size.bandwidth() * (1 + TINY));
            }
            // a remainder never makes a fabric carry more than the equations say of the even one
            assertThat(size.bandwidth()).isLessThanOrEqualTo((1 + TINY)
                * new LeafSpineEquations(size.planes(), size.spines(), size.pods(), ros, racks, 10).bandwidth());
        }
    }

    /** There are ports enough; and never a spine too many for a plane without ports. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void switchesHaveThePorts(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            int switchPorts = 2 + random.nextInt(60);
            Cost cost = new Cost(1 + random.nextInt(5000), 1 + random.nextInt(switchPorts - 1), switchPorts, 11_000);
            int leaves = cost.fullPlanes() * switchPorts + cost.remainingLeaves();
            int planes = Math.ceilDiv(leaves, switchPorts);
            assertThat(leaves * (switchPorts - cost.spines())).isGreaterThanOrEqualTo(cost.ports())
                .isLessThan(cost.ports() + switchPorts);
            assertThat(cost.switches()).isEqualTo(leaves + planes * cost.spines());
            assertThat(new Cost(cost.ports() + 1, cost.spines(), switchPorts, 11_000).price())
                .isGreaterThanOrEqualTo(cost.price());
        }
    }

    /** Windows and credits keep the inequality, and the next larger ones do not. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void windowsKeepTheIncastCondition(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            Incast incast = new Incast(1 + random.nextInt(200), 1 + random.nextInt(50), 1 + random.nextInt(40),
                1 + random.nextInt(1000), random.nextInt(20_000_000), 1500);
            long unit = incast.flows() * 1500;
            long most = incast.mostCwnd().orElse(0);
            assertThat(most * unit).isLessThan(incast.onset());
            assertThat((most + 1) * unit).isGreaterThanOrEqualTo(incast.onset());
            assertThat(incast.leastCwnd() * unit).isGreaterThanOrEqualTo(incast.bdp());
            assertThat((incast.leastCwnd() - 1) * unit).isLessThan(incast.bdp());
            assertThat(incast.mostGwnd().orElse(0) * incast.dcms() * 1500).isLessThan(incast.onset());
            assertThat(incast.onsetRos(10) * 10 * 1500 * incast.dcms()).isGreaterThanOrEqualTo(incast.onset());
            if (most > 0) {
                assertThat(incast.bufferNeeded()).isLessThanOrEqualTo(incast.buffer());
            }
        }
    }

    private static Bandwidth bandwidth(int planes, int spines, int pods, int ros, int racks, double capacity) {
        return Bandwidth.of(new LeafSpineEquations(planes, spines, pods, ros, racks, capacity));
    }
}
