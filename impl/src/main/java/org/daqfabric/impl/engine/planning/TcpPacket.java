package org.daqfabric.impl.engine.planning;

import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * A full packet of TCP without options, and what of it is payload.
 *
 * @param mtu of the network, bytes
 * @param ipVersion 4 or 6
 */
public record TcpPacket(int mtu, int ipVersion) {
    /** MTU of Ethernet, bytes. */
    public static final int USUAL_MTU = 1500;
    public static final int IPV4 = 4;
    public static final int IPV6 = 6;

    private static final int TCP_HEADER = 20;
    /** Bytes of an IP packet below which Ethernet pads the frame. */
    private static final int LEAST_PACKET = 46;

    public TcpPacket {
        Range.check("mtu", mtu, 576, 65_535);
        if (ipVersion != IPV4 && ipVersion != IPV6) {
            throw new InvalidInputException("ip-version", "there is no IP version " + ipVersion + ": give 4 or 6");
        }
    }

    /** o_IP + o_TCP. */
    int headers() {
        return (ipVersion == IPV6 ? 40 : 20) + TCP_HEADER;
    }

    /** MSS. */
    int segment() {
        return mtu - headers();
    }

    /** Payload below which Ethernet pads a frame. */
    int leastPayload() {
        return Math.max(0, LEAST_PACKET - headers());
    }
}
