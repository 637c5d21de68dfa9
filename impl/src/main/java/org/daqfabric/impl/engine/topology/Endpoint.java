package org.daqfabric.impl.engine.topology;

import java.util.Optional;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;

/**
 * An address of the fabric and where it lives.
 *
 * @param weight the DCM's weight, or the ROS's fragment weight
 * @param edge name of its edge switch
 * @param port the edge switch's port to it, {@link org.daqfabric.api.spec.Dcm#LOCAL} for the switch's own host
 */
public record Endpoint(Ipv4 address, String name, Kind kind, double weight, int pod, String edge, String port,
        Optional<Mac> mac) {
    public enum Kind { ROS, DCM }

    public boolean isDcm() {
        return kind == Kind.DCM;
    }
}
