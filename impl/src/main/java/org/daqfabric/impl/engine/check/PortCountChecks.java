package org.daqfabric.impl.engine.check;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;

/** A switch has no more ports, and can need no more daqrings, than there are OpenFlow numbers for them. */
final class PortCountChecks {
    private static final int MAX_DEVICES = PortNumbers.FIRST_RING - 1;
    private static final int MAX_RINGS = PortNumbers.LAST - PortNumbers.FIRST_RING + 1;

    private PortCountChecks() {
    }

    static void check(FabricSpec spec, Problems problems) {
        NodeLocations locations = NodeLocations.of(spec.name());
        Map<String, Set<String>> devices = devices(spec);
        for (Switch sw : spec.switches()) {
            int count = devices.getOrDefault(sw.name(), Set.of()).size();
            if (count > MAX_DEVICES) {
                problems.add(locations.switchNamed(sw.name()), "switch '%s' has %d ports, and there are OpenFlow "
                    + "numbers for %d: move links or DCMs to other switches", sw.name(), count, MAX_DEVICES);
            }
        }
        Policy.Daqring policy = spec.policy().daqring();
        if (policy.on() != Policy.RingsOn.NONE && policy.backend() != Policy.Backend.NONE) {
            rings(spec, locations, problems);
        }
    }

    private static Map<String, Set<String>> devices(FabricSpec spec) {
        Map<String, Set<String>> devices = new TreeMap<>();
        for (Link link : spec.links()) {
            add(devices, link.end());
            add(devices, link.peer());
        }
        for (Pod pod : spec.pods()) {
            for (HltRack rack : pod.racks()) {
                for (Dcm dcm : rack.dcms()) {
                    if (!dcm.port().equals(Dcm.LOCAL)) {
                        add(devices, new PortId(rack.switchName(), dcm.port()));
                    }
                }
            }
            pod.hosts().stream().filter(host -> !host.port().equals(Dcm.LOCAL))
                .forEach(host -> add(devices, new PortId(host.switchName(), host.port())));
        }
        return devices;
    }

    private static void add(Map<String, Set<String>> devices, PortId port) {
        devices.computeIfAbsent(port.switchName(), name -> new HashSet<>()).add(port.port());
    }

    private static void rings(FabricSpec spec, NodeLocations locations, Problems problems) {
        int all = 0;
        for (Pod pod : spec.pods()) {
            int inPod = pod.racks().stream().mapToInt(rack -> rack.dcms().size()).sum();
            if (inPod > MAX_RINGS) {
                problems.add(locations.pod(pod), "pod %d has %d DCMs, each with a daqring in the leaves of the pod, "
                    + "and a switch has OpenFlow numbers for %d daqrings: move DCMs to other pods, or set policy "
                    + "daqring on to none", pod.id(), inPod, MAX_RINGS);
            }
            all += inPod;
        }
        if (spec.policy().daqring().on() == Policy.RingsOn.ALL_SWITCHES && all > MAX_RINGS) {
            problems.add(locations.fabric().child("policy").child("daqring").child("on"), "a spine can need a daqring "
                + "for each of the %d DCMs, and a switch has OpenFlow numbers for %d daqrings: set policy daqring on "
                + "to destination-leaf or none", all, MAX_RINGS);
        }
    }
}
