package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cable in the wrong port is found, reported and avoided. */
@ExtendWith(SharedController.class)
class CablingIT {
    private static final Duration TIME_TO_DETECT = Duration.ofSeconds(30);
    private static final String FIRST_LINK = "p1l1:to-p1s1";
    private static final String SECOND_LINK = "p1l2:to-p1s2";

    /** The configuration is wrong instead of the cables; the controller cannot tell the difference. */
    @Test
    void swappedCablesAreReportedAndAvoided(final Lab lab, final Distribution controller) {
        final var right = lab.generate("cabling", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4");
        final var wrong = right.copy();
        final var one = wrong.link("p1l1", "to-p1s1");
        final var other = wrong.link("p1l2", "to-p1s2");
        for (var leaf : Set.of("peer-switch", "peer-port")) {
            final var value = one.get(leaf);
            one.add(leaf, other.get(leaf));
            other.add(leaf, value);
        }

        final var fabric = lab.fabric(right).up().put(wrong);
        fabric.awaitState("programmed", state -> Set.of("converged", "degraded").contains(state.phase()));
        final var programmed = Instant.now();
        final var found = fabric.awaitState("what is wrong", state ->
            state.links("miscabled").equals(Set.of(FIRST_LINK, SECOND_LINK))
            && state.seenPeers().keySet().containsAll(Set.of(FIRST_LINK, SECOND_LINK)));
        assertThat(Duration.between(programmed, Instant.now())).isLessThan(TIME_TO_DETECT);
        assertThat(found.seenPeers()).containsEntry(FIRST_LINK, "p1s1:to-p1l1")
            .containsEntry(SECOND_LINK, "p1s2:to-p1l2");
        assertWarned(controller, fabric.name(), FIRST_LINK, "p1s1:to-p1l1", "p1s2:to-p1l2", SECOND_LINK);
        assertWarned(controller, fabric.name(), SECOND_LINK, "p1s2:to-p1l2", "p1s1:to-p1l1", FIRST_LINK);
        fabric.awaitPhase("degraded").assertAllReachable();
        try (var shell = new Shell(controller)) {
            assertThat(FirstFinding.await(shell, fabric.name(), "are exchanged").advice())
                .startsWith("exchange the plugs in p1s2:to-p1l2 and p1s1:to-p1l1");
        }

        final var all = fabric.awaitState("all cables known", FabricState::areAllCablesKnown);
        for (var link : FabricFile.entries(right.fabric(), "link")) {
            assertThat(all.seenPeers()).containsEntry(
                link.get("switch").getAsString() + ":" + link.get("port").getAsString(),
                link.get("peer-switch").getAsString() + ":" + link.get("peer-port").getAsString());
        }

        fabric.put(right).awaitState("all well", state ->
            state.phase().equals("converged") && state.links("up").size() == all.seenPeers().size());
        fabric.assertAllReachable();
    }

    /**
     * A warning names both ends and the expected port, whichever end noticed first.
     *
     * @param seen the port found from the link's own end
     * @param peer the port expected there
     * @param atPeer the port found from that end
     */
    private static void assertWarned(final Distribution controller, final String fabric, final String link,
            final String seen, final String peer, final String atPeer) {
        await("warning of " + link).untilAsserted(() -> assertThat(controller.logLines())
            .filteredOn(line -> line.contains("fabric " + fabric + ": link " + link + " is miscabled: ")).isNotEmpty()
            .allMatch(line -> line.contains("WARN")
                && (line.contains(link + " sees " + seen + ", expected " + peer)
                    || line.contains(peer + " sees " + atPeer + ", expected " + link))));
    }
}
