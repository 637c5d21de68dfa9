package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.daqfabric.impl.engine.planning.SwitchSizing.Server;
import org.junit.jupiter.api.Test;

class SwitchSizingTest {
    private static final TcpPacket USUAL = new TcpPacket(1500, 4);

    /** Bytes, addresses, plain, and the rates of a leaf and a spine. */
    private static final Pattern ROW = Pattern.compile(
        "\\| (1518|9000) \\| (\\d+) \\| [^|]*\\| ([\\d.]+), [^|]*\\| ([\\d.]+),");

    /** The rates that planning counts with are those that docs/benchmarks.md shows. */
    @Test
    void ratesAreThoseMeasured() throws IOException {
        Map<String, Double> measured = new TreeMap<>();
        Map<String, Double> used = new TreeMap<>();
        var rows = ROW.matcher(Files.readString(Path.of("../docs/benchmarks.md")));
        while (rows.find()) {
            int bytes = Integer.parseInt(rows.group(1));
            long rings = Long.parseLong(rows.group(2));
            measured.put(bytes + " " + rings,
                Math.min(Double.parseDouble(rows.group(3)), Double.parseDouble(rows.group(4))));
            used.put(bytes + " " + rings, ThreadRates.of(bytes == 9000 ? bytes : bytes - 18, rings));
        }
        assertThat(measured).hasSize(8).isEqualTo(used);
        assertThat(ThreadRates.of(1500, 11)).isEqualTo(ThreadRates.of(1500, 100));
        assertThat(ThreadRates.of(1500, 5000)).isEqualTo(ThreadRates.of(1500, 1000));
        assertThat(ThreadRates.of(2000, 1)).isEqualTo(ThreadRates.of(9000, 1));
    }

    private static FabricSizing sizing(double eventRate, OptionalInt pods) {
        return new FabricSizing(EventTransfer.even(100, 12, 1000, USUAL), 28, eventRate, 10, 4, pods, 40);
    }

    /** Fig. 6.4 at 100 kHz: 900 packets an event, 4 planes of 5 spines, 4 pods of 25 ROS and 7 racks. */
    @Test
    void atlas() {
        var servers = new SwitchSizing(sizing(100_000, OptionalInt.of(4)), 40, OptionalDouble.empty(), 0.5).servers();
        assertThat(servers.get(0)).satisfies(leaf -> {
            // a quarter of a plane's packets leaves its ROS, a quarter of the other three quarters arrives
            assertThat(leaf.packetRate()).isCloseTo(90 * 1.5 / 4 * (0.25 + 0.25 * 0.75), within(1e-9));
            assertThat(leaf.ports()).isEqualTo(37);
            assertThat(leaf.daqrings()).isEqualTo(280);
            assertThat(leaf.threadRate()).isEqualTo(4.8);
            assertThat(leaf.threads()).isEqualTo(7);
            assertThat(leaf.cores()).isEqualTo(8);
            assertThat(leaf.buffers()).isEqualTo(280 * 1000 + 37 * 4096);
            assertThat(leaf.memory()).isEqualTo(leaf.buffers() * 2048);
        });
        assertThat(servers.get(1)).satisfies(spine -> {
            assertThat(spine.packetRate()).isCloseTo(90 * 1.5 / 4 * 0.75 / 5, within(1e-9));
            assertThat(spine.ports()).isEqualTo(4);
            assertThat(spine.daqrings()).isEqualTo(224);
            assertThat(spine.threads()).isEqualTo(3);
        });
    }

    /** A given rate replaces the measured one; a slow event rate still takes a thread. */
    @Test
    void ratesOfTheMachine() {
        assertThat(new SwitchSizing(sizing(100_000, OptionalInt.of(4)), 40, OptionalDouble.of(1.2), 1).servers())
            .extracting(Server::threads).containsExactly(13L, 5L);
        assertThat(new SwitchSizing(sizing(1, OptionalInt.empty()), 1, OptionalDouble.empty(), 1).servers())
            .extracting(Server::threads).containsOnly(1L);
    }

    /** Within one pod nothing crosses the spines. */
    @Test
    void onePod() {
        var servers = new SwitchSizing(new FabricSizing(EventTransfer.even(2, 1, 1000, USUAL), 2, 1000, 10, 1,
            OptionalInt.of(1), 8), 2, OptionalDouble.empty(), 0.5).servers();
        assertThat(servers.get(1).packetRate()).isZero();
        assertThat(servers.get(0).packetRate()).isCloseTo(2 * 1.5 / 1000, within(1e-9));
    }
}
