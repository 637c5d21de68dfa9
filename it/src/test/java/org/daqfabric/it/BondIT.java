package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A rack whose two links are bonds of two cables each, made by DPDK. Virtual devices never lose their carrier, so a
 * bond goes on sending over the member it has chosen, the first: only BFD sees when that is lost.
 */
@Tag("alone") // its switches take whole processors
@ExtendWith(SharedController.class)
class BondIT {
    private static final int MTU = 1500;
    /** MB; for an MTU up to 1500 bytes Open vSwitch wants room for 262144 packets, and for a larger one for 16384. */
    private static final int MEMORY = 2048;
    /** Of a bond and its members: one for the PMD thread and one for all other threads. */
    private static final int QUEUES = 2;
    /** Ends the name of a bond's second cable. */
    private static final String SECOND = "-b";

    /**
     * DCMs are placed over the bonds and answer; without the cable in reserve nothing happens; without both the link is
     * down and its DCMs move; with them all is well again. The state has one port for a bond.
     */
    @Test
    void linksOfARackAreBonds(final Lab lab) {
        final var file = PolledPorts.file(lab, "bond", MTU, (switchName, port) -> device(port));
        final var cabled = file.copy();
        final var leaves = new StringJoiner(" ");
        final var rack = new StringJoiner(" ");
        for (var link : file.linksOf(PolledPorts.RACK)) {
            final var port = link.get("port").getAsString();
            final var peer = link.get("peer-port").getAsString();
            assertThat(link.get("switch").getAsString()).isEqualTo(PolledPorts.RACK);
            link.add("port-settings", bond(port));
            link.add("peer-port-settings", bond(peer));
            members(port).forEach(rack::add);
            members(peer).forEach(leaves::add);
            cabled.addLink(PolledPorts.RACK, port + SECOND, link.get("peer-switch").getAsString(), peer + SECOND);
        }
        for (var node : PolledPorts.nodes()) {
            final var members = node.equals(PolledPorts.RACK) ? rack : node.equals(PolledPorts.ROS) ? "" : leaves;
            file.switchNamed(node).add("dpdk", dpdk(file.name() + node, members.toString()));
        }
        final var fabric = lab.fabric(cabled).upWithDpdk();
        PolledPorts.sleepWhenIdle(fabric);
        fabric.put(file).awaitPhase("converged");
        PolledPorts.assertAllAnswer(fabric, MTU);
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.awaitState("one port for each bond", FabricState::areAllPortsKnown);

        final var dcm = fabric.state().placement().get("h1-1d1");
        final var port = "to-p" + dcm.plane() + "l1";
        final var moves = fabric.state().moves();
        fabric.daqlab("cut", PolledPorts.RACK, port + SECOND);
        PolledPorts.assertAllAnswer(fabric, MTU);
        assertThat(fabric.state().links("down")).isEmpty();
        assertThat(fabric.state().moves()).isEqualTo(moves);

        final var repaired = fabric.cut(PolledPorts.RACK, port);
        assertThat(repaired.links("down")).isEqualTo(Set.of(PolledPorts.RACK + ':' + port));
        assertThat(repaired.placement().get("h1-1d1").plane()).isNotEqualTo(dcm.plane());
        PolledPorts.assertAllAnswer(fabric, MTU);

        fabric.daqlab("restore", PolledPorts.RACK, port + SECOND);
        fabric.restore(PolledPorts.RACK, port);
        PolledPorts.assertAllAnswer(fabric, MTU);

        fabric.delete();
        fabric.awaitGone();
        PolledPorts.assertNothingLeft(fabric);
    }

    private static JsonObject device(final String port) {
        final var settings = new JsonObject();
        settings.addProperty("kind", "dpdk");
        settings.addProperty("devargs", "net_pcap_" + port + ",iface=" + port);
        return settings;
    }

    private static JsonObject bond(final String port) {
        final var members = new JsonArray();
        Stream.of(port, port + SECOND).map(BondIT::member).forEach(members::add);
        final var bond = new JsonObject();
        bond.addProperty("mode", "active-backup");
        bond.add("member", members);
        final var settings = new JsonObject();
        settings.addProperty("kind", "bond");
        settings.addProperty("n-rxq", QUEUES);
        settings.add("bond", bond);
        return settings;
    }

    /** What DPDK must make when it starts. */
    private static List<String> members(final String port) {
        return Stream.of(port, port + SECOND).map(cable ->
            "--vdev=" + member(cable) + ",iface=" + cable + ",qpairs=" + QUEUES).toList();
    }

    private static String member(final String cable) {
        return "net_af_packet_" + cable;
    }

    private static JsonObject dpdk(final String prefix, final String members) {
        final var dpdk = new JsonObject();
        dpdk.addProperty("pmd-cpus", "1");
        dpdk.addProperty("extra", "--no-huge --legacy-mem -m " + MEMORY + " --no-pci --no-telemetry --file-prefix="
            + prefix + (members.isEmpty() ? "" : " " + members));
        return dpdk;
    }
}
