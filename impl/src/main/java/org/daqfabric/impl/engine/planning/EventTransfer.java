package org.daqfabric.impl.engine.planning;

import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * An event as it crosses the network: one response of each ROS, in TCP segments; (A.8), (A.10) and (A.11).
 *
 * @param responses e_R of each ROS, bytes of event data
 * @param packet that carries them
 */
public record EventTransfer(List<Long> responses, TcpPacket packet) {
    private static final long LARGEST = 100_000_000_000L;
    /** o_Ethernet: gap 12 B, preamble 8 B, header and checksum 18 B. */
    private static final int ETHERNET = 38;
    /** o_ATLAS, the header of a response. */
    private static final int RESPONSE_HEADER = 12;

    public EventTransfer {
        Range.check("ros", responses.size(), 1, 65_535);
        responses = List.copyOf(responses);
        double size = responses.stream().mapToDouble(Long::doubleValue).sum();
        if (size > LARGEST || responses.stream().anyMatch(response -> response < 1)) {
            throw new InvalidInputException("fragment-size",
                "an event of %.0f bytes, or a ROS without data: ".formatted(size)
                + "make it at most " + LARGEST + " bytes, and at least 1 of each ROS");
        }
    }

    /** Every ROS sends the same. */
    public static EventTransfer even(int ros, int fragments, long fragmentSize, TcpPacket packet) {
        Range.check("ros", ros, 1, 65_535);
        return new EventTransfer(Collections.nCopies(ros, response(fragments, fragmentSize)), packet);
    }

    /** e_R of a number of fragments. */
    public static long response(int fragments, long fragmentSize) {
        Range.check("fragments", fragments, 1, 10_000);
        Range.check("fragment-size", fragmentSize, 1, 1_000_000_000);
        return fragments * fragmentSize;
    }

    /** e_avg, bytes of event data. */
    public long size() {
        return sum(response -> response);
    }

    /** n_frames: ceil((e_R + 12 B) / MSS) of each ROS. */
    public long frames() {
        return sum(this::frames);
    }

    /** r = e_avg + o, (A.8), bytes. */
    public long wireSize() {
        return size() + overhead();
    }

    /** o, (A.10): 78 B for each frame, 98 B with IPv6, 12 B for each ROS, and padding. */
    public long overhead() {
        return frames() * (ETHERNET + packet.headers()) + (long) responses.size() * RESPONSE_HEADER + padding();
    }

    /**
     * (A.11), where the thesis leaves out the 12 B of the response header. A last frame that is full, of which the
     * remainder is 0, needs none.
     */
    public long padding() {
        return sum(response -> {
            long last = (response + RESPONSE_HEADER) % packet.segment();
            return last == 0 ? 0 : Math.max(0, packet.leastPayload() - last);
        });
    }

    long frames(long response) {
        return frames(response, packet);
    }

    static long frames(long response, TcpPacket packet) {
        return Math.ceilDiv(response + RESPONSE_HEADER, packet.segment());
    }

    int mtu() {
        return packet.mtu();
    }

    private long sum(LongUnaryOperator of) {
        return responses.stream().mapToLong(of::applyAsLong).sum();
    }
}
