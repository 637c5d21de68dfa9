package org.daqfabric.impl.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.junit.jupiter.api.Test;

/** Frames are sent where few packets pass, and those frames are not taken for packets. */
class IdleLinksTest {
    private static final Link LINK = new Link(new PortId("leaf", "up"), new PortId("spine", "down"), 10,
        AdminState.IN_SERVICE);
    private static final List<LinkDirection> BOTH = LinkDirection.of(LINK, 1, 2);
    private static final LinkDirection UP = BOTH.get(0);
    private static final LinkDirection DOWN = BOTH.get(1);

    /** What the leaf has sent and what the spine has, as counted. */
    private static Round round(long leaf, long spine) {
        Map<String, Map<Integer, PortCount>> leaves = Map.of("leaf", Map.of(1, new PortCount(0, leaf, 0)));
        return new Round(leaves, Map.of("spine", Map.of(2, new PortCount(0, spine, 0))), leaves);
    }

    private static IdleLinks after(IdleLinks before, long leaf, long spine) {
        return before.after(BOTH, Set.of(), Set.of(), round(leaf, spine), Map.of());
    }

    @Test
    void nothingIsSentBeforeItIsKnownWhatPasses() {
        assertThat(after(IdleLinks.UNKNOWN, 0, 0).idle()).isEmpty();
    }

    @Test
    void idleDirectionsAreFilledAndTheFramesAreNotCounted() {
        IdleLinks first = after(after(IdleLinks.UNKNOWN, 1000, 1000), 1079, 1080);
        assertThat(first.idle()).containsExactly(UP);
        IdleLinks second = first.after(BOTH, Set.of(), Set.of(), round(1079 + 500 + 10, 1090),
            Map.of(UP.out(), 500L));
        assertThat(second.idle()).containsExactlyInAnyOrder(UP, DOWN);
        IdleLinks busy = second.after(BOTH, Set.of(), Set.of(),
            round(1079 + 10 + 500 + 700 + IdleLinks.FRAMES, 1090 + 300),
            Map.of(UP.out(), 500L + 700L, DOWN.out(), 300L));
        assertThat(busy.idle()).containsExactly(DOWN);
    }

    /** A hundred packets a second may be all that a link carries: more of them would have no room in its queue. */
    @Test
    void nothingIsSentWherePacketsTakeLong() {
        IdleLinks first = after(IdleLinks.UNKNOWN, 0, 0);
        assertThat(first.after(BOTH, Set.of(), Set.of(UP), round(1, 1), Map.of()).idle()).containsExactly(DOWN);
    }

    @Test
    void nothingIsSentWhereALinkIsDownOrASwitchDoesNotAnswer() {
        IdleLinks first = after(IdleLinks.UNKNOWN, 0, 0);
        assertThat(first.after(BOTH, Set.of(UP.out(), DOWN.out()), Set.of(), round(0, 0), Map.of()).idle()).isEmpty();
        assertThat(first.after(BOTH, Set.of(), Set.of(), new Round(Map.of(), round(0, 0).between(), Map.of()),
            Map.of()).idle()).containsExactly(DOWN);
    }
}
