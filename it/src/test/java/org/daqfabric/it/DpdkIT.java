package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fabric whose links are DPDK ports: virtual devices over the cables of the lab, without huge pages. */
@Tag("alone") // its switches take whole processors
@ExtendWith(SharedController.class)
class DpdkIT {
    private static final int MTU = 9000;

    /**
     * It comes up with an MTU of 9000, a cut is repaired, ports change their kind and keep their numbers, a device that
     * is not there is named and costs nothing else, settings that DPDK reads at its start ask for a restart, and the
     * fabric goes without a trace.
     */
    @Test
    void allLinksAreDpdkPorts(final Lab lab) {
        final var file = PolledPorts.file(lab, "dpdk", MTU, DpdkIT::device);
        for (var node : PolledPorts.nodes()) {
            file.switchNamed(node).add("dpdk", dpdk(file.name(), node, 512));
        }
        final var fabric = lab.fabric(file).upWithDpdk();
        PolledPorts.sleepWhenIdle(fabric);
        fabric.put(file).awaitPhase("converged");
        PolledPorts.assertAllAnswer(fabric, MTU);
        assertThat(fabric.verify().findings()).isEmpty();

        fabric.awaitState("what the ports are", state -> FabricFile.entries(state.json(), "port").stream()
            .filter(each -> each.has("mtu") && each.get("mtu").getAsInt() == MTU && each.has("speed")
                && !each.has("fault")).count() == 2 * FabricFile.entries(state.json(), "link").size());

        fabric.tellLoad(PolledPorts.RACK);
        fabric.awaitState("which thread polls the ports of a node that tells it", state ->
            FabricFile.entries(state.json(), "port").stream().filter(DpdkIT::isPolledByProcessor1).map(each ->
                each.get("switch").getAsString()).toList().equals(List.of(PolledPorts.RACK, PolledPorts.RACK)));

        // carrier of such a device is never lost: BFD finds the cut
        final var port = "to-p" + fabric.state().placement().get("h1-1d1").plane() + "l1";
        fabric.cut(PolledPorts.RACK, port);
        assertThat(fabric.state().links("down")).hasSize(1);
        PolledPorts.assertAllAnswer(fabric, MTU);
        fabric.restore(PolledPorts.RACK, port);

        final var number = PolledPorts.port(fabric, PolledPorts.RACK, port).split(" ")[1];
        assertThat(PolledPorts.port(fabric, PolledPorts.RACK, port)).isEqualTo("dpdk " + number);
        fabric.put(withKernelPort(file, port)).awaitState("a port of the kernel", state ->
            state.phase().equals("converged")
                && PolledPorts.port(fabric, PolledPorts.RACK, port).equals("\"\" " + number));
        PolledPorts.assertAllAnswer(fabric, MTU);
        // this end sees that it has lost its carrier; nothing may have to move, as a link that came and went waits
        fabric.daqlab("cut", PolledPorts.RACK, port);
        fabric.awaitState("the cut", state -> state.links("down").size() == 1
            && fabric.vsctl(PolledPorts.RACK, "get", "Interface", port, "link_state").equals(List.of("down")));
        PolledPorts.assertAllAnswer(fabric, MTU);
        fabric.restore(PolledPorts.RACK, port);
        fabric.put(file).awaitState("a DPDK port again", state -> state.phase().equals("converged")
            && PolledPorts.port(fabric, PolledPorts.RACK, port).equals("dpdk " + number));

        fabric.put(withDevice(file, port, "0000:99:00.0")).awaitState("an unknown card", state ->
            lastError(state, PolledPorts.RACK).contains(port + ": Error attaching device '0000:99:00.0' to DPDK: DPDK"
                + " has no such device"));
        PolledPorts.assertAllAnswer(fabric, MTU);

        final var larger = file.copy();
        larger.switchNamed(PolledPorts.ROS).add("dpdk", dpdk(file.name(), PolledPorts.ROS, 600));
        fabric.put(larger).awaitState("a restart to be asked for", state ->
            lastError(state, PolledPorts.ROS).startsWith("restart ovs-vswitchd on "));
        fabric.daqlab("restart", PolledPorts.ROS);
        fabric.awaitPhase("converged");
        PolledPorts.assertAllAnswer(fabric, MTU);

        fabric.delete();
        fabric.awaitGone();
        PolledPorts.assertNothingLeft(fabric);
    }

    private static boolean isPolledByProcessor1(final JsonObject port) {
        return FabricFile.entries(port, "queue").stream().anyMatch(queue -> queue.get("id").getAsInt() == 0
            && queue.get("core").getAsInt() == 1
            && queue.get("thread-busy").getAsInt() >= queue.get("busy").getAsInt());
    }

    /** DPDK's device for what libpcap reads from a network device; that of af_packet has no MTU above 1500. */
    private static JsonObject device(final String switchName, final String port) {
        return device("net_pcap_" + port + ",iface=" + port);
    }

    private static JsonObject device(final String devargs) {
        final var settings = new JsonObject();
        settings.addProperty("kind", "dpdk");
        settings.addProperty("devargs", devargs);
        return settings;
    }

    private static JsonObject dpdk(final String fabric, final String node, final int megabytes) {
        final var dpdk = new JsonObject();
        dpdk.addProperty("pmd-cpus", "1");
        dpdk.addProperty("extra", "--no-huge --legacy-mem -m " + megabytes + " --no-pci --no-telemetry --file-prefix="
            + fabric + node);
        return dpdk;
    }

    private static FabricFile withKernelPort(final FabricFile file, final String port) {
        final var changed = file.copy();
        settings(changed, port).entrySet().clear();
        return changed;
    }

    private static FabricFile withDevice(final FabricFile file, final String port, final String devargs) {
        final var changed = file.copy();
        settings(changed, port).addProperty("devargs", devargs);
        return changed;
    }

    /** The settings of a port of the rack. */
    private static JsonObject settings(final FabricFile file, final String port) {
        for (var link : file.linksOf(PolledPorts.RACK)) {
            if (link.get("switch").getAsString().equals(PolledPorts.RACK)
                    && link.get("port").getAsString().equals(port)) {
                return link.getAsJsonObject("port-settings");
            }
            if (link.get("peer-switch").getAsString().equals(PolledPorts.RACK)
                    && link.get("peer-port").getAsString().equals(port)) {
                return link.getAsJsonObject("peer-port-settings");
            }
        }
        throw new AssertionError("no link at " + port);
    }

    private static String lastError(final FabricState state, final String switchName) {
        final var error = state.switchNamed(switchName).get("last-error");
        return error == null ? "" : error.getAsString();
    }
}
