package org.daqfabric.impl.engine.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * All transfers of a fabric, in the order of a linear shift: first every node to the one after it, then every node to
 * the second after it and so on. Nodes are ordered by pod, and within a pod so that neighbours receive by different
 * spines; so a shift alone spreads the transfers of a pod over its uplinks.
 *
 * <p>Only links between leaves and spines are counted: those of a node carry one transfer at a time as the node does.
 */
final class Transfers {
    /** Of a transfer within a pod. */
    static final int NO_LINK = -1;
    private static final double ROUNDING = 1e-9;

    final List<Endpoint> ros = new ArrayList<>();
    final List<Endpoint> dcms = new ArrayList<>();
    /** Number of nodes; a node is a number from 0. */
    final int nodes;
    /** Gbps of one transfer: what every link can carry. */
    final double rate;
    /** By link and direction: how many transfers it carries at a time. */
    final int[] slots;
    final List<String> linkNames = new ArrayList<>();
    /** By transfer: ROS and DCM as positions in the lists, the nodes of both, and the links to and from a spine. */
    final int[] rosOf;
    final int[] dcmOf;
    final int[] source;
    final int[] target;
    final int[] up;
    final int[] down;
    /** Number of pairs without a path. */
    final int withoutPath;

    private final Topology topology;
    private final UnusableLinks unusable;
    private final Placement placement;
    private final Routing routing;
    private final Map<String, Integer> linkNumbers = new HashMap<>();
    private final List<Double> capacities = new ArrayList<>();

    /** The links of a transfer. */
    private record Path(int up, int down) {
        static final Path WITHIN_POD = new Path(NO_LINK, NO_LINK);
    }

    Transfers(Topology topology, UnusableLinks unusable, Placement placement) {
        this.topology = topology;
        this.unusable = unusable;
        this.placement = placement;
        routing = new Routing(topology, unusable, placement);
        List<String> edges = ordered();
        Map<String, Integer> nodeOf = new HashMap<>();
        edges.forEach(edge -> nodeOf.put(edge, nodeOf.size()));
        nodes = edges.size();
        addHosts(edges);

        int most = ros.size() * dcms.size();
        int[][] found = new int[6][most];
        int count = 0;
        int missing = 0;
        Map<List<Object>, Optional<Path>> paths = new HashMap<>();
        List<List<Object>> kinds = ros.stream().map(this::kind).toList();
        int shifts = Math.max(ros.size(), dcms.size());
        for (int shift = 0; shift < shifts; shift++) {
            for (int from = 0; from < ros.size(); from++) {
                int to = (from + shift) % shifts;
                if (to >= dcms.size() || ros.get(from).edge().equals(dcms.get(to).edge())) {
                    continue;
                }
                Endpoint sender = ros.get(from);
                Endpoint dcm = dcms.get(to);
                Optional<Path> path = paths.computeIfAbsent(List.of(kinds.get(from), to), key -> path(sender, dcm));
                if (path.isEmpty()) {
                    missing++;
                    continue;
                }
                int[] transfer = {from, to, nodeOf.get(sender.edge()), nodeOf.get(dcm.edge()), path.get().up,
                    path.get().down};
                for (int column = 0; column < transfer.length; column++) {
                    found[column][count] = transfer[column];
                }
                count++;
            }
        }
        withoutPath = missing;
        rosOf = Arrays.copyOf(found[0], count);
        dcmOf = Arrays.copyOf(found[1], count);
        source = Arrays.copyOf(found[2], count);
        target = Arrays.copyOf(found[3], count);
        up = Arrays.copyOf(found[4], count);
        down = Arrays.copyOf(found[5], count);
        rate = topology.spec().links().stream().filter(link -> !topology.drained(link)
            && !unusable.down().contains(link.end())).mapToDouble(link -> link.capacity()).min().orElse(0);
        slots = capacities.stream().mapToInt(capacity -> (int) (capacity / rate + ROUNDING)).toArray();
    }

    /** Edge switches pod by pod; in a pod one of each spine after the other. */
    private List<String> ordered() {
        Map<List<Object>, Integer> counted = new HashMap<>();
        Map<String, List<Integer>> keys = new TreeMap<>();
        topology.edges().forEach((edge, hosts) -> {
            int pod = topology.podOf(edge);
            int spine = hosts.stream().filter(Endpoint::isDcm).findFirst().map(this::spine).orElse(0);
            keys.put(edge, List.of(pod, counted.merge(List.of(pod, spine), 1, Integer::sum), spine));
        });
        Comparator<String> byPod = Comparator.comparing(edge -> keys.get(edge).get(0));
        return keys.keySet().stream().sorted(byPod.thenComparing(edge -> keys.get(edge).get(1))
            .thenComparing(edge -> keys.get(edge).get(2))).toList();
    }

    /** A number for the spine by which a DCM receives. */
    private int spine(Endpoint dcm) {
        Route route = placement.routes().get(dcm.address());
        if (route == null || route.planes().isEmpty()) {
            return 0;
        }
        int plane = route.planes().get(0);
        return plane << 16 | route.spineChoice(plane).spine();
    }

    /** ROS by their nodes; DCMs so that neighbours are on different nodes: the first of each node, then the second. */
    private void addHosts(List<String> edges) {
        List<List<Endpoint>> dcmsOf = new ArrayList<>();
        for (String edge : edges) {
            List<Endpoint> hosts = topology.edges().get(edge);
            hosts.stream().filter(host -> !host.isDcm()).forEach(ros::add);
            dcmsOf.add(hosts.stream().filter(Endpoint::isDcm).toList());
        }
        int most = dcmsOf.stream().mapToInt(List::size).max().orElse(0);
        for (int rank = 0; rank < most; rank++) {
            for (List<Endpoint> ofNode : dcmsOf) {
                if (rank < ofNode.size()) {
                    dcms.add(ofNode.get(rank));
                }
            }
        }
    }

    /** Equal for ROS whose packets to a DCM take the same links between leaves and spines. */
    private List<Object> kind(Endpoint sender) {
        List<Object> kind = new ArrayList<>(List.of(sender.pod()));
        topology.planes().forEach(plane -> kind.add(
            !topology.usable(sender.edge(), topology.leaf(plane, sender.pod()), unusable).isEmpty()));
        return kind;
    }

    private Optional<Path> path(Endpoint sender, Endpoint dcm) {
        Optional<Integer> plane = routing.plane(sender.edge(), dcm.address());
        if (plane.isEmpty() || sender.pod() == dcm.pod()) {
            return plane.map(any -> Path.WITHIN_POD);
        }
        int in = plane.get();
        return routing.spine(in, sender.pod(), dcm.address()).map(spine -> new Path(
            link(in, sender.pod(), spine, dcm, true), link(in, dcm.pod(), spine, dcm, false)));
    }

    private int link(int plane, int pod, int spine, Endpoint dcm, boolean upwards) {
        Segment segment = routing.lane(topology.leaf(plane, pod), topology.spines(plane).get(spine), dcm.address())
            .orElseThrow();
        String name = upwards ? segment.lower() + " -> " + segment.upper() : segment.upper() + " -> " + segment.lower();
        return linkNumbers.computeIfAbsent(name, key -> {
            linkNames.add(name);
            capacities.add(segment.capacity());
            return capacities.size() - 1;
        });
    }

    int count() {
        return source.length;
    }

    /** By link: how many phases it needs. */
    int[] phasesOfLinks() {
        int[] carried = new int[slots.length];
        for (int transfer = 0; transfer < up.length; transfer++) {
            if (up[transfer] >= 0) {
                carried[up[transfer]]++;
                carried[down[transfer]]++;
            }
        }
        return IntStream.range(0, slots.length).map(link -> Math.ceilDiv(carried[link], slots[link])).toArray();
    }

    /** By transfer: whether one of its links needs so many phases, and so many times the phases of a mean link. */
    boolean[] busy(double least, double timesMean) {
        int[] needed = phasesOfLinks();
        double phases = Math.max(least, timesMean * IntStream.of(needed).average().orElse(0));
        boolean[] busy = new boolean[up.length];
        for (int transfer = 0; transfer < up.length; transfer++) {
            busy[transfer] = up[transfer] >= 0
                && Math.max(needed[up[transfer]], needed[down[transfer]]) >= phases;
        }
        return busy;
    }
}
