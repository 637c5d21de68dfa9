package org.daqfabric.api.state;

/** A bit of an OpenFlow port's configuration that stops packets, and that no controller of this fabric sets. */
public enum PortBit {
    /** Also set while the network device is down, as after {@code ip link set NAME down}. */
    DOWN("down"),
    NO_RECEIVE("no-receive"),
    NO_FORWARD("no-forward"),
    NO_PACKET_IN("no-packet-in");

    private final String label;

    PortBit(String label) {
        this.label = label;
    }

    /** Its name, as ovs-ofctl has it. */
    public String label() {
        return label;
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
