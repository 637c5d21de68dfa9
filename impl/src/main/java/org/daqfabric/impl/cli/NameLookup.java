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
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Looks up names of a fabric, and words the refusal of an unknown one. */
final class NameLookup {
    private static final int MAX_LISTED = 30;

    /** Switches and links named on the command line. */
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

    private static Stream<String> hosts(FabricSpec spec) {
        return spec.pods().stream().flatMap(pod -> pod.hosts().stream()).map(Host::name);
    }

    /** Names and those of the hosts that are neither ROS nor DCMs. */
    static Stream<String> withHosts(FabricSpec spec, Stream<String> names) {
        return Stream.concat(names, hosts(spec).sorted());
    }

    /** Refuses a name that does not exist. */
    static void requireExisting(Collection<String> existing, String name, String refusal, String introduction) {
        if (name.startsWith("-")) {
            throw new NotDoneException("options come before names: put "
                + TerminalText.cut(TerminalText.clean(name), Table.WIDTH)
                + " right after the command");
        }
        if (!existing.contains(name)) {
            throw new NotDoneException(refusal + " " + TerminalText.cut(TerminalText.clean(name), Table.WIDTH) + "; "
                + (existing.isEmpty() ? "there is none at all" : introduction + ": " + list(existing)));
        }
    }

    /** The given switches; refuses one that does not exist. */
    static Set<String> switches(FabricSpec spec, List<String> names) {
        return existing(switches(spec).toList(), names, "fabric " + spec.name() + " has no switch", "its switches");
    }

    static Set<String> dcms(FabricSpec spec, List<String> names) {
        return existing(dcms(spec).toList(), names, "fabric " + spec.name() + " has no DCM", "its DCMs");
    }

    /** Refuses a name that neither a ROS nor another host has. */
    static void rosOrHost(FabricSpec spec, String name) {
        requireOrHost(spec, ros(spec), name, "ROS", "its ROS");
    }

    /** Refuses a name that neither a DCM nor another host has. */
    static void dcmOrHost(FabricSpec spec, String name) {
        requireOrHost(spec, dcms(spec), name, "DCM", "its DCMs");
    }

    private static void requireOrHost(FabricSpec spec, Stream<String> names, String name, String kind,
            String introduction) {
        boolean hasHosts = hosts(spec).findAny().isPresent();
        requireExisting(withHosts(spec, names).toList(), name, "fabric " + spec.name() + " has no " + kind
            + (hasHosts ? " or other host" : ""), introduction + (hasHosts ? " and other hosts" : ""));
    }

    /** Name of the switch that is the spine with this id in a plane. */
    static Optional<String> spine(FabricSpec spec, int plane, int id) {
        return spec.planes().stream().filter(each -> each.id() == plane).flatMap(each -> each.spines().stream())
            .filter(spine -> spine.id() == id).map(Spine::switchName).findFirst();
    }

    /** Switches by name and links by {@code switch:port} of either end; refuses what does not exist. */
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
                + TerminalText.cut(TerminalText.clean(name), Table.WIDTH) + "; its links: "
                + list(candidates(spec, name))));
    }

    /** The links of the named switch if it exists, otherwise all links. */
    private static List<String> candidates(FabricSpec spec, String name) {
        String switchName = name.substring(0, name.indexOf(':'));
        List<String> candidates = spec.links().stream().flatMap(link -> Stream.of(link.end(), link.peer()))
            .filter(end -> end.switchName().equals(switchName)).map(PortId::toString).sorted().toList();
        return candidates.isEmpty() ? links(spec).toList() : candidates;
    }

    private static Set<String> existing(Collection<String> existing, List<String> names, String refusal,
            String introduction) {
        if (names == null) {
            return Set.of();
        }
        names.forEach(name -> requireExisting(existing, name, refusal, introduction));
        return Set.copyOf(names);
    }

    static String list(Collection<String> names) {
        return names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "))
            + (names.size() > MAX_LISTED ? " and " + (names.size() - MAX_LISTED) + " more" : "");
    }
}
