package org.daqfabric.impl.engine.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.FlowEnds;

/** Hosts that are neither ROS nor DCM have names of their own, and are behind an edge switch of their pod. */
final class HostChecks {
    private HostChecks() {
    }

    static void check(FabricSpec spec, Roles roles, FlowEnds ends, Problems problems) {
        NodeLocations locations = NodeLocations.of(spec.name());
        Set<String> declared = spec.switches().stream().map(Switch::name).collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        for (Pod pod : spec.pods()) {
            for (Host host : pod.hosts()) {
                Location at = locations.host(pod, host);
                name(host, seen, ends, at.child("name"), problems);
                List<Roles.Assignment> of = roles.of(host.switchName());
                // an unknown switch to which the host itself gives a role is reported with the role
                if (of.stream().noneMatch(role -> role.role().isEdge())) {
                    problems.add(at.child("switch"), "host '%s' is behind switch '%s', which is %s: name an edge switch"
                        + " of pod %d", host.name(), host.switchName(), of.get(0).description(), pod.id());
                } else if (declared.contains(host.switchName()) && of.get(0).pod() != pod.id()) {
                    problems.add(at.child("switch"), "host '%s' of pod %d is behind switch '%s', which is %s: move the "
                        + "host into that pod or name a switch of its own pod", host.name(), pod.id(),
                        host.switchName(), of.get(0).description());
                }
            }
        }
    }

    /** A name that several have is a problem of the first host with it. */
    private static void name(Host host, Set<String> seen, FlowEnds ends, Location location, Problems problems) {
        if (!seen.add(host.name())) {
            return;
        }
        if (host.name().equals(Flow.ALL_DCMS) || host.name().equals(Flow.ALL_ROS)) {
            problems.add(location, "a host is named '%s', which stands for all DCMs or ROS in flows: rename it",
                host.name());
        } else if (ends.isAmbiguous(host.name())) {
            problems.add(location, "host '%s' has the name of another host or of a ROS, DCM or HLT rack: rename one of "
                + "them, as flows name them all alike", host.name());
        }
    }
}
