package org.daqfabric.impl.engine.compile;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Which switch holds a daqring for which DCM (thesis 5.5.1.1, section "Forwarding scheme" of the design). */
public final class Daqrings {
    private Daqrings() {
    }

    /** The port name of the daqring of an address. */
    public static String portName(Ipv4 dcm) {
        return "ring-" + dcm;
    }

    /**
     * The daqrings a placement needs: at the DCM's leaf in every plane that reaches it and, if the policy says so, at
     * the spine of its primary plane.
     *
     * @param capable switches whose Open vSwitch knows daqrings
     * @return port names by switch name, in the order of their addresses
     */
    public static SortedMap<String, Set<String>> needed(Topology topology, Placement placement, Set<String> capable) {
        SortedMap<String, Set<String>> rings = new TreeMap<>();
        Policy.Daqring policy = topology.spec().policy().daqring();
        if (policy.on() == Policy.RingsOn.NONE || policy.backend() == Policy.Backend.NONE) {
            return rings;
        }
        for (Map.Entry<Ipv4, Route> entry : placement.routes().entrySet()) {
            Endpoint host = topology.endpoints().get(entry.getKey());
            if (host == null || !host.isDcm()) {
                continue;
            }
            Route route = entry.getValue();
            String ring = portName(host.address());
            for (int plane : route.planes()) {
                add(rings, topology.leaf(plane, host.pod()), ring, capable);
            }
            if (policy.on() == Policy.RingsOn.ALL_SWITCHES && !route.planes().isEmpty()) {
                int primary = route.planes().get(0);
                SpineChoice choice = route.spines().get(primary);
                String spine = choice == null ? null : topology.spines(primary).get(choice.spine());
                if (spine != null) {
                    add(rings, spine, ring, capable);
                }
            }
        }
        return rings;
    }

    private static void add(SortedMap<String, Set<String>> rings, String switchName, String ring, Set<String> capable) {
        if (capable.contains(switchName)) {
            rings.computeIfAbsent(switchName, name -> new LinkedHashSet<>()).add(ring);
        }
    }
}
