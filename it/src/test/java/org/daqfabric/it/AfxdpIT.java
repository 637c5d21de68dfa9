package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fabric whose links are AF_XDP ports. */
@Tag("alone") // its switches take whole processors
@ExtendWith(SharedController.class)
class AfxdpIT {
    /** The most that Open vSwitch has room for in such a port. */
    private static final int MTU = 3698;

    /**
     * It comes up with the largest MTU of such ports, a cut is found by carrier and BFD and repaired, ports change
     * their kind and keep their numbers, and the fabric goes without a trace.
     */
    @Test
    void allLinksAreAfxdpPorts(final Lab lab) {
        final var file = PolledPorts.file(lab, "afxdp", MTU, (switchName, port) -> afxdp());
        for (var node : PolledPorts.nodes()) {
            final var dpdk = new JsonObject();
            dpdk.addProperty("pmd-cpus", "1");
            file.switchNamed(node).add("dpdk", dpdk);
        }
        final var fabric = lab.fabric(file).upWithDpdk();
        PolledPorts.sleepWhenIdle(fabric);
        fabric.put(file).awaitPhase("converged");
        PolledPorts.assertAllAnswer(fabric, MTU);
        assertThat(fabric.verify().findings()).isEmpty();
        assertThat(fabric.vsctl(PolledPorts.RACK, "get", "Open_vSwitch", ".", "other_config"))
            .containsExactly("{pmd-cpu-mask=\"0x2\", pmd-maxsleep=\"200\"}");

        final var port = "to-p" + fabric.state().placement().get("h1-1d1").plane() + "l1";
        fabric.cut(PolledPorts.RACK, port);
        assertThat(fabric.vsctl(PolledPorts.RACK, "get", "Interface", port, "link_state")).containsExactly("down");
        PolledPorts.assertAllAnswer(fabric, MTU);
        fabric.restore(PolledPorts.RACK, port);

        final var number = PolledPorts.port(fabric, PolledPorts.RACK, port).split(" ")[1];
        assertThat(PolledPorts.port(fabric, PolledPorts.RACK, port)).isEqualTo("afxdp " + number);
        final var kernel = file.copy();
        FabricFile.entries(kernel.fabric(), "link").forEach(link -> {
            link.remove("port-settings");
            link.remove("peer-port-settings");
        });
        fabric.put(kernel).awaitState("ports of the kernel", state -> state.phase().equals("converged")
            && PolledPorts.port(fabric, PolledPorts.RACK, port).equals("\"\" " + number));
        PolledPorts.assertAllAnswer(fabric, MTU);
        fabric.put(file).awaitState("AF_XDP ports again", state -> state.phase().equals("converged")
            && PolledPorts.port(fabric, PolledPorts.RACK, port).equals("afxdp " + number));
        PolledPorts.assertAllAnswer(fabric, MTU);

        fabric.delete();
        fabric.awaitGone();
        PolledPorts.assertNothingLeft(fabric);
    }

    private static JsonObject afxdp() {
        final var settings = new JsonObject();
        settings.addProperty("kind", "afxdp");
        settings.addProperty("xdp-mode", "generic");
        return settings;
    }
}
