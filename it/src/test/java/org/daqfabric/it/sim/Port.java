package org.daqfabric.it.sim;

/** A port of a switch as OpenFlow knows it. */
final class Port {
    static final int LENGTH = 64;
    private static final int CURRENT = 1 << 6 | 1 << 11;
    private static final int SPEED = 10_000_000;

    final int number;
    final String name;
    final long mac;
    private boolean carrier;

    Port(final int number, final String name, final long mac, final boolean carrier) {
        this.number = number;
        this.name = name;
        this.mac = mac;
        this.carrier = carrier;
    }

    boolean hasCarrier() {
        return carrier;
    }

    void carrier(final boolean up) {
        carrier = up;
    }

    Frame describe(final Frame frame) {
        return describe(frame, (carrier ? OpenFlow.LIVE : OpenFlow.LINK_DOWN));
    }

    Frame describe(final Frame frame, final int state) {
        return frame.u32(number).pad(4).mac(mac).pad(2).text(name, 16).u32(0).u32(state)
            .u32(CURRENT).u32(0).u32(0).u32(0).u32(SPEED).u32(SPEED);
    }

    Frame statistics(final Frame frame) {
        return frame.u32(number).pad(4).pad(96).u32(0).u32(0);
    }
}
