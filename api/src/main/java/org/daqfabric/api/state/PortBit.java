package org.daqfabric.api.state;

/** A bit of an OpenFlow port's configuration that stops packets, and that no controller of this fabric sets. */
public enum PortBit {
    /** Also set while the network device is down, as after {@code ip link set NAME down}. */
    DOWN("down", "it carries nothing"),
    NO_RECEIVE("no-receive", "packets that arrive are dropped"),
    NO_FORWARD("no-forward", "packets to it are dropped"),
    NO_PACKET_IN("no-packet-in", "packets that no rule takes do not reach the controller");

    private final String label;
    private final String effect;

    PortBit(String label, String effect) {
        this.label = label;
        this.effect = effect;
    }

    /** Its name, as ovs-ofctl has it. */
    public String label() {
        return label;
    }

    /** What it does to a port. */
    public String effect() {
        return effect;
    }

    /** Whether the controller clears it; a device that somebody took down stays down. */
    public boolean isCleared() {
        return this != DOWN;
    }

    /** Whether data does not pass while it is set; without packets to the controller only its own checks fail. */
    public boolean stopsData() {
        return this != NO_PACKET_IN;
    }
}
