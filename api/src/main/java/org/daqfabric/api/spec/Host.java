package org.daqfabric.api.spec;

import java.util.Optional;

/**
 * A host that neither reads out nor collects events, such as a supervisor, a data logger or storage.
 *
 * @param switchName its edge switch: that of a ROS or an HLT rack of the pod, or one for such hosts alone
 * @param port the port of the edge switch behind which it sits, {@link Dcm#LOCAL} for the switch's own host
 * @param mac its Ethernet address; needed unless the port is {@link Dcm#LOCAL}
 */
public record Host(String name, Address address, String switchName, String port, Optional<Mac> mac) {
}
