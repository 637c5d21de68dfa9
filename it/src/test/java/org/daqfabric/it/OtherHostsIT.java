package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hosts that are neither ROS nor DCMs, on Open vSwitch. */
@ExtendWith(SharedController.class)
class OtherHostsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String SUPERVISOR = "10.9.1.1";
    private static final String STORAGE = "10.9.2.1";
    private static final String REFUSED = "111";
    /** Prints 111 (connection refused) if the other end answers, another number after a second if it does not. */
    private static final String CONNECT = "import socket; s = socket.socket(); s.settimeout(1); s.bind(('%s', 0)); "
        + "print(s.connect_ex(('%s', 9)))";

    /**
     * A supervisor with a switch of its own and storage on a rack's node answer each other, also after the link that
     * they use between a leaf and a spine fails, and after the supervisor's uplink does. The supervisor reaches the DCM
     * of its other flow and no other; events arrive as well.
     */
    @Test
    void hostsAnswerEachOther(final Lab lab, final Distribution controller) {
        final var file = lab.generate("hosts", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        file.addSwitch("sv", "p1l1", "p2l1").addHost(1, "supervisor", SUPERVISOR, "sv")
            .addHost(2, "storage", STORAGE, "h2-1").addFlow("control", "supervisor", "storage", "events", "0.1")
            .addFlow("assign", "supervisor", "h2-1d1", "control", "0.1");
        final var fabric = lab.fabric(file).upWithRings().put(file).awaitPhase("converged");

        assertAnswer(fabric);
        assertThat(connect(fabric, "sv", SUPERVISOR, address(file, "h2-1d1"))).isEqualTo(REFUSED);
        assertThat(connect(fabric, "sv", SUPERVISOR, address(file, "h2-1d2"))).isNotEqualTo(REFUSED);
        assertThat(connect(fabric, "h2-1", STORAGE, address(file, "r1-1"))).isNotEqualTo(REFUSED);
        fabric.assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
        // its own switch marks control, and where the DCM has a daqring, control has a rule past it
        assertThat(fabric.ofctl("sv", "dump-flows")).containsPattern("nw_src=" + SUPERVISOR + ",nw_dst="
            + address(file, "h2-1d1") + " actions=set_field:48->ip_dscp");
        assertThat(fabric.ofctl("p1l2", "dump-flows")).contains("nw_src=" + SUPERVISOR + ",nw_dst="
            + address(file, "h2-1d1"));
        final var path = traced(controller, fabric);
        assertThat(path).hasSize(5).startsWith("sv").endsWith("h2-1");

        fabric.cut(path.get(1), "to-" + path.get(2));
        assertAnswer(fabric);
        assertThat(traced(controller, fabric)).hasSize(5).doesNotContain(path.get(2));
        fabric.restore(path.get(1), "to-" + path.get(2));

        fabric.cut("sv", "to-" + path.get(1));
        assertAnswer(fabric);
        assertThat(traced(controller, fabric)).hasSize(5).doesNotContain(path.get(1));
        fabric.assertAllReachable();
        fabric.restore("sv", "to-" + path.get(1));
        assertAnswer(fabric);

        // without the flow they are strangers
        final var less = file.copy();
        less.fabric().getAsJsonArray("flow").remove(0);
        fabric.put(less).awaitState("no flow", state -> state.phase().equals("converged")
            && !connect(fabric, "sv", SUPERVISOR, STORAGE).equals(REFUSED));
        assertThat(connect(fabric, "sv", SUPERVISOR, address(file, "h2-1d1"))).isEqualTo(REFUSED);
    }

    private static String address(final FabricFile file, final String host) {
        return file.hosts().get(host).address();
    }

    /** The lab gives hosts their addresses a moment after the bridge is there. */
    private static void assertAnswer(final LabFabric fabric) {
        await("answers").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(connect(fabric, "sv", SUPERVISOR, STORAGE)).isEqualTo(REFUSED);
            assertThat(connect(fabric, "h2-1", STORAGE, SUPERVISOR)).isEqualTo(REFUSED);
        });
    }

    private static String connect(final LabFabric fabric, final String edge, final String from, final String to) {
        return fabric.daqlab("exec", edge, "--", "python3", "-c", CONNECT.formatted(from, to)).strip();
    }

    /** The switches on the way from the supervisor to the storage, as the controller traces it. */
    private static List<String> traced(final Distribution controller, final LabFabric fabric) {
        final var way = controller.restconf().post("operations/daqfabric-operations:trace",
            "{\"input\":{\"fabric\":\"%s\",\"ros\":\"supervisor\",\"dcm\":\"storage\"}}".formatted(fabric.name()))
            .orFail().json().getAsJsonObject("daqfabric-operations:output").getAsJsonObject("now")
            .getAsJsonObject("to-dcm");
        return way.getAsJsonArray("hop").asList().stream()
            .map(hop -> hop.getAsJsonObject().get("switch").getAsString()).distinct().toList();
    }
}
