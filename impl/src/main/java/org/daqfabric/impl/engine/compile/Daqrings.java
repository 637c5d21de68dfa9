package org.daqfabric.impl.engine.compile;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which switch holds a daqring for which DCM (thesis 5.5.1.1, section "Forwarding scheme" of the design) or for which
 * sender of control, and the names of their ports.
 *
 * <p>A port's name is unique in its node, where several bridges, also of other fabrics, may have a daqring for the same
 * address. So a name is made of the address, which OpenFlow's shortened names still show, and of the bridge's name,
 * which is unique in the node as well. Daqrings that were numbered before this was so have names of the address alone,
 * and keep them as long as they have their numbers.
 */
public final class Daqrings {
    private static final String PREFIX = "ring-";

    private Daqrings() {
    }

    /**
     * The port name of the daqring of an address in a switch.
     *
     * @param bridge name of the switch's bridge
     * @param numbered names of the ports of the switch that have a number
     */
    static String portName(Address address, String bridge, Set<String> numbered) {
        String plain = PREFIX + address;
        return numbered.contains(plain) ? plain : plain + "-" + bridge;
    }

    /**
     * The address, as text, of the DCM or the sender of control whose daqring has a port name; empty if it is not the
     * name of a daqring.
     */
    public static Optional<String> addressOf(String port) {
        return port.startsWith(PREFIX) ? Optional.of(port.substring(PREFIX.length()).split("-", 2)[0])
            : Optional.empty();
    }

    /** The names of the hosts that may have daqrings, by the text that {@link #addressOf} finds. */
    public static Map<String, String> hostNames(Topology topology) {
        return topology.addresses().values().stream()
            .collect(Collectors.toMap(host -> host.address().toString(), Endpoint::name));
    }

    /**
     * The daqrings a placement needs: at the DCM's leaf in every plane that reaches it and, if the policy says so, at
     * the spine of its primary plane, for packets from each other pod; and those of control at the edge switches.
     *
     * @param capable switches whose Open vSwitch knows daqrings
     * @return addresses of the DCMs, or of the senders of control, by switch name, in their order
     */
    public static SortedMap<String, Set<Address>> needed(Topology topology, Placement placement, Set<String> capable) {
        SortedMap<String, Set<Address>> rings = new TreeMap<>();
        Policy.Daqring policy = topology.spec().policy().daqring();
        if (policy.on() == Policy.RingsOn.NONE || policy.backend() == Policy.Backend.NONE) {
            return rings;
        }
        for (Map.Entry<Address, Route> entry : placement.routes().entrySet()) {
            Endpoint host = topology.endpoints().get(entry.getKey());
            if (host == null || !host.isDcm()) {
                continue;
            }
            Route route = entry.getValue();
            for (int plane : route.planes()) {
                add(rings, topology.leaf(plane, host.pod()), host.address(), capable);
            }
            if (policy.on() == Policy.RingsOn.ALL_SWITCHES) {
                primarySpine(topology, route).ifPresent(spine -> add(rings, spine, host.address(), capable));
                route.fromPods().forEach((pod, fromThere) -> {
                    if (pod != host.pod()) {
                        primarySpine(topology, fromThere)
                            .ifPresent(spine -> add(rings, spine, host.address(), capable));
                    }
                });
            }
        }
        ControlRings.senders(topology).forEach((edge, senders) ->
            senders.forEach(sender -> add(rings, edge, sender, capable)));
        return rings;
    }

    private static Optional<String> primarySpine(Topology topology, Route route) {
        return route.planes().stream().findFirst()
            .map(plane -> topology.spines(plane).get(route.spineChoice(plane).spine()));
    }

    private static void add(SortedMap<String, Set<Address>> rings, String switchName, Address address,
            Set<String> capable) {
        if (capable.contains(switchName)) {
            rings.computeIfAbsent(switchName, name -> new LinkedHashSet<>()).add(address);
        }
    }
}
