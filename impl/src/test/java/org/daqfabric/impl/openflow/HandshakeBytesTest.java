package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;
import org.junit.jupiter.api.Test;

/** What peers may send together before they have described themselves. */
class HandshakeBytesTest {
    private final HandshakeBytes all = new HandshakeBytes(1000);
    private final List<String> refused = new ArrayList<>();

    private ChannelGuard guard(String name, boolean expected) {
        WantedAddresses wanted = new WantedAddresses();
        InetAddress node = address(1);
        wanted.add(node);
        return new ChannelGuard(all, new AddressCredits(wanted), expected ? node : address(2),
            (limit, why) -> refused.add(name + " " + limit.label()));
    }

    /** The one goes that sent the most, however many are modest. */
    @Test
    void theGreediestGoes() {
        ChannelGuard greedy = guard("greedy", false);
        for (int each = 0; each < 9; each++) {
            all.add(guard("modest", false), 50);
        }
        all.add(greedy, 500);
        assertThat(refused).isEmpty();
        all.add(guard("late", false), 60);
        assertThat(refused).containsExactly("greedy memory");
        assertThat(all.total()).isEqualTo(510);
        // its end comes later
        all.remove(greedy);
        assertThat(all.total()).isEqualTo(510);
    }

    /** A switch with many ports, from where a node is, stays. */
    @Test
    void thoseThatAreExpectedMaySendMore() {
        all.add(guard("large", true), 700);
        all.add(guard("stranger", false), 200);
        all.add(guard("another", false), 150);
        assertThat(refused).containsExactly("stranger memory");
        assertThat(all.total()).isEqualTo(850);
    }
}
