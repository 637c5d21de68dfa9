package org.daqfabric.it.sim;

/** An OpenFlow port of a switch. */
final class Port {
    static final int LENGTH = 64;
    private static final int CURRENT = 1 << 6 | 1 << 11;
    private static final int SPEED = 10_000_000;

    final int number;
    final String name;
    final long mac;
    final boolean isRing;
    private boolean carrier;
    private long received;
    private long transmitted;

    Port(final int number, final String name, final long mac, final boolean isRing, final boolean carrier) {
        this.number = number;
        this.name = name;
        this.mac = mac;
        this.isRing = isRing;
        this.carrier = carrier;
    }

    boolean hasCarrier() {
        return carrier;
    }

    void carrier(final boolean up) {
        carrier = up;
    }

    /** Counts a packet that came in. */
    void receive() {
        received++;
    }

    /** Counts a packet that goes out. */
    void transmit() {
        transmitted++;
    }

    MessageBuilder describe(final MessageBuilder message) {
        return describe(message, (carrier ? OpenFlow.LIVE : OpenFlow.LINK_DOWN));
    }

    MessageBuilder describe(final MessageBuilder message, final int state) {
        return message.u32(number).pad(4).mac(mac).pad(2).text(name, 16).u32(0).u32(state)
            .u32(CURRENT).u32(0).u32(0).u32(0).u32(SPEED).u32(SPEED);
    }

    MessageBuilder statistics(final MessageBuilder message) {
        return message.u32(number).pad(4).u64(received).u64(transmitted).pad(80).u32(0).u32(0);
    }
}
