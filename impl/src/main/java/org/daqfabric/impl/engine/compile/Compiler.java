package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Turns a placement into the rules and groups of each switch, as the design's table of the forwarding scheme has it.
 * Rules depend on the placement only, the content of groups also on what is down. Rules for an address stand in every
 * spine and leaf of every plane that could carry it, so that a packet finds its way while its path changes.
 */
public final class Compiler {
    /** A packet that leaves a daqring; above all rules that could send it back into one. */
    static final int FROM_RING = 3000;
    /** A packet that a spine sent back. */
    static final int TURNED_BACK = 2500;
    static final int TO_ADDRESS = 2000;
    static final int LLDP = 1000;
    static final int DROP = 0;

    final Topology topology;
    final FabricView view;
    final Placement placement;
    final PortNumbers numbers;
    final UsableFabric fabric;
    private final Routing routing;
    private final boolean failover;
    /** Whether there are parallel links anywhere. */
    private final boolean parallel;
    private final SharedRules shared = new SharedRules();
    /** What edge switches hold for others than their own addresses: the same for all that are alike. */
    private final Map<EdgeKind, Program> toOthers = new HashMap<>();

    /**
     * What the rules of an edge switch for addresses elsewhere depend on.
     *
     * @param ways by plane, the numbers of the ports of its usable links
     */
    private record EdgeKind(boolean isRos, int pod, List<List<OptionalInt>> ways) {
    }

    public Compiler(Topology topology, FabricView view, Placement placement, PortNumbers numbers) {
        this.topology = topology;
        this.view = view;
        this.placement = placement;
        this.numbers = numbers;
        fabric = new UsableFabric(topology, view);
        routing = new Routing(topology, view, placement, fabric);
        failover = topology.spec().policy().protection().fastFailover();
        parallel = topology.hasParallelLinks();
    }

    /**
     * The switches whose programs may be others than an earlier compiler made.
     *
     * @param present names of the ports each switch had and has
     */
    public Set<String> touchedSince(Compiler before, Map<String, Set<String>> present) {
        return new Touched(before, this, present).switches();
    }

    /** The program of one switch, as if it had none before. */
    public Program compile(String switchName, Set<String> present) {
        return compile(switchName, present, Program.EMPTY);
    }

    /**
     * The program of one switch.
     *
     * @param present names of the ports and daqrings the switch has; nothing refers to one it lacks
     * @param before the program it had, of which what stays is taken
     */
    public Program compile(String switchName, Set<String> present, Program before) {
        Role role = topology.roles().get(switchName);
        if (role == null || role instanceof Role.Spare) {
            return Program.EMPTY;
        }
        SwitchCompiler compiler = new SwitchCompiler(switchName, present);
        Program program = switch (role) {
            case Role.OfSpine spine -> compiler.spine(spine);
            case Role.OfLeaf leaf -> compiler.leaf(leaf);
            default -> compiler.edge(role instanceof Role.OfRos, before);
        };
        return program.sharing(before);
    }

    /** One switch's rules and groups in the making. */
    private final class SwitchCompiler {
        private final String self;
        private final Set<String> present;
        private final boolean rings;
        private final Map<List<Integer>, List<Bucket>> uplinks = new HashMap<>();
        private final List<Rule> rules = new ArrayList<>();
        private final GroupTable groups = new GroupTable();

        SwitchCompiler(String self, Set<String> present) {
            this.self = self;
            this.present = present;
            rings = PortAllocator.hasRings(numbers, self);
        }

        private Program program() {
            return new Program(Entries.ofRules(rules), groups.groups());
        }

        private void everywhere() {
            rule(LLDP, Match.type(Match.LLDP), List.of(new Action.ToController()));
            rule(DROP, Match.ALL, List.of());
        }

        private void rule(int priority, Match match, List<Action> actions) {
            rules.add(new Rule(priority, match, actions));
        }

        private void to(Endpoint host, Action action) {
            rules.add(shared.of(host.address(), action));
        }

        /** Its own addresses, and those elsewhere as all edge switches of its kind have them. */
        Program edge(boolean isRos, Program before) {
            everywhere();
            for (Endpoint host : topology.edges().get(self)) {
                port(host).ifPresent(port -> rule(TO_ADDRESS, Match.to(host.address()),
                    List.of(new Action.SetDestinationMac(mac(host)), new Action.Output(port))));
            }
            SortedMap<Rule.Key, Rule> own = new TreeMap<>();
            rules.forEach(rule -> own.put(rule.key(), rule));
            Program others;
            if (parallel) {
                others = toOthers(isRos);
            } else {
                EdgeKind kind = new EdgeKind(isRos, topology.podOf(self), ways());
                others = toOthers.get(kind);
                if (others == null) {
                    others = toOthers(isRos).sharing(before);
                    toOthers.put(kind, others);
                }
            }
            return new Program(others.rules().with(own), others.groups());
        }

        private List<List<OptionalInt>> ways() {
            int pod = topology.podOf(self);
            return topology.planes().stream().map(plane -> routing.lanes(self, topology.leaf(plane, pod)).stream()
                .map(this::number).toList()).toList();
        }

        /** ROS talk to DCMs and DCMs to ROS, nobody to his own kind. */
        private Program toOthers(boolean isRos) {
            rules.clear();
            for (Endpoint host : topology.endpoints().values()) {
                Route route = placement.routes().get(host.address());
                if (host.isDcm() == isRos && route != null) {
                    int group = groups.id(new GroupKey.ToEdge(host.edge(), route.planes(), chosenUplinks(host, route)),
                        () -> toEdge(host));
                    to(host, new Action.ToGroup(group));
                }
            }
            return program();
        }

        private List<Bucket> toEdge(Endpoint host) {
            List<Integer> planes = routing.planes(self, host.address());
            // which of parallel links is taken is the address's own matter; else all that go by the same planes share it
            return parallel ? uplinks(planes, host) : uplinks.computeIfAbsent(planes, any -> uplinks(planes, host));
        }

        private List<Bucket> uplinks(List<Integer> planes, Endpoint host) {
            int pod = topology.podOf(self);
            List<Segment> ways = new ArrayList<>();
            for (int plane : planes) {
                ways.addAll(routing.lanes(self, topology.leaf(plane, pod), host.address()));
            }
            return buckets(ways);
        }

        private List<PortId> chosenUplinks(Endpoint host, Route route) {
            if (!parallel) {
                return List.of();
            }
            int pod = topology.podOf(self);
            List<PortId> chosen = new ArrayList<>();
            route.planes().forEach(plane -> addLane(chosen, self, topology.leaf(plane, pod), host.address()));
            return chosen;
        }

        Program leaf(Role.OfLeaf leaf) {
            everywhere();
            topology.endpoints().values().forEach(host -> leaf(leaf, host));
            if (failover) {
                turnedBack(leaf);
            }
            return program();
        }

        private void leaf(Role.OfLeaf leaf, Endpoint host) {
            if (topology.between(host.edge(), topology.leaf(leaf.plane(), host.pod())).isEmpty()) {
                return;
            }
            if (host.pod() == leaf.pod()) {
                throughRing(host, downwards(host.edge(), self, host.address(),
                    lanes -> new GroupKey.ToUplinks(host.edge(), lanes)));
            } else {
                SpineChoice choice = choice(leaf.plane(), host.address());
                List<PortId> lanes = new ArrayList<>();
                SortedMap<Integer, String> spines = topology.spines(leaf.plane());
                for (int spine : List.of(choice.spine(), choice.backup())) {
                    if (spines.containsKey(spine)) {
                        addLane(lanes, self, spines.get(spine), host.address());
                    }
                }
                int group = groups.id(new GroupKey.ToPod(host.pod(), choice.spine(), choice.backup(), lanes),
                    () -> toPod(leaf, host));
                to(host, new Action.ToGroup(group));
            }
        }

        /** The first two spines that work: the placed one and its backup, or whoever stands in for them. */
        private List<Bucket> toPod(Role.OfLeaf leaf, Endpoint host) {
            List<Integer> spines = routing.spines(leaf.plane(), leaf.pod(), host.address()).stream().limit(2).toList();
            List<Bucket> buckets = new ArrayList<>();
            for (int spine : spines) {
                List<Segment> lanes = routing.lanes(self, topology.spines(leaf.plane()).get(spine), host.address());
                boolean canReturn = failover && spines.size() > 1 && spine == spines.get(0);
                Optional<Action> mark = canReturn
                    ? Optional.of(new Action.SetDestinationMac(TurnedBack.to(leaf.pod(), spines.get(1))))
                    : Optional.empty();
                buckets(lanes).forEach(bucket -> buckets.add(mark.map(action -> marked(bucket, action)).orElse(bucket)));
            }
            return buckets.stream().limit(failover ? Long.MAX_VALUE : 1).toList();
        }

        private static Bucket marked(Bucket bucket, Action mark) {
            List<Action> actions = new ArrayList<>(List.of(mark));
            actions.addAll(bucket.actions());
            return new Bucket(bucket.watchPort(), bucket.watchGroup(), actions);
        }

        /**
         * What a spine turned back goes to the spine its mark names, or to one after it. It cannot go round: a switch
         * sends nothing back by the port it came in by, and nothing here changes the mark. The spine named stays first
         * when it is drained, which only means that no packet is given its mark any more: what is on its way might come
         * from the one after it.
         */
        private void turnedBack(Role.OfLeaf leaf) {
            SortedMap<Integer, String> spines = topology.spines(leaf.plane());
            for (int spine : spines.keySet()) {
                List<Integer> order = new ArrayList<>(spines.tailMap(spine).keySet());
                order.addAll(spines.headMap(spine).keySet());
                int group = groups.id(new GroupKey.Turned(spine), () -> buckets(order.stream()
                    .flatMap(next -> (next == spine ? topology.between(self, spines.get(next))
                        : routing.lanes(self, spines.get(next))).stream()).toList()));
                rule(TURNED_BACK, Match.to(TurnedBack.to(leaf.pod(), spine)), List.of(new Action.ToGroup(group)));
            }
        }

        Program spine(Role.OfSpine spine) {
            everywhere();
            topology.endpoints().values().forEach(host -> spine(spine, host));
            return program();
        }

        private void spine(Role.OfSpine spine, Endpoint host) {
            String leaf = topology.leaf(spine.plane(), host.pod());
            if (topology.between(host.edge(), leaf).isEmpty()) {
                return;
            }
            List<PortId> lanes = new ArrayList<>();
            addLane(lanes, leaf, self, host.address());
            if (!failover) {
                throughRing(host, downwards(leaf, self, host.address(), chosen -> new GroupKey.ToLeaf(host.pod(), chosen)));
            } else if (ring(host).isPresent()) {
                throughRing(host, downwards(leaf, self, host.address(), chosen -> new GroupKey.FromRing(host.pod(), chosen)));
                // before the daqring, since what comes out of it came in by it
                int group = groups.id(new GroupKey.ToRing(host.address()), () -> orBack(
                    downLanes(leaf, self, host.address()).map(number -> new Bucket(OptionalInt.of(number),
                        OptionalInt.empty(), List.of(new Action.Output(ring(host).getAsInt()))))));
                to(host, new Action.ToGroup(group));
            } else {
                int group = groups.id(new GroupKey.ToLeaf(host.pod(), lanes), () -> orBack(
                    downLanes(leaf, self, host.address()).map(Bucket::out)));
                to(host, new Action.ToGroup(group));
            }
        }

        private List<Bucket> orBack(Stream<Bucket> onward) {
            int back = groups.id(new GroupKey.Back(), () -> List.of(
                new Bucket(OptionalInt.empty(), OptionalInt.empty(), List.of(new Action.OutputInPort()))));
            return Stream.concat(onward, Stream.of(new Bucket(OptionalInt.empty(), OptionalInt.of(back),
                List.of(new Action.OutputInPort())))).toList();
        }

        /** To the switch below: straight out by a single link, through a group by several. */
        private List<Action> downwards(String lower, String upper, Ipv4 address,
                Function<List<PortId>, GroupKey> key) {
            List<Segment> links = topology.between(lower, upper);
            if (links.size() > 1) {
                List<PortId> lanes = new ArrayList<>();
                addLane(lanes, lower, upper, address);
                return List.of(new Action.ToGroup(groups.id(key.apply(lanes), () ->
                    downLanes(lower, upper, address).map(Bucket::out).limit(failover ? Long.MAX_VALUE : 1).toList())));
            }
            return links.isEmpty() ? List.of()
                : number(links.get(0)).stream().<Action>mapToObj(Action.Output::new).toList();
        }

        /**
         * Ports to the switch below, most preferred first. One that is down stays among them: there is no better way,
         * it will be back, and nobody sends packets this way for long.
         */
        private Stream<Integer> downLanes(String lower, String upper, Ipv4 address) {
            List<Segment> lanes = new ArrayList<>(routing.lanes(lower, upper, address));
            topology.between(lower, upper).stream().filter(link -> !lanes.contains(link)).forEach(lanes::add);
            return lanes.stream().map(this::number).filter(OptionalInt::isPresent).map(OptionalInt::getAsInt);
        }

        /** Two rules for a daqring (thesis 5.5.1.1), one where there is none. */
        private void throughRing(Endpoint host, List<Action> onward) {
            if (onward.isEmpty()) {
                return;
            }
            OptionalInt ring = ring(host);
            if (ring.isPresent()) {
                rule(FROM_RING, Match.from(ring.getAsInt()), onward);
                to(host, new Action.Output(ring.getAsInt()));
            } else {
                to(host, onward.get(0));
            }
        }

        private OptionalInt ring(Endpoint host) {
            if (!rings) {
                return OptionalInt.empty();
            }
            String ring = Daqrings.portName(host.address());
            return host.isDcm() && present.contains(ring) ? numbers.of(new PortId(self, ring)) : OptionalInt.empty();
        }

        private List<Bucket> buckets(List<Segment> ways) {
            return ways.stream().map(this::number).filter(OptionalInt::isPresent)
                .limit(failover ? Long.MAX_VALUE : 1)
                .map(number -> Bucket.out(number.getAsInt())).toList();
        }

        private OptionalInt number(Segment segment) {
            PortId port = segment.lower().switchName().equals(self) ? segment.lower() : segment.upper();
            return present.contains(port.port()) ? numbers.of(port) : OptionalInt.empty();
        }

        private Optional<Integer> port(Endpoint host) {
            if (host.port().equals(Dcm.LOCAL)) {
                return Optional.of(Action.LOCAL);
            }
            OptionalInt number = present.contains(host.port()) ? numbers.of(new PortId(self, host.port()))
                : OptionalInt.empty();
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }

        private Mac mac(Endpoint host) {
            return host.mac().orElseGet(() -> DatapathIds.mac(topology.spec().name(), self));
        }
    }

    private SpineChoice choice(int plane, Ipv4 address) {
        Route route = placement.routes().get(address);
        SpineChoice choice = route == null ? null : route.spines().get(plane);
        return choice == null ? new SpineChoice(0, 0) : choice;
    }

    private void addLane(List<PortId> lanes, String lower, String upper, Ipv4 address) {
        if (topology.between(lower, upper).size() > 1) {
            routing.lane(lower, upper, address).map(Segment::id).ifPresent(lanes::add);
        }
    }
}
