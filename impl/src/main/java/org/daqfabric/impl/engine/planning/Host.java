package org.daqfabric.impl.engine.planning;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * A host of a fabric.
 *
 * @param endpoint the ROS, DCM or other host
 * @param device its interface into the fabric
 * @param nics the network cards its packets pass before they are the host's
 */
record Host(Endpoint endpoint, String device, List<String> nics) {
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,14}");
    private static final int LONGEST_NAME = 64;

    /**
     * Finds a host.
     *
     * @param host name or address
     * @param device the interface of a host behind a port; null for all others
     */
    static Host of(Topology topology, FabricTraffic traffic, String host, @Nullable String device) {
        Endpoint endpoint = find(topology, host);
        if (endpoint.port().equals(Dcm.LOCAL)) {
            if (device != null) {
                throw new InvalidInputException("interface", endpoint.name() + " sits on the bridge of switch "
                    + endpoint.edge() + ": leave the interface out");
            }
            Switch edge = topology.switchOf(endpoint.edge());
            // ethtool knows no cards that DPDK drives
            return new Host(endpoint, edge.bridge(),
                traffic.ports(edge.name()).stream().filter(port -> !edge.port(port).isDpdk()).toList());
        }
        if (device == null) {
            throw new InvalidInputException("interface", endpoint.name() + " sits behind port " + endpoint.port()
                + " of switch " + endpoint.edge() + ": name its own network interface, such as eth0");
        }
        if (!INTERFACE.matcher(device).matches()) {
            throw new InvalidInputException("interface", "this is no name of a network interface, such as eth0");
        }
        return new Host(endpoint, device, List.of(device));
    }

    /** However the address is written. */
    private static boolean is(Address address, String text) {
        try {
            return address.equals(Address.parse(text));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Endpoint find(Topology topology, String host) {
        Collection<Endpoint> all = topology.addresses().values();
        List<Endpoint> found = all.stream()
            .filter(each -> each.name().equals(host) || is(each.address(), host)).toList();
        if (found.size() > 1) {
            throw new InvalidInputException("host", "a ROS and a DCM of fabric " + topology.spec().name()
                + " are called " + host + ": give the address, " + found.get(0).address()
                + " or " + found.get(1).address());
        }
        return found.stream().findFirst().orElseThrow(() -> new InvalidInputException("host",
            "fabric " + topology.spec().name() + " has no ROS, DCM or other host "
                + (host.length() > LONGEST_NAME ? "of a name so long" : host)));
    }
}
