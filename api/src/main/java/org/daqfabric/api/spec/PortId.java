package org.daqfabric.api.spec;

import java.util.Comparator;

/**
 * One port of one switch; prints as {@code switch:port}.
 *
 * @param switchName the switch's name in the fabric
 * @param port the port's name, which is the name of its Interface in Open vSwitch
 */
public record PortId(String switchName, String port) implements Comparable<PortId> {
    private static final Comparator<PortId> ORDER =
        Comparator.comparing(PortId::switchName).thenComparing(PortId::port);

    @Override
    public int compareTo(PortId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return switchName + ":" + port;
    }
}
