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
        return before.after(BOTH, Set.of(), round(leaf, spine));
    }

    @Test
    void nothingIsSentBeforeItIsKnownWhatPasses() {
        assertThat(after(IdleLinks.UNKNOWN, 0, 0).idle()).isEmpty();
    }

    @Test
    void idleDirectionsAreFilledAndTheFramesAreNotCounted() {
        IdleLinks first = after(after(IdleLinks.UNKNOWN, 1000, 1000), 1079, 1080);
        assertThat(first.idle()).containsExactly(UP);
        assertThat(first.filled()).isEmpty();
        IdleLinks second = after(first, 1079 + IdleLinks.FRAMES + 10, 1090);
        assertThat(second.idle()).containsExactlyInAnyOrder(UP, DOWN);
        assertThat(second.filled()).isEqualTo(Map.of(UP.out(), (long) IdleLinks.FRAMES));
        IdleLinks busy = after(second, 1079 + 10 + 3L * IdleLinks.FRAMES, 1090 + IdleLinks.FRAMES);
        assertThat(busy.idle()).containsExactly(DOWN);
        assertThat(busy.filled()).isEqualTo(Map.of(UP.out(), 2L * IdleLinks.FRAMES, DOWN.out(),
            (long) IdleLinks.FRAMES));
    }

    @Test
    void nothingIsSentWhereALinkIsDownOrASwitchDoesNotAnswer() {
        IdleLinks first = after(IdleLinks.UNKNOWN, 0, 0);
        assertThat(first.after(BOTH, Set.of(UP.out(), DOWN.out()), round(0, 0)).idle()).isEmpty();
        assertThat(first.after(BOTH, Set.of(), new Round(Map.of(), round(0, 0).between(), Map.of())).idle())
            .containsExactly(DOWN);
    }
}
