package org.daqfabric.impl.controller.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Two planes of one spine, two pods of a ROS and a rack; in plane 2 the link of pod 2's leaf failed and returns. */
class HeldLinksTest {
    private static final Topology TOPOLOGY = new Topology(TestFabrics.regular("small", 2, 1, 2, 1, 1, 1));
    private static final PortId RETURNED = link("leaf-2-2", "spine-2-1");
    /** Without it this ROS has plane 2 only. */
    private static final PortId CUT = link("ros-2-01", "leaf-1-2");
    private static final Map<String, Set<PortId>> NONE_OUT_OF_REACH = Map.of();
    private static final Map<String, Set<PortId>> LEAF_OUT_OF_REACH = Map.of("leaf-2-1",
        Stream.of("leaf-2-1", "leaf-2-2").flatMap(leaf -> TOPOLOGY.segments(leaf).stream()).map(Segment::id)
            .collect(Collectors.toSet()));

    private static PortId link(String one, String other) {
        return TOPOLOGY.segments(one).stream()
            .filter(segment -> segment.lower().switchName().equals(other) || segment.upper().switchName().equals(other))
            .map(Segment::id).findFirst().orElseThrow();
    }

    @Test
    void linkWaitsWhileAllHaveAnotherPath() {
        HeldLinks held = HeldLinks.NONE.next(TOPOLOGY, Set.of(RETURNED), Set.of(), Set.of(), LEAF_OUT_OF_REACH);
        assertThat(held).isEqualTo(new HeldLinks(Set.of(RETURNED), Set.of(), Set.of()));
    }

    @Test
    void linkWithoutWhichSomeSwitchHasNoPathIsUsedAtOnce() {
        HeldLinks held = HeldLinks.NONE.next(TOPOLOGY, Set.of(RETURNED), Set.of(), Set.of(CUT), NONE_OUT_OF_REACH);
        assertThat(held).isEqualTo(new HeldLinks(Set.of(), Set.of(), Set.of(RETURNED)));
    }

    /** The leaf out of reach has no rule by which it could use the link. */
    @Test
    void switchOutOfReachIsAvoidedByAllThatHaveAnotherPathWhileALinkIsUsedAtOnce() {
        HeldLinks held = HeldLinks.NONE.next(TOPOLOGY, Set.of(RETURNED), Set.of(), Set.of(CUT), LEAF_OUT_OF_REACH);
        assertThat(held.usedAtOnce()).containsExactly(RETURNED);
        assertThat(held.avoided()).contains(link("ros-1-01", "leaf-2-1")).doesNotContain(CUT, RETURNED);
        HeldLinks later = held.next(TOPOLOGY, Set.of(), Set.of(), Set.of(CUT), LEAF_OUT_OF_REACH);
        assertThat(later.avoided()).as("as long as it is out of reach").isEqualTo(held.avoided());
        PortId otherUplink = link("ros-1-01", "leaf-1-1");
        assertThat(held.next(TOPOLOGY, Set.of(), Set.of(), Set.of(CUT, otherUplink), LEAF_OUT_OF_REACH).avoided())
            .as("where nothing else is left").doesNotContain(link("ros-1-01", "leaf-2-1"));
        assertThat(later.next(TOPOLOGY, Set.of(), Set.of(), Set.of(CUT), NONE_OUT_OF_REACH)).isEqualTo(HeldLinks.NONE);
    }

    private static HeldLinks usedAtOnce() {
        return HeldLinks.NONE.next(TOPOLOGY, Set.of(RETURNED), Set.of(), Set.of(CUT), NONE_OUT_OF_REACH);
    }

    @Test
    void linkThatIsNotNeededAnyMoreIsGivenBack() {
        assertThat(usedAtOnce().next(TOPOLOGY, Set.of(RETURNED), Set.of(), Set.of(), NONE_OUT_OF_REACH))
            .isEqualTo(new HeldLinks(Set.of(RETURNED), Set.of(), Set.of()));
    }

    /** Of two of which one is needed the one that is in use stays in use. */
    @Test
    void linksAreNotExchangedForNothing() {
        assertThat(usedAtOnce().next(TOPOLOGY, Set.of(RETURNED, CUT), Set.of(), Set.of(), NONE_OUT_OF_REACH))
            .isEqualTo(new HeldLinks(Set.of(CUT), Set.of(), Set.of(RETURNED)));
    }

    /** A switch in doubt is used only where no other candidate helps. */
    @Test
    void linkToASwitchInDoubtIsGivenBackForOneThatWaits() {
        HeldLinks doubted = HeldLinks.NONE.next(TOPOLOGY, Set.of(RETURNED), Set.of(RETURNED), Set.of(CUT),
            NONE_OUT_OF_REACH);
        assertThat(doubted.usedAtOnce()).containsExactly(RETURNED);
        assertThat(doubted.next(TOPOLOGY, Set.of(RETURNED, CUT), Set.of(RETURNED), Set.of(), NONE_OUT_OF_REACH))
            .isEqualTo(new HeldLinks(Set.of(RETURNED), Set.of(), Set.of(CUT)));
    }
}
