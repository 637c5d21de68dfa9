package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import org.junit.jupiter.api.Test;

/** Refused connections that are held. */
class HeldConnectionsTest {
    private static final long TIME = HeldConnections.TIME.toNanos();

    private final WantedAddresses wanted = new WantedAddresses();
    private final HeldConnections<Integer> held = new HeldConnections<>(wanted);

    @Test
    void eachIsHeldForItsTime() {
        assertThat(held.hold(1, address(1), 0)).isTrue();
        assertThat(held.hold(2, address(1), 10)).isTrue();
        assertThat(held.over(TIME - 1)).isEmpty();
        assertThat(held.over(TIME)).containsExactly(1);
        assertThat(held.over(TIME)).isEmpty();
        assertThat(held.over(TIME + 10)).containsExactly(2);
    }

    /** A node may be among them, which connects again then; where it was one before, it connects too often as such. */
    @Test
    void noneIsHeldOfAnAddressThatHasANodeNow() {
        wanted.add(address(3));
        held.hold(1, address(1), 0);
        held.hold(2, address(2), 0);
        held.hold(3, address(3), 0);
        wanted.add(address(2));
        assertThat(held.over(1)).containsExactly(2);
        assertThat(held.over(TIME)).containsExactly(1, 3);
    }

    @Test
    void anAddressHasOnlySoMany() {
        for (int each = 0; each < HeldConnections.OF_ADDRESS; each++) {
            assertThat(held.hold(each, address(1), 0)).isTrue();
        }
        assertThat(held.hold(-1, address(1), 0)).isFalse();
        assertThat(held.hold(-2, address(2), 1)).isTrue();
        assertThat(held.over(TIME)).hasSize(HeldConnections.OF_ADDRESS);
        assertThat(held.hold(-1, address(1), TIME)).isTrue();
    }

    @Test
    void allHaveOnlySoMany() {
        for (int each = 0; each < HeldConnections.ALL; each++) {
            assertThat(held.hold(each, address(each % 100), 0)).isTrue();
        }
        assertThat(held.hold(-1, address(101), 0)).isFalse();
        assertThat(held.release()).hasSize(HeldConnections.ALL);
        assertThat(held.release()).isEmpty();
        assertThat(held.hold(-1, address(1), 0)).isTrue();
    }
}
