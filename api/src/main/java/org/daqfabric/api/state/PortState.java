package org.daqfabric.api.state;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.daqfabric.api.spec.PortId;

/**
 * A port of a link or of DCMs as its switch has it.
 *
 * @param speed Gbps; empty if Open vSwitch does not know it, as without a carrier
 * @param duplex {@code full} or {@code half}; empty if Open vSwitch does not know it
 * @param mtu bytes; empty if Open vSwitch does not know it
 * @param fault what is less than it must be and what to do; empty if nothing is
 */
public record PortState(PortId port, OptionalDouble speed, String duplex, OptionalLong mtu, String fault) {
}
