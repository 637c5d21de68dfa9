package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;
import org.junit.jupiter.api.Test;

/** How much of a connection is read at a time. */
class ChannelGuardTest {
    private final WantedAddresses wanted = new WantedAddresses();
    private final InetAddress address = InetAddress.getLoopbackAddress();

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(new ChannelGuard(new HandshakeBytes(), new AddressCredits(wanted), address,
            (limit, why) -> { }));
    }

    private static int bytesAtOnce(EmbeddedChannel channel) {
        return channel.config().getRecvByteBufAllocator().newHandle().guess();
    }

    @Test
    void nodesAreReadAsTheyAre() {
        wanted.add(address);
        assertThat(bytesAtOnce(channel())).isEqualTo(bytesAtOnce(new EmbeddedChannel()));
    }

    /** What a peer of an address without a node sends is taken in small pieces, until a node is there. */
    @Test
    void othersAreReadInTurns() {
        EmbeddedChannel channel = channel();
        channel.freezeTime();
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(bytesAtOnce(channel)).isEqualTo(4096).isNotEqualTo(bytesAtOnce(new EmbeddedChannel()));
        wanted.add(address);
        channel.pipeline().fireChannelReadComplete();
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(bytesAtOnce(channel)).isEqualTo(bytesAtOnce(new EmbeddedChannel()));
    }
}
