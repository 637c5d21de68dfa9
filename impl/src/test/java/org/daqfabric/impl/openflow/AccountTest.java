package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.SwitchCounts;
import org.junit.jupiter.api.Test;

/** The counters of a switch, in bytes laid out as OpenFlow 1.3.5 does. */
class AccountTest {
    /** A group of two buckets, to ports 1 and 2 (7.3.5.10). */
    private static ByteBuf group() {
        final var out = Unpooled.buffer();
        out.writeShort(8 + 2 * 32).writeByte(OpenFlow13.OFPGT_FF).writeZero(1).writeInt(7);
        for (int port = 1; port <= 2; port++) {
            out.writeShort(32).writeShort(0).writeInt(port).writeInt(OpenFlow13.NONE).writeZero(4);
            out.writeShort(OpenFlow13.OFPAT_OUTPUT).writeShort(16).writeInt(port).writeShort(0).writeZero(6);
        }
        return out;
    }

    /** What its buckets have counted (7.3.5.9). */
    private static ByteBuf buckets() {
        return Unpooled.buffer().writeShort(40 + 2 * 16).writeZero(2).writeInt(7).writeInt(1).writeZero(4)
            .writeLong(150).writeLong(0).writeInt(5).writeInt(0).writeLong(100).writeLong(0).writeLong(50).writeLong(0);
    }

    /** A rule that drops what nothing else matches, with 3 packets (7.3.5.2). */
    private static ByteBuf drop() {
        return Unpooled.buffer().writeShort(56).writeByte(0).writeZero(1 + 4 + 4).writeShort(0).writeZero(2 + 2 + 2 + 4)
            .writeLong(0).writeLong(3).writeLong(180).writeShort(OpenFlow13.OFPMT_OXM).writeShort(4).writeZero(4);
    }

    /** A port (7.3.5.6). */
    private static ByteBuf port(int number, long received, long transmitted, long dropped) {
        return Unpooled.buffer().writeInt(number).writeZero(4).writeLong(received).writeLong(transmitted).writeZero(24)
            .writeLong(dropped).writeZero(112 - 56);
    }

    @Test
    void packetsBehindAPortAreMissing() {
        final Map<Integer, PortCount> ports = new TreeMap<>();
        List.of(port(1, 0, 90, 0), port(2, 0, 48, 2), port(3, 153, 0, 0))
            .forEach(part -> Decoder.counted(part, ports));
        assertThat(ports).containsEntry(2, new PortCount(0, 48, 2));
        final var reading = Account.of(List.of(group()), List.of(drop()), List.of(buckets()), new HashMap<>(ports));
        assertThat(reading).isEqualTo(new SwitchCounts(new TreeMap<>(Map.of(1, 10L, 2, 0L)),
            new TreeMap<>(Map.of(1, 90L, 2, 48L, 3, 0L)), 10));
    }
}
