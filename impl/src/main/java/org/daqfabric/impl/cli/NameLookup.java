package org.daqfabric.impl.cli;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** The names of a fabric, and what is said of a wrong one. */
final class NameLookup {
    private static final int MOST = 30;

    /** Some switches and links. */
    record Elements(Set<String> switches, Set<Link> links) {
        FabricParts parts() {
            return new FabricParts(List.copyOf(switches), links.stream().map(Link::end).toList());
        }
    }

    private NameLookup() {
    }

    static Stream<String> switches(FabricSpec spec) {
        return spec.switches().stream().map(Switch::name);
    }

    /** Links by {@code switch:port} of the end they are declared under. */
    static Stream<String> links(FabricSpec spec) {
        return spec.links().stream().map(link -> link.end().toString());
    }

    static Stream<String> dcms(FabricSpec spec) {
        return spec.pods().stream().flatMap(pod -> pod.racks().stream()).flatMap(rack -> rack.dcms().stream())
            .map(Dcm::name).sorted();
    }

    static Stream<String> ros(FabricSpec spec) {
        return spec.pods().stream().flatMap(pod -> pod.ros().stream()).map(Ros::name).sorted();
    }

    /** Refuses a name that is not among those there are. */
    static void among(Collection<String> existing, String name, String refusal, String introduction) {
        if (name.startsWith("-")) {
            throw new NotDoneException("options come before names: put " + TerminalText.cut(TerminalText.clean(name), Table.WIDTH)
                + " right after the command");
        }
        if (!existing.contains(name)) {
            throw new NotDoneException(refusal + " " + TerminalText.cut(TerminalText.clean(name), Table.WIDTH) + "; "
                + (existing.isEmpty() ? "there is none at all" : introduction + ": " + list(existing)));
        }
    }

    /** The switches named, all of which exist. */
    static Set<String> switches(FabricSpec spec, List<String> names) {
        return existing(switches(spec).toList(), names, "fabric " + spec.name() + " has no switch", "its switches");
    }

    static Set<String> dcms(FabricSpec spec, List<String> names) {
        return existing(dcms(spec).toList(), names, "fabric " + spec.name() + " has no DCM", "its DCMs");
    }

    static void ros(FabricSpec spec, List<String> names) {
        existing(ros(spec).toList(), names, "fabric " + spec.name() + " has no ROS", "its ROS");
    }

    /** The switch that is a plane's spine of that id. */
    static Optional<String> spine(FabricSpec spec, int plane, int id) {
        return spec.planes().stream().filter(each -> each.id() == plane).flatMap(each -> each.spines().stream())
            .filter(spine -> spine.id() == id).map(Spine::switchName).findFirst();
    }

    /** The switches by their names and links by {@code switch:port} of either end, all of which exist. */
    static Elements elements(FabricSpec spec, List<String> names) {
        Set<String> switches = new TreeSet<>();
        Set<Link> links = new LinkedHashSet<>();
        for (String name : names == null ? List.<String>of() : names) {
            if (name.indexOf(':') < 0) {
                switches.addAll(switches(spec, List.of(name)));
            } else {
                links.add(link(spec, name));
            }
        }
        return new Elements(switches, links);
    }

    private static Link link(FabricSpec spec, String name) {
        return spec.links().stream()
            .filter(link -> link.end().toString().equals(name) || link.peer().toString().equals(name)).findFirst()
            .orElseThrow(() -> new NotDoneException("fabric " + spec.name() + " has no link "
                + TerminalText.cut(TerminalText.clean(name), Table.WIDTH) + "; its links: " + list(near(spec, name))));
    }

    /** The links of the switch that was named, if that at least is right. */
    private static List<String> near(FabricSpec spec, String name) {
        String switchName = name.substring(0, name.indexOf(':'));
        List<String> near = spec.links().stream().flatMap(link -> Stream.of(link.end(), link.peer()))
            .filter(end -> end.switchName().equals(switchName)).map(PortId::toString).sorted().toList();
        return near.isEmpty() ? links(spec).toList() : near;
    }

    private static Set<String> existing(Collection<String> existing, List<String> names, String refusal,
            String introduction) {
        if (names == null) {
            return Set.of();
        }
        names.forEach(name -> among(existing, name, refusal, introduction));
        return Set.copyOf(names);
    }

    static String list(Collection<String> names) {
        return names.stream().limit(MOST).collect(Collectors.joining(", "))
            + (names.size() > MOST ? " and " + (names.size() - MOST) + " more" : "");
    }
}
