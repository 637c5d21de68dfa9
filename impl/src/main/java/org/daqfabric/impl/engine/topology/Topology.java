package org.daqfabric.impl.engine.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.identity.IdentityAssignment;

/** A valid fabric, indexed for the engine. Immutable; every collection is in a fixed order. */
public final class Topology {
    /** Orders names that end in numbers by the numbers: p2 before p10. */
    private static final Comparator<String> NATURAL =
        Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final FabricSpec spec;
    private final Identities identities;
    private final SortedMap<Integer, SortedMap<Integer, String>> spines = new TreeMap<>();
    private final SortedMap<Integer, SortedMap<Integer, String>> leaves = new TreeMap<>();
    private final SortedMap<String, Role> roles = new TreeMap<>();
    private final SortedMap<Address, Endpoint> endpoints = new TreeMap<>();
    private final OtherHosts others;
    private final List<Endpoint> dcms;
    private final SortedMap<String, List<Endpoint>> edges = new TreeMap<>();
    private final Map<String, Integer> pods = new HashMap<>();
    private final Map<String, Integer> marks = new HashMap<>();
    private final Map<String, Switch> switches = new HashMap<>();
    private final Set<String> drainedSwitches;
    private final Map<String, Set<String>> devices = new HashMap<>();
    private final Map<String, List<Segment>> segments = new HashMap<>();
    private final Map<String, Map<String, List<Segment>>> between = new HashMap<>();

    /** A fabric whose switches have no identities yet, which then follow from their names. */
    public Topology(FabricSpec spec) {
        this(spec, Identities.NONE);
    }

    /**
     * Indexes a fabric.
     *
     * @param before the identities that its switches have so far
     */
    public Topology(FabricSpec spec, Identities before) {
        this.spec = spec;
        identities = IdentityAssignment.of(spec, before);
        identities.switches().forEach((name, identity) -> marks.put(name, identity.mark()));
        spec.switches().forEach(sw -> {
            switches.put(sw.name(), sw);
            roles.put(sw.name(), new Role.Spare());
        });
        for (Plane plane : spec.planes()) {
            SortedMap<Integer, String> spinesOf = spines.computeIfAbsent(plane.id(), id -> new TreeMap<>());
            for (Spine spine : plane.spines()) {
                spinesOf.put(spine.id(), spine.switchName());
                roles.put(spine.switchName(), new Role.OfSpine(plane.id(), spine.id()));
            }
            SortedMap<Integer, String> leavesOf = leaves.computeIfAbsent(plane.id(), id -> new TreeMap<>());
            for (Leaf leaf : plane.leaves()) {
                leavesOf.put(leaf.pod(), leaf.switchName());
                roles.put(leaf.switchName(), new Role.OfLeaf(plane.id(), leaf.pod()));
            }
        }
        for (Pod pod : spec.pods()) {
            for (Ros ros : pod.ros()) {
                addEdge(ros.switchName(), pod.id(), new Role.OfRos(pod.id(), ros.name()), List.of(
                    new Endpoint(ros.address(), ros.name(), Endpoint.Kind.ROS, ros.fragmentWeight(), pod.id(),
                        ros.switchName(), Dcm.LOCAL, Optional.empty())));
            }
            for (HltRack rack : pod.racks()) {
                addEdge(rack.switchName(), pod.id(), rackRole(pod, rack), rack.dcms().stream()
                    .map(dcm -> new Endpoint(dcm.address(), dcm.name(), Endpoint.Kind.DCM, dcm.weight(), pod.id(),
                        rack.switchName(), dcm.port(), dcm.mac()))
                    .toList());
            }
        }
        others = new OtherHosts(spec, endpoints);
        for (Pod pod : spec.pods()) {
            pod.hosts().stream().map(Host::switchName).filter(edge -> !edges.containsKey(edge)).distinct()
                .forEach(edge -> addEdge(edge, pod.id(), new Role.OfHosts(pod.id()), List.of()));
        }
        drainedSwitches = spec.switches().stream().filter(sw -> sw.adminState() == AdminState.DRAINED).map(Switch::name)
            .collect(Collectors.toUnmodifiableSet());
        spec.links().forEach(this::addLink);
        segments.replaceAll((name, links) -> List.copyOf(links));
        between.values().forEach(uppers -> uppers.replaceAll((name, links) -> List.copyOf(links)));
        roles.keySet().forEach(name -> devices.put(name, devicesOf(name)));
        dcms = endpoints.values().stream().filter(Endpoint::isDcm).sorted(Endpoint.HEAVIEST_FIRST).toList();
    }

    private Set<String> devicesOf(String switchName) {
        Set<String> names = new TreeSet<>(NATURAL);
        segments(switchName).forEach(segment -> names.add(segment.at(switchName).port()));
        Stream.concat(edges.getOrDefault(switchName, List.of()).stream(), others.behind(switchName).stream())
            .map(Endpoint::port).filter(port -> !port.equals(Dcm.LOCAL))
            .forEach(names::add);
        return Collections.unmodifiableSet(names);
    }

    /** The role of a rack's switch, which may have been found to be that of a ROS. */
    private Role rackRole(Pod pod, HltRack rack) {
        return roles.get(rack.switchName()) instanceof Role.OfRos ros
            ? new Role.OfBuilder(pod.id(), ros.ros(), rack.name()) : new Role.OfRack(pod.id(), rack.name());
    }

    private void addEdge(String edge, int pod, Role role, List<Endpoint> hosts) {
        roles.put(edge, role);
        edges.merge(edge, hosts, (one, other) -> Stream.concat(one.stream(), other.stream()).toList());
        pods.put(edge, pod);
        hosts.forEach(host -> endpoints.put(host.address(), host));
    }

    private void addLink(Link link) {
        boolean endIsLower = height(link.end()) < height(link.peer());
        Segment segment = endIsLower ? new Segment(link, link.end(), link.peer())
            : new Segment(link, link.peer(), link.end());
        String lower = segment.lower().switchName();
        String upper = segment.upper().switchName();
        segments.computeIfAbsent(lower, name -> new ArrayList<>()).add(segment);
        segments.computeIfAbsent(upper, name -> new ArrayList<>()).add(segment);
        between.computeIfAbsent(lower, name -> new HashMap<>()).computeIfAbsent(upper, name -> new ArrayList<>())
            .add(segment);
    }

    private int height(PortId port) {
        return switch (roles.get(port.switchName())) {
            case Role.OfSpine unused -> 2;
            case Role.OfLeaf unused -> 1;
            default -> 0;
        };
    }

    public FabricSpec spec() {
        return spec;
    }

    /** The identity of every switch. */
    public Identities identities() {
        return identities;
    }

    /** The OpenFlow datapath-id of a switch. */
    public long datapathId(String switchName) {
        return identities.of(switchName).datapathId();
    }

    /** The number that stands for a spine, or for the pod of a leaf, in the rules and groups of its plane. */
    public int mark(String switchName) {
        return marks.get(switchName);
    }

    /** The Ethernet address of a switch's bridge, which is also that of the host that runs it. */
    public Mac mac(String switchName) {
        return new Mac(datapathId(switchName));
    }

    /** Ids of the planes, ascending. */
    public List<Integer> planes() {
        return List.copyOf(spines.keySet());
    }

    /** Switch names of a plane's spines by id. */
    public SortedMap<Integer, String> spines(int plane) {
        return Collections.unmodifiableSortedMap(spines.get(plane));
    }

    /** Switch names of a plane's leaves by pod. */
    public SortedMap<Integer, String> leaves(int plane) {
        return Collections.unmodifiableSortedMap(leaves.get(plane));
    }

    /** Switch name of the leaf of a pod in a plane. */
    public String leaf(int plane, int pod) {
        return leaves.get(plane).get(pod);
    }

    /** The role of every switch by name. */
    public SortedMap<String, Role> roles() {
        return Collections.unmodifiableSortedMap(roles);
    }

    public Switch switchOf(String name) {
        return switches.get(name);
    }

    /** The DCMs in the order of {@link Endpoint#HEAVIEST_FIRST}. */
    public List<Endpoint> dcms() {
        return dcms;
    }

    /** The hosts that are neither ROS nor DCMs, and their flows. */
    public OtherHosts others() {
        return others;
    }

    /** Every address of the fabric. */
    public SortedMap<Address, Endpoint> addresses() {
        return others.addresses();
    }

    /** The addresses of DCMs and ROS, which exchange events. */
    public SortedMap<Address, Endpoint> endpoints() {
        return Collections.unmodifiableSortedMap(endpoints);
    }

    /** Every edge switch with the DCMs and ROS behind it. */
    public SortedMap<String, List<Endpoint>> edges() {
        return Collections.unmodifiableSortedMap(edges);
    }

    /**
     * What all ROS could send and all HLT racks could receive, whichever is less: there are no more events, and how
     * many is not known before the DCMs are placed.
     *
     * @param uplinks Gbps of the uplinks of an edge switch
     * @return Gbps
     */
    public double mostEvents(ToDoubleFunction<String> uplinks) {
        double sent = 0;
        double received = 0;
        for (String edge : edges.keySet()) {
            double capacity = uplinks.applyAsDouble(edge);
            sent += roles.get(edge).sendsFragments() ? capacity : 0;
            received += roles.get(edge).buildsEvents() ? capacity : 0;
        }
        return Math.min(sent, received);
    }

    /** The pod of an edge switch. */
    public int podOf(String edge) {
        return pods.get(edge);
    }

    /** Names of the network devices that are ports of a switch's bridge, for its links and hosts; p2 before p10. */
    public Set<String> devices(String switchName) {
        return devices.get(switchName);
    }

    /** All links that end at a switch. */
    public List<Segment> segments(String switchName) {
        return segments.getOrDefault(switchName, List.of());
    }

    /** The parallel links between a switch and the one above it, in the order of their names; empty if none. */
    public List<Segment> between(String lower, String upper) {
        return between.getOrDefault(lower, Map.of()).getOrDefault(upper, List.of());
    }

    /** Whether a link may carry traffic: neither unusable nor drained. */
    public boolean usable(Segment segment, UnusableLinks unusable) {
        return !drained(segment.link()) && !unusable.down().contains(segment.id());
    }

    /** Whether any two switches are joined by several links. */
    public boolean hasParallelLinks() {
        return between.values().stream().flatMap(uppers -> uppers.values().stream())
            .anyMatch(links -> links.size() > 1);
    }

    /** Names of the links that must not carry traffic: unusable or drained. */
    public Set<PortId> outOfUse(UnusableLinks unusable) {
        Set<PortId> links = new HashSet<>(unusable.down());
        spec.links().stream().filter(this::drained).map(Link::end).forEach(links::add);
        return links;
    }

    /** Whether the operator drained a link or one of its switches. */
    public boolean drained(Link link) {
        return link.adminState() == AdminState.DRAINED || drainedSwitches.contains(link.end().switchName())
            || drainedSwitches.contains(link.peer().switchName());
    }

    /** The usable ones of {@link #between}. */
    public List<Segment> usable(String lower, String upper, UnusableLinks unusable) {
        List<Segment> links = between(lower, upper);
        for (Segment segment : links) {
            if (!usable(segment, unusable)) {
                return links.stream().filter(each -> usable(each, unusable)).toList();
            }
        }
        return links;
    }
}
