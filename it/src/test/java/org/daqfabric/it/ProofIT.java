package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A link that is up by carrier and BFD, and loses all packets of hosts, is found by packets that take their way. */
@ExtendWith(SharedController.class)
class ProofIT {
    /** Makes all ports to other switches lose what comes from the addresses of a set, which is empty. */
    private static final String LOSE = "nft 'add table netdev proof; add set netdev proof lost { type ipv4_addr; }'; "
        + "for port in $(ls /sys/class/net | grep ^to-); do nft \"add chain netdev proof $port "
        + "{ type filter hook egress device $port priority 0; }; "
        + "add rule netdev proof $port ip saddr @lost drop\"; done";
    private static final String LINK = "p1l1:to-p1s1";
    /** Of the second leaf, where there is one spine. */
    private static final String ONLY_LINK = "p1l2:to-p1s1";
    /** A second on a quiet machine; more pairs are sent on a busy one. */
    private static final Duration NOTICED = Duration.ofSeconds(10);

    @Test
    void aLinkThatLosesPacketsOneWayIsNotUsedUntilTheyPassAgain(final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("proof",
            "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4").withBfd(true));
        fabric.assertAllReachable();

        // BFD's packets have other addresses, and are small
        for (var lost : List.of("ip daddr 10.0.0.0/8", "meta length > 1000")) {
            final var begun = Instant.now();
            drop(fabric, "to-p1l1", lost);
            final var found = fabric.awaitState("the link loses " + lost, state ->
                state.links("down").equals(Set.of(LINK)));
            assertThat(Duration.between(begun, Instant.now())).isLessThan(NOTICED);
            assertThat(found.json().toString()).contains("\"silent-from-peer\":true").doesNotContain("silent-to-peer");
            fabric.awaitPhase("degraded").assertAllReachable();
            try (var shell = new Shell(controller)) {
                FirstFinding.await(shell, fabric.name(),
                    "is up, and no packets pass from p1s1:to-p1l1 to p1l1:to-p1s1");
            }

            nft(fabric, "delete table netdev proof");
            fabric.awaitPhase("converged").assertAllReachable();
            assertThat(fabric.state().links("down")).isEmpty();
        }
    }

    /**
     * Chains pass where packets to one address are lost; the turn of its pairs finds them, and a run is refused. Where
     * all packets to a pod are lost, and there is no other way, its DCMs are cut off from the ROS of the other.
     */
    @Test
    void packetsToOneAddressAreMissed(final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("pairs",
            "--planes 1 --spines 1 --pods 2 --ros 1 --racks 1 --dcms 2").withBfd(true));
        fabric.awaitState("all pairs are proven", state -> placements(state).stream().allMatch(each ->
            each.has("last-proof") && !each.has("missed-ros")));
        final var address = fabric.file().hosts().get("h2-1d2").address();
        drop(fabric, "to-p1l2", "ip daddr " + address);
        final var found = fabric.awaitState("its pairs are missed", state -> placements(state).stream().anyMatch(each ->
            each.has("missed-ros")));
        assertThat(placements(found)).allSatisfy(each -> assertThat(each.has("missed-ros"))
            .isEqualTo(each.get("dcm").getAsString().equals("h2-1d2")));
        assertThat(found.links("down")).isEmpty();
        try (var shell = new Shell(controller)) {
            assertThat(FirstFinding.await(shell, fabric.name(), "packets do not arrive at 1 of 4 DCMs").what())
                .contains("the first: h2-1d2, from or to r1-1");
        }
        final var partition = new RunPartition(controller.restconf(), "pairs", fabric.name()).prepared("");
        assertThat(partition.ask("arm", "").toString()).contains("packets from or to ROS r1-1 do not arrive");
        nft(fabric, "delete table netdev proof");
        fabric.awaitState("none is missed", state -> placements(state).stream().noneMatch(each ->
            each.has("missed-ros")));
        partition.armed().ask("abort", "").orFail();

        final var begun = Instant.now();
        drop(fabric, "to-p1l2", "ip daddr 10.0.0.0/8");
        fabric.awaitState("the other pod is not reached", state -> state.links("down").equals(Set.of(ONLY_LINK))
            && state.reachableRos().values().stream().allMatch(each -> each == 1));
        assertThat(Duration.between(begun, Instant.now())).isLessThan(NOTICED);
        assertThat(fabric.missingPairs()).isEqualTo(Set.of(Set.of("h1-1d1", "r2-1"), Set.of("h1-1d2", "r2-1"),
            Set.of("h2-1d1", "r1-1"), Set.of("h2-1d2", "r1-1")));
        final var resource = "fabric/" + fabric.name();
        AlarmWatch.awaitIn(controller.restconf(), "link-down", resource + "/link/" + ONLY_LINK, false);
        AlarmWatch.awaitIn(controller.restconf(), "dcms-cut-off", resource, false);
        nft(fabric, "delete table netdev proof");
        fabric.awaitPhase("converged").assertAllReachable();
    }

    /** Where no proof arrives at all no link is at fault: hosts are reached, and an alarm says what is not known. */
    @Test
    void silenceOfAllIsNoFailureOfLinks(final Lab lab, final Distribution controller) {
        final var fabric = lab.converged(lab.generate("silence",
            "--planes 1 --spines 1 --pods 2 --ros 1 --racks 1 --dcms 1").withBfd(true));
        fabric.awaitState("all pairs are proven", state -> placements(state).stream().allMatch(each ->
            each.has("last-proof")));
        final var resource = "fabric/" + fabric.name();
        try (var watch = new AlarmWatch(controller); var shell = new Shell(controller)) {
            fabric.file().switches().forEach(each -> fabric.daqlab("exec", each, "--", "sh", "-ec", LOSE));
            everywhere(fabric, controller, "add element netdev proof lost { 192.0.0.8 }");
            watch.awaitRaised("proofs-silent", resource);
            FirstFinding.await(shell, fabric.name(), "none of the packets that prove its paths has arrived");
            assertThat(watch.text("daqfabric:doctor --fabric " + fabric.name())).doesNotContain("every ROS has a path");
            fabric.assertAllReachable();
            final var state = fabric.state();
            assertThat(state.links("down")).isEmpty();
            assertThat(state.json().getAsJsonObject("proofs-silent").has("since")).isTrue();
            everywhere(fabric, controller, "delete table netdev proof");
            watch.awaitCleared("proofs-silent", resource);
        }
        assertThat(fabric.state().json().has("proofs-silent")).isFalse();
        assertThat(fabric.state().links("down")).isEmpty();
    }

    /** On all nodes before the controller sends the next packet. */
    private static void everywhere(final LabFabric fabric, final Distribution controller, final String command) {
        final var pid = Long.toString(controller.pid());
        Processes.run(List.of("kill", "-STOP", pid)).orFail();
        try {
            fabric.file().switches().forEach(each -> Processes.run(List.of("ip", "netns", "exec",
                fabric.namespace(each), "nft", command)).orFail());
        } finally {
            Processes.run(List.of("kill", "-CONT", pid)).orFail();
        }
    }

    private static List<JsonObject> placements(final FabricState state) {
        return FabricFile.entries(state.json(), "placement");
    }

    /** The first spine loses some of what it sends by a port. */
    private static void drop(final LabFabric fabric, final String port, final String which) {
        nft(fabric, "add table netdev proof; add chain netdev proof out { type filter hook egress device \"" + port
            + "\" priority 0; }; add rule netdev proof out " + which + " drop");
    }

    private static void nft(final LabFabric fabric, final String commands) {
        fabric.daqlab("exec", "p1s1", "--", "nft", commands);
    }
}
