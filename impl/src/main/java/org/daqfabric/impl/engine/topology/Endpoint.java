package org.daqfabric.impl.engine.topology;

import java.util.Comparator;
import java.util.Optional;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;

/**
 * An address of the fabric and the host that has it.
 *
 * @param weight the DCM's weight, or the ROS's fragment weight; 1 of other hosts
 * @param edge name of its edge switch
 * @param port the edge switch's port to it, {@link org.daqfabric.api.spec.Dcm#LOCAL} for the switch's own host
 */
public record Endpoint(Address address, String name, Kind kind, double weight, int pod, String edge, String port,
        Optional<Mac> mac) {
    /** The order in which addresses are placed: heaviest first, then by name. */
    public static final Comparator<Endpoint> HEAVIEST_FIRST = Comparator.comparingDouble(Endpoint::weight).reversed()
        .thenComparing(Endpoint::name).thenComparing(Endpoint::address);

    public enum Kind { ROS, DCM, HOST }

    public boolean isDcm() {
        return kind == Kind.DCM;
    }

    /** Whether both are one host, whose packets to itself pass no switch. */
    public boolean sharesHost(Endpoint other) {
        return edge.equals(other.edge) && port.equals(other.port);
    }
}
