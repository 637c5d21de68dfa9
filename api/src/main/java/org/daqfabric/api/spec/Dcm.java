package org.daqfabric.api.spec;

import java.util.Optional;

/**
 * A data collection manager, the destination of whole events.
 *
 * @param weight its share of the events relative to other DCMs, above 0
 * @param port the port of its rack's switch behind which it sits, {@link #LOCAL} for the switch's own host
 * @param mac its Ethernet address; needed unless the port is {@link #LOCAL}
 */
public record Dcm(String name, Address address, double weight, String port, Optional<Mac> mac) {
    /** The bridge's own port, which is the network interface of the host that runs the switch. */
    public static final String LOCAL = "LOCAL";
}
