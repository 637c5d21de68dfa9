package org.daqfabric.it;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.TreeMap;
import org.daqfabric.it.FabricState.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Repair of the prototype of the thesis: the highest possible bandwidth with the fewest moves. */
@ExtendWith(SharedController.class)
class RepairIT {
    /**
     * Four spines carry 12 DCMs each. A cut moves the DCMs of the spine to the other one of its plane, then spreads
     * them over the three others, and they return.
     */
    @Test
    void cutMovesExactlyTheUsersOfTheLinkEvenly(final Lab lab, @TempDir final Path folder) {
        final var fabric = lab.converged(lab.generate("proto", "--prototype").withBfd(true));
        final var whole = fabric.state();
        assertThat(whole.dcmsOfSpines()).hasSize(4).allSatisfy((spine, dcms) -> assertThat(dcms).isEqualTo(12));
        assertThat(whole.bandwidth()).isEqualTo(120);
        fabric.assertAllReachable();

        final FabricState cut;
        try (var modifications = fabric.modifications(folder); var ping = fabric.ping(2)) {
            modifications.awaitAll();
            fabric.cut("p1l2", "to-p1s1");
            cut = fabric.awaitState("the balance after the repair", FabricState::isBalanced);
            fabric.assertAllReachable();
            final var balanced = cut.json().getAsJsonObject("last-rebalanced");
            final var begun = OffsetDateTime.parse(balanced.get("begun").getAsString()).toInstant();
            assertThat(cut.balancedDcms()).isBetween(1, 12);
            // the leaves of the plane, and the spine that turns packets back
            assertThat(modifications.before(begun)).isNotEmpty();
            assertThat(modifications.before(begun).keySet()).isSubsetOf("p1l1", "p1l2", "p1s1");
            assertThat(modifications.since(begun).keySet()).anyMatch(each -> each.startsWith("h"));
            ping.assertLostNothingSince(begun);
        }
        final var lost = new Place(1, 1);
        // both pods have ROS and DCMs, so all traffic of the spine needs both its links
        final var users = new TreeMap<>(whole.placement());
        users.values().removeIf(place -> !place.equals(lost));
        final var moved = new TreeMap<>(whole.placement());
        moved.entrySet().removeAll(cut.placement().entrySet());
        assertThat(moved).isEqualTo(users);
        assertThat(cut.movedDcms()).as("of the leaf's pod; from there to others packets take the backup").isEqualTo(6);
        // limited by the uplinks of the racks: 5 of 8 DCMs in one plane is the optimum, which gives 96 of 120 Gbps
        assertThat(cut.bandwidth()).isEqualTo(96);
        assertThat(fabric.file().hosts().values().stream().filter(FabricFile.Host::isDcm).collect(groupingBy(
            host -> host.edge() + " plane " + cut.placement().get(host.name()).plane(), counting())))
            .hasSize(12).allSatisfy((uplink, dcms) -> assertThat(dcms).isBetween(3L, 5L));
        assertThat(cut.dcmsOfSpines().get(lost)).isZero();
        assertThat(cut.dcmsOfSpines().get(new Place(2, 1))).isEqualTo(cut.dcmsOfSpines().get(new Place(2, 2)));
        assertThat(cut.nominalBandwidth()).isEqualTo(120);
        assertThat(cut.links("down")).containsExactly("p1l2:to-p1s1");

        final var restored = fabric.restore("p1l2", "to-p1s1");
        assertThat(restored.bandwidth()).isEqualTo(120);
        assertThat(restored.dcmsOfSpines().get(lost)).isPositive();
        fabric.assertAllReachable();
    }
}
