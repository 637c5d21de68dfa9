package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The daqring of a host that sends control, on Open vSwitch: it gets the bandwidth that its flow declares, no more. */
@ExtendWith(SharedController.class)
class ControlRingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String SUPERVISOR = "10.9.1.1";
    private static final String DCM = "h2-1d1";
    private static final int PORT = 7000;
    private static final int KILOBITS = 4000;
    /** Bytes that leave at once after a pause, and a packet. */
    private static final int BURST = 65_536 + 1500;
    /** Ten times the bandwidth that is declared, for 3 s. */
    private static final String FLOOD = """
        import socket, time
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(('%s', 0))
        begin = time.monotonic()
        sent = 0
        while (now := time.monotonic()) < begin + 3:
            while sent < (now - begin) * %d / 8:
                sent += s.sendto(bytes(1400), ('%s', %d))
            time.sleep(0.001)
        """;
    /** Prints the bytes of frames that came after the first packet, and in how many seconds, after 2 s without one. */
    private static final String COUNT = """
        import json, socket, time
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(('%s', %d))
        s.settimeout(20)
        s.recv(2000)
        s.settimeout(2)
        begin, last, count = time.monotonic(), 0, 0
        try:
            while True:
                count += len(s.recv(2000)) + 42
                last = time.monotonic() - begin
        except TimeoutError:
            print(json.dumps({'bytes': count, 'seconds': last}))
        """;

    /** The limit follows the flow, drops are told, and the daqring goes with the flow. */
    @Test
    void aSenderGetsWhatItsFlowDeclares(final Lab lab) {
        final var file = lab.generate("control", "--planes 2 --spines 1 --pods 2 --ros 1 --racks 1 --dcms 2");
        file.addSwitch("sv", "p1l1", "p2l1").addHost(1, "supervisor", SUPERVISOR, "sv");
        final var fabric = lab.fabric(with(file, "control", KILOBITS)).upWithRings();
        fabric.put(fabric.file()).awaitPhase("converged");
        assertThat(rings(fabric)).hasSize(1).first().asString().contains("max-rate=" + KILOBITS);
        assertThat(fabric.verify().findings()).isEmpty();

        final var found = flooded(fabric, file);
        final var allowed = KILOBITS * 1000.0 / 8 * found.get("seconds").getAsDouble();
        assertThat(found.get("bytes").getAsDouble()).as(found.toString()).isBetween(0.9 * allowed, allowed + BURST);
        await("what was dropped").atMost(PATIENCE).untilAsserted(() -> {
            final var state = fabric.state().json();
            assertThat(FabricFile.entries(state, "daqring")).filteredOn(each -> isOfTheSupervisor(each)).hasSize(1)
                .allSatisfy(each -> assertThat(each.get("dropped").getAsLong()).isPositive());
            assertThat(FabricFile.entries(state, "drop-episode")).anySatisfy(each ->
                assertThat(isOfTheSupervisor(each)).isTrue());
        });

        fabric.put(with(file, "control", 2 * KILOBITS));
        await("twice the bandwidth").atMost(PATIENCE).untilAsserted(() ->
            assertThat(rings(fabric)).hasSize(1).first().asString().contains("max-rate=" + 2 * KILOBITS));
        fabric.put(with(file, "events", KILOBITS));
        await("no daqring").atMost(PATIENCE).untilAsserted(() -> assertThat(rings(fabric)).isEmpty());
        fabric.awaitPhase("converged").assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    private static boolean isOfTheSupervisor(final JsonObject entry) {
        return entry.get("dcm").getAsString().equals("supervisor") && entry.get("switch").getAsString().equals("sv");
    }

    private static List<String> rings(final LabFabric fabric) {
        return fabric.vsctl("sv", "--bare", "--columns=options", "find", "Interface", "type=daqring").stream()
            .filter(line -> !line.isBlank()).toList();
    }

    private static JsonObject flooded(final LabFabric fabric, final FabricFile file) {
        final var address = file.hosts().get(DCM).address();
        final var count = CompletableFuture.supplyAsync(() -> fabric.daqlab("exec", "h2-1", "--", "python3", "-c",
            COUNT.formatted(address, PORT)));
        await("the receiver").atMost(PATIENCE).until(() -> fabric.daqlab("exec", "h2-1", "--", "python3", "-c",
            "print(open('/proc/net/udp').read())").contains("%04X ".formatted(PORT)));
        fabric.daqlab("exec", "sv", "--", "python3", "-c", FLOOD.formatted(SUPERVISOR, 10_000 * KILOBITS, address,
            PORT));
        return JsonParser.parseString(count.join()).getAsJsonObject();
    }

    private static FabricFile with(final FabricFile file, final String kind, final int kilobits) {
        return file.copy().addFlow("assign", "supervisor", DCM, kind, Double.toString(kilobits / 1e6));
    }
}
