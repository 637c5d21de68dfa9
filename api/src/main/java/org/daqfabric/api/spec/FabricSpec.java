package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;

/**
 * A fabric as the operator described it, valid and with every default filled in. Lists are ordered by their key, so
 * that two configurations that differ only in order are equal and lead to the same programs.
 */
public record FabricSpec(String name, List<Plane> planes, List<Pod> pods, List<Switch> switches, List<Link> links,
        Policy policy) {
    public FabricSpec {
        planes = planes.stream().sorted(Comparator.comparingInt(Plane::id)).toList();
        pods = pods.stream().sorted(Comparator.comparingInt(Pod::id)).toList();
        switches = switches.stream().sorted(Comparator.comparing(Switch::name)).toList();
        links = links.stream().sorted(Comparator.comparing(Link::end)).toList();
    }
}
