package org.daqfabric.impl.engine.identity;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/**
 * A configuration in the labels of the next one. Switches, planes and spines that the next one does not have keep their
 * labels, or get unused ones where another has theirs now.
 */
final class RelabelledSpec {
    private static final int LONGEST_NAME = 64;

    private final Map<String, String> names = new HashMap<>();
    private final FabricSpec spec;
    private final Relabelling labels;

    private RelabelledSpec(FabricSpec spec, Relabelling labels) {
        this.spec = spec;
        this.labels = labels;
        Set<String> taken = new HashSet<>();
        spec.switches().forEach(each -> labels.name(each.name()).ifPresent(name -> {
            names.put(each.name(), name);
            taken.add(name);
        }));
        for (Switch each : spec.switches()) {
            if (!names.containsKey(each.name())) {
                names.put(each.name(), free(each.name(), taken));
            }
        }
    }

    /** A name for a switch whose own name another switch has now, as the model allows it. */
    private static String free(String name, Set<String> taken) {
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            String suffix = "." + number;
            free = name.substring(0, Math.min(name.length(), LONGEST_NAME - suffix.length())) + suffix;
        }
        return free;
    }

    static FabricSpec of(FabricSpec spec, Relabelling labels) {
        return new RelabelledSpec(spec, labels).relabelled();
    }

    private FabricSpec relabelled() {
        Map<Integer, Integer> planeIds = ids(spec.planes().stream().map(Plane::id).toList(), labels::plane);
        Map<Integer, Integer> podIds = ids(spec.pods().stream().map(Pod::id).toList(), labels::pod);
        List<Plane> planes = spec.planes().stream().map(plane -> {
            Map<Integer, Integer> spineIds = ids(plane.spines().stream().map(Spine::id).toList(),
                id -> labels.spine(plane.id(), id));
            return new Plane(planeIds.get(plane.id()),
                plane.spines().stream().map(each -> new Spine(spineIds.get(each.id()), names.get(each.switchName())))
                    .toList(),
                plane.leaves().stream().map(each -> new Leaf(podIds.get(each.pod()), names.get(each.switchName())))
                    .toList());
        }).toList();
        List<Pod> pods = spec.pods().stream().map(pod -> new Pod(podIds.get(pod.id()),
            pod.ros().stream().map(ros ->
                new Ros(ros.name(), ros.address(), names.get(ros.switchName()), ros.fragmentWeight())).toList(),
            pod.racks().stream().map(rack ->
                new HltRack(rack.name(), names.get(rack.switchName()), rack.dcms())).toList(),
            pod.hosts().stream().map(host -> new Host(host.name(), host.address(), names.get(host.switchName()),
                host.port(), host.mac())).toList())).toList();
        UnaryOperator<PortId> port = each -> new PortId(names.get(each.switchName()), each.port());
        return new FabricSpec(spec.name(), planes, pods,
            spec.switches().stream().map(each -> each.withName(names.get(each.name()))).toList(),
            spec.links().stream().map(link -> new Link(port.apply(link.end()), port.apply(link.peer()),
                link.capacity(), link.adminState())).toList(), spec.policy(), spec.flows());
    }

    /** New ids by the old ones; an id without a new one stays, or becomes the lowest that nobody has. */
    private static Map<Integer, Integer> ids(List<Integer> before, IntFunction<Integer> label) {
        Map<Integer, Integer> ids = new HashMap<>();
        before.stream().filter(id -> label.apply(id) != 0).forEach(id -> ids.put(id, label.apply(id)));
        before.stream().filter(id -> label.apply(id) == 0).forEach(id ->
            ids.put(id, Stream.concat(Stream.of(id), Stream.iterate(1, next -> next + 1))
                .filter(next -> !ids.containsValue(next)).findFirst().orElseThrow()));
        return ids;
    }
}
