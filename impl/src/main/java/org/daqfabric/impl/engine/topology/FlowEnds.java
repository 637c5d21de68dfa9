package org.daqfabric.impl.engine.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;

/** Whom the ends of flows name, in a fabric that need not be valid. */
public final class FlowEnds {
    private final Map<String, List<Address>> named = new HashMap<>();
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> ambiguous = new HashSet<>();

    public FlowEnds(FabricSpec spec) {
        List<Address> allRos = new ArrayList<>();
        List<Address> allDcms = new ArrayList<>();
        for (Pod pod : spec.pods()) {
            for (Ros ros : pod.ros()) {
                name(ros.name(), List.of(ros.address()));
                allRos.add(ros.address());
            }
            for (HltRack rack : pod.racks()) {
                List<Address> inRack = rack.dcms().stream().map(Dcm::address).toList();
                name(rack.name(), inRack);
                rack.dcms().forEach(dcm -> name(dcm.name(), List.of(dcm.address())));
                allDcms.addAll(inRack);
            }
            for (Host host : pod.hosts()) {
                name(host.name(), List.of(host.address()));
                hosts.add(host.name());
            }
        }
        name(Flow.ALL_ROS, allRos);
        name(Flow.ALL_DCMS, allDcms);
    }

    private void name(String name, List<Address> addresses) {
        if (named.put(name, List.copyOf(addresses)) != null) {
            ambiguous.add(name);
        }
    }

    /** The addresses that a name stands for; empty for an unknown name, or a rack without DCMs. */
    public List<Address> of(String name) {
        return named.getOrDefault(name, List.of());
    }

    public boolean isKnown(String name) {
        return named.containsKey(name);
    }

    /** Whether several nodes have the name. */
    public boolean isAmbiguous(String name) {
        return ambiguous.contains(name);
    }

    /** Whether a host that is neither ROS nor DCM has the name. */
    public boolean isHost(String name) {
        return hosts.contains(name);
    }
}
