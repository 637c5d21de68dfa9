package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.it.FabricState.Place;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An uneven fabric, as real ones are, works from its fabric file alone and is repaired. */
@ExtendWith(SharedController.class)
class UnevenFabricIT {
    private static final String DRAINED = "p1s2";
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        final var file = lab.generate("uneven", "--planes 3 --spines 3 --pods 4 --ros 2 --racks 2 --dcms 5");
        file.removeSpine(3, 3);
        // pods of 2 ROS and 2 racks, 1 and 2, 2 and 1, none and 1; racks of 1 to 5 DCMs
        file.removeRos("r2-2").removeRack("h3-1").removeRos("r4-1").removeRos("r4-2").removeRack("h4-2");
        Map.of("h1-2", 1, "h2-1", 2, "h2-2", 3, "h4-1", 4).forEach((rack, dcms) -> {
            for (int dcm = 5; dcm > dcms; dcm--) {
                file.removeDcm(rack + "d" + dcm);
            }
        });
        file.switchNamed(DRAINED).addProperty("admin-state", "drained");
        file.link("p2l1", "to-p2s1").addProperty("capacity", "5");
        file.dcm("h1-1d1").addProperty("weight", "2.5");
        file.dcm("h4-1d4").addProperty("weight", "0.5");
        file.ros("r3-1").addProperty("fragment-weight", "3");
        file.removeLink("r1-1", "to-p3l1").removeLink("h2-1", "to-p1l2");
        file.addLink("p1l1", "to-p1s1-b", "p1s1", "to-p1l1-b");
        file.fabric().getAsJsonObject("policy").addProperty("rules", "compressed");
        fabric = lab.converged(file);
    }

    /** Every pair has a path over the planes that both ends have. */
    @Test
    void everyRosReachesEveryDcm() {
        fabric.assertAllReachable();
        assertThat(fabric.state().reachableRos()).hasSize(20).allSatisfy((dcm, ros) -> assertThat(ros).isEqualTo(5));
    }

    /** Every switch of a ROS holds rules to prefixes, in total no more than hosts, and they are read back as sent. */
    @Test
    void switchesOfRosHoldRulesToPrefixes() {
        final var found = fabric.verify();
        assertThat(found.findings()).isEmpty();
        assertThat(found.lost()).isEmpty();
        for (var ros : List.of("r1-1", "r1-2", "r2-1", "r3-1", "r3-2")) {
            final var rules = fabric.contents(ros).rules().keySet().stream().filter(rule -> rule.contains("nw_dst="))
                .toList();
            assertThat(rules).as(ros).hasSizeLessThanOrEqualTo(1 + fabric.state().placement().size())
                .anyMatch(rule -> rule.matches(".*nw_dst=[0-9.]+/[0-9]+ .*"));
        }
    }

    /** Changing from rules to prefixes to a rule per DCM and back under traffic loses no packet. */
    @Test
    void rulePolicyChangesUnderTraffic() {
        final var policy = fabric.file().fabric().getAsJsonObject("policy");
        try (var ping = fabric.ping(10)) {
            for (var rules : List.of("host", "compressed")) {
                final var generation = fabric.state().generation();
                policy.addProperty("rules", rules);
                fabric.put(fabric.file()).awaitState(rules, state -> state.phase().equals("converged")
                    && state.generation() > generation);
                assertThat(fabric.contents("r1-1").rules().keySet()).anyMatch(rule -> rule.contains("nw_dst="))
                    .matches(all -> all.stream().anyMatch(rule -> rule.matches(".*nw_dst=[0-9.]+/.*"))
                        == rules.equals("compressed"));
            }
            ping.assertLostNothing(name -> true);
        }
        fabric.assertAllReachable();
    }

    /** Packets take the shortest path, over the placed spine, and never over a drained one. */
    @Test
    void packetsTakeThePathOfThePlacement() {
        final var placement = fabric.state().placement();
        for (var pair : List.of(List.of("r1-1", "h4-1d1"), List.of("r3-2", "h1-1d1"), List.of("r2-1", "h3-2d5"),
                List.of("r1-2", "h2-1d2"))) {
            final var path = fabric.trace(pair.get(0), pair.get(1));
            assertThat(path).hasSize(5);
            final var place = placement.get(pair.get(1));
            // a ROS without an uplink into the primary plane takes another
            if (!pair.get(0).equals("r1-1") || place.plane() != 3) {
                assertThat(path.get(2)).isEqualTo("p" + place.plane() + "s" + place.spine());
            }
        }
        assertThat(fabric.trace("r1-1", "h1-2d1")).as("within a pod").hasSize(3);
        assertThat(fabric.trace("h4-1d1", "r3-1")).as("back").hasSize(5);
        assertThat(placement.values()).doesNotContain(new Place(1, 2));
        assertThat(fabric.contents(DRAINED).packets()).as("IP packets in the drained spine").isZero();
    }

    /** Of two parallel links between a leaf and a spine, one is enough. */
    @Test
    void oneOfTwoParallelLinksCarriesOnAlone() {
        fabric.cut("p1l1", "to-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l1", "to-p1s1");
        fabric.assertAllReachable();
    }

    /** A pod without ROS only receives, so a cut link of its leaf moves only its own DCMs. */
    @Test
    void cutOfALeafSpineLinkMovesOnlyItsUsers() {
        final var before = fabric.state().placement();
        final var place = before.entrySet().stream().filter(each -> each.getKey().startsWith("h4-"))
            .map(Map.Entry::getValue).findFirst().orElseThrow();
        final var leaf = "p" + place.plane() + "l4";
        final var port = "to-p" + place.plane() + "s" + place.spine();
        final var users = new TreeMap<>(before);
        users.entrySet().removeIf(each -> !each.getKey().startsWith("h4-") || !each.getValue().equals(place));

        final var cut = fabric.cut(leaf, port);
        fabric.assertAllReachable();
        assertThat(cut.links("down")).containsExactly(leaf + ":" + port);
        final var moved = new TreeMap<>(before);
        moved.entrySet().removeAll(cut.placement().entrySet());
        assertThat(moved).isEqualTo(users);

        assertThat(fabric.restore(leaf, port).bandwidth()).isEqualTo(cut.nominalBandwidth());
        fabric.assertAllReachable();
        assertThat(fabric.contents(DRAINED).packets()).as("IP packets in the drained spine").isZero();
    }

    /** A rack whose uplink fails is reached over the other planes. */
    @Test
    void cutOfARackUplinkIsRepaired() {
        final var plane = fabric.state().placement().get("h1-1d1").plane();
        final var port = "to-p" + plane + "l1";
        final var cut = fabric.cut("h1-1", port);
        fabric.assertAllReachable();
        assertThat(cut.placement().get("h1-1d1").plane()).isNotEqualTo(plane);
        fabric.restore("h1-1", port);
        fabric.assertAllReachable();
    }
}
