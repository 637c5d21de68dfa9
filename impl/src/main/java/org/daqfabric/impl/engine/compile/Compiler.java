package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Policy;
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
 *
 * <p>Several switches may be compiled at the same time; which comes first makes no difference.
 */
public final class Compiler {
    /** A packet that leaves a daqring; above all rules that could send it back into one. */
    static final int FROM_RING = 3000;
    /** A packet that a spine sent back. */
    static final int TURNED_BACK = 2500;
    static final int TO_ADDRESS = 2000;
    static final int LLDP = 1000;
    static final int DROP = 0;

    private static final SpineChoice NO_SPINE = new SpineChoice(0, 0);

    final Topology topology;
    final UnusableLinks view;
    final Placement placement;
    final PortNumbers numbers;
    final UsableFabric fabric;
    private final Routing routing;
    private final boolean failover;
    /** Whether there are parallel links anywhere. */
    private final boolean parallel;
    private final boolean compressed;
    /** What the switches of ROS have rules for; without parallel links all the same. */
    private List<PrefixAggregation.Prefix> prefixes;
    private final RuleInterner shared;
    /** By the position of the address; null for one without. */
    private final Route[] routes;
    /** By plane, the numbers of the spines chosen, by the position of the address. */
    private final Map<Integer, int[]> choices = new HashMap<>();
    /** What edge switches hold for others than their own addresses: the same for all that are alike. */
    private final Map<EdgeKind, Program> toOthers = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, CompiledLeaf> leaves = Collections.synchronizedMap(new HashMap<>());

    /**
     * What the rules of an edge switch for addresses elsewhere depend on.
     *
     * @param ways by plane, the numbers of the ports of its usable links
     */
    private record EdgeKind(boolean isRos, int pod, List<List<OptionalInt>> ways) {
    }

    public Compiler(Topology topology, UnusableLinks view, Placement placement, PortNumbers numbers) {
        this(topology, view, placement, numbers, new RuleInterner(topology), null);
    }

    private Compiler(Topology topology, UnusableLinks view, Placement placement, PortNumbers numbers, RuleInterner shared,
            Compiler before) {
        this.shared = shared;
        routes = shared.hosts().stream().map(host -> placement.routes().get(host.endpoint().address()))
            .toArray(Route[]::new);
        this.topology = topology;
        this.view = view;
        this.placement = placement;
        this.numbers = numbers;
        fabric = new UsableFabric(topology, view);
        routing = new Routing(topology, view, placement, fabric);
        failover = topology.spec().policy().protection().fastFailover();
        parallel = topology.hasParallelLinks();
        compressed = topology.spec().policy().rules() == Policy.Rules.COMPRESSED;
        for (int plane : topology.planes()) {
            choices.put(plane, choices(plane, before));
        }
    }

    /** Those of addresses whose routes stay are what they were. */
    private int[] choices(int plane, Compiler before) {
        int[] chosen = new int[routes.length];
        for (int host = 0; host < chosen.length; host++) {
            chosen[host] = before != null && routes[host] == before.routes[host] ? before.choices.get(plane)[host]
                : shared.number(choice(plane, routes[host]));
        }
        return chosen;
    }

    /** A compiler for what follows, which takes from this one what stays. */
    public Compiler next(Topology of, UnusableLinks seen, Placement placed, PortNumbers numbered) {
        Compiler next = of == topology ? new Compiler(of, seen, placed, numbered, shared, this)
            : new Compiler(of, seen, placed, numbered);
        if (of == topology) {
            Set<String> unseen = ChangedSwitches.bySight(this, next);
            leaves.forEach((name, made) -> next.leaves.put(name, unseen.contains(name) ? made.unseen() : made));
        }
        return next;
    }

    /**
     * The switches whose programs may be others than an earlier compiler made.
     *
     * @param present names of the ports each switch had and has
     */
    public Set<String> touchedSince(Compiler before, Map<String, Set<String>> present) {
        return new ChangedSwitches(before, this, present).switches();
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
        Program shared = program.sharing(before);
        if (role instanceof Role.OfLeaf leaf && !parallel) {
            leaves.put(switchName, compiler.made(leaf.plane(), shared));
        }
        return shared;
    }

    /** One switch's rules and groups in the making. */
    private final class SwitchCompiler {
        private final String self;
        private final Set<String> present;
        /** The numbers of its ports. */
        private final SortedMap<String, Integer> own;
        private final boolean rings;
        private final Map<List<Integer>, List<Bucket>> uplinks = new HashMap<>();
        /** By the position of the pod and the number of the choice, where no choice among parallel links comes to it. */
        private final Action[][] toPods = new Action[topology.spec().pods().size()][];
        private final List<Rule> rules = new ArrayList<>();
        private final GroupTable groups = new GroupTable(shared);

        SwitchCompiler(String self, Set<String> present) {
            this.self = self;
            this.present = present;
            own = numbers.of(self);
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

        private void to(RuleInterner.Host host, Action action) {
            rules.add(shared.rule(host, action));
        }

        /** Its own addresses, and those elsewhere as all edge switches of its kind have them. */
        Program edge(boolean isRos, Program before) {
            everywhere();
            for (Endpoint host : topology.edges().get(self)) {
                port(host).ifPresent(port -> rule(TO_ADDRESS, Match.to(host.address()),
                    List.of(new Action.SetDestinationMac(mac(host)), new Action.Output(port))));
            }
            SortedMap<Rule.Key, Rule> ownRules = new TreeMap<>();
            rules.forEach(rule -> ownRules.put(rule.key(), rule));
            Program others;
            if (parallel) {
                others = toOthers(isRos);
            } else {
                others = toOthers.computeIfAbsent(new EdgeKind(isRos, topology.podOf(self), ways()),
                    kind -> toOthers(isRos).sharing(before));
            }
            return new Program(others.rules().with(ownRules), others.groups());
        }

        private List<List<OptionalInt>> ways() {
            int pod = topology.podOf(self);
            return topology.planes().stream().map(plane -> routing.lanes(self, topology.leaf(plane, pod)).stream()
                .map(this::number).toList()).toList();
        }

        /** ROS talk to DCMs and DCMs to ROS, nobody to his own kind. */
        private Program toOthers(boolean isRos) {
            if (compressed && isRos) {
                return toPrefixes();
            }
            rules.clear();
            for (RuleInterner.Host each : shared.hosts()) {
                Endpoint host = each.endpoint();
                Route route = routes[each.index()];
                if (host.isDcm() == isRos && route != null) {
                    int group = groups.id(new GroupKey.ToEdge(host.edge(), route.planes(), chosenUplinks(host, route)),
                        () -> toEdge(host));
                    to(each, new Action.ToGroup(group));
                }
            }
            return program();
        }

        private Optional<GroupKey.ToEdge> edgeKey(Endpoint host) {
            Route route = placement.routes().get(host.address());
            return route == null ? Optional.empty()
                : Optional.of(new GroupKey.ToEdge(host.edge(), route.planes(), chosenUplinks(host, route)));
        }

        /** To all DCMs, in a ROS's switch. */
        private Program toPrefixes() {
            rules.clear();
            for (PrefixAggregation.Prefix prefix : prefixes()) {
                Rule.Key key = Rule.Key.to(TO_ADDRESS, prefix.host().address(), prefix.length());
                int group = groups.id(edgeKey(prefix.host()).orElseThrow(), () -> toEdge(prefix.host()));
                rule(key.priority(), key.match(), List.of(new Action.ToGroup(group)));
            }
            return program();
        }

        private List<PrefixAggregation.Prefix> prefixes() {
            return parallel ? choose() : sharedPrefixes(this::choose);
        }

        private List<PrefixAggregation.Prefix> choose() {
            return PrefixAggregation.of(topology.endpoints().values(), host -> host.isDcm() ? edgeKey(host) : Optional.empty());
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
            CompiledLeaf made = leaves.get(self);
            boolean alike = made != null && made.present().equals(present) && made.numbers().equals(own);
            return alike ? leafAfter(leaf, made) : wholeLeaf(leaf);
        }

        CompiledLeaf made(int plane, Program program) {
            return new CompiledLeaf(choices.get(plane), present, own, toPods, groups.contents(), program, true);
        }

        private Program wholeLeaf(Role.OfLeaf leaf) {
            everywhere();
            SortedMap<Integer, String> spines = topology.spines(leaf.plane());
            for (RuleInterner.Host host : shared.hosts()) {
                if (host.linked().get(leaf.plane())) {
                    leaf(leaf, host, spines);
                }
            }
            if (failover) {
                turnedBack(leaf);
            }
            return program();
        }

        /** Ids are given in the same order as if all were made anew: only then are they the same. */
        private Program leafAfter(Role.OfLeaf leaf, CompiledLeaf made) {
            if (made.seen()) {
                groups.take(made.contents());
            }
            for (RuleInterner.Host host : shared.hosts()) {
                if (host.linked().get(leaf.plane()) && host.endpoint().pod() != leaf.pod()) {
                    Action action = toPod(leaf, host);
                    if (!action.equals(made.toPod(host))) {
                        to(host, action);
                    }
                }
            }
            if (failover) {
                turnedBack(leaf);
            }
            SortedMap<Rule.Key, Rule> changed = new TreeMap<>();
            rules.forEach(rule -> changed.put(rule.key(), rule));
            return new Program(made.program().rules().with(changed), groups.groups());
        }

        private void leaf(Role.OfLeaf leaf, RuleInterner.Host each, SortedMap<Integer, String> spines) {
            Endpoint host = each.endpoint();
            if (host.pod() == leaf.pod()) {
                throughRing(each, downwards(host.edge(), self, host.address(),
                    lanes -> new GroupKey.ToUplinks(host.edge(), lanes)));
            } else if (parallel) {
                SpineChoice choice = choice(leaf.plane(), routes[each.index()]);
                to(each, toPod(leaf, host, choice, lanes(host, choice, spines)));
            } else {
                to(each, toPod(leaf, each));
            }
        }

        /** Where no choice among parallel links comes to it. */
        private Action toPod(Role.OfLeaf leaf, RuleInterner.Host host) {
            if (toPods[host.podAt()] == null) {
                toPods[host.podAt()] = new Action[shared.choices()];
            }
            Action[] toPod = toPods[host.podAt()];
            int chosen = choices.get(leaf.plane())[host.index()];
            if (toPod[chosen] == null) {
                toPod[chosen] = toPod(leaf, host.endpoint(), choice(leaf.plane(), routes[host.index()]), List.of());
            }
            return toPod[chosen];
        }

        private List<PortId> lanes(Endpoint host, SpineChoice choice, SortedMap<Integer, String> spines) {
            List<PortId> lanes = new ArrayList<>();
            for (int spine : List.of(choice.spine(), choice.backup())) {
                if (spines.containsKey(spine)) {
                    addLane(lanes, self, spines.get(spine), host.address());
                }
            }
            return lanes;
        }

        private Action toPod(Role.OfLeaf leaf, Endpoint host, SpineChoice choice, List<PortId> lanes) {
            return new Action.ToGroup(groups.id(
                new GroupKey.ToPod(host.pod(), choice.spine(), choice.backup(), lanes), () -> toPod(leaf, host)));
        }

        /** The first two spines that work: the placed one and its backup, or whoever stands in for them. */
        private List<Bucket> toPod(Role.OfLeaf leaf, Endpoint host) {
            List<Integer> spines = routing.spines(leaf.plane(), leaf.pod(), host.address()).stream().limit(2).toList();
            List<Bucket> buckets = new ArrayList<>();
            for (int spine : spines) {
                List<Segment> lanes = routing.lanes(self, topology.spines(leaf.plane()).get(spine), host.address());
                boolean canReturn = failover && spines.size() > 1 && spine == spines.get(0);
                Optional<Action> mark = canReturn
                    ? Optional.of(new Action.SetDestinationMac(TurnBackMark.to(leaf.pod(), spines.get(1))))
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
                rule(TURNED_BACK, Match.to(TurnBackMark.to(leaf.pod(), spine)), List.of(new Action.ToGroup(group)));
            }
        }

        Program spine(Role.OfSpine spine) {
            everywhere();
            for (RuleInterner.Host host : shared.hosts()) {
                if (host.linked().get(spine.plane())) {
                    spine(topology.leaf(spine.plane(), host.endpoint().pod()), host);
                }
            }
            return program();
        }

        private void spine(String leaf, RuleInterner.Host each) {
            Endpoint host = each.endpoint();
            OptionalInt ring = ring(each);
            if (!failover) {
                throughRing(each, downwards(leaf, self, host.address(), chosen -> new GroupKey.ToLeaf(host.pod(), chosen)));
            } else if (ring.isPresent()) {
                throughRing(each, downwards(leaf, self, host.address(), chosen -> new GroupKey.FromRing(host.pod(), chosen)));
                // before the daqring, since what comes out of it came in by it
                int group = groups.id(new GroupKey.ToRing(host.address()), () -> orBack(
                    downLanes(leaf, self, host.address()).map(number -> new Bucket(OptionalInt.of(number),
                        OptionalInt.empty(), List.of(new Action.Output(ring.getAsInt()))))));
                to(each, new Action.ToGroup(group));
            } else {
                List<PortId> lanes = List.of();
                if (parallel) {
                    lanes = new ArrayList<>();
                    addLane(lanes, leaf, self, host.address());
                }
                int group = groups.id(new GroupKey.ToLeaf(host.pod(), lanes), () -> orBack(
                    downLanes(leaf, self, host.address()).map(Bucket::out)));
                to(each, new Action.ToGroup(group));
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
        private void throughRing(RuleInterner.Host host, List<Action> onward) {
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

        private OptionalInt ring(RuleInterner.Host host) {
            return rings && host.endpoint().isDcm() ? present(host.ring()) : OptionalInt.empty();
        }

        /** The number of a port or daqring it has. */
        private OptionalInt present(String port) {
            Integer number = present.contains(port) ? own.get(port) : null;
            return number == null ? OptionalInt.empty() : OptionalInt.of(number);
        }

        private List<Bucket> buckets(List<Segment> ways) {
            return ways.stream().map(this::number).filter(OptionalInt::isPresent)
                .limit(failover ? Long.MAX_VALUE : 1)
                .map(number -> Bucket.out(number.getAsInt())).toList();
        }

        private OptionalInt number(Segment segment) {
            return present(segment.at(self).port());
        }

        private Optional<Integer> port(Endpoint host) {
            if (host.port().equals(Dcm.LOCAL)) {
                return Optional.of(Action.LOCAL);
            }
            OptionalInt number = present(host.port());
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }

        private Mac mac(Endpoint host) {
            return host.mac().orElseGet(() -> DatapathIds.mac(topology.spec().name(), self));
        }
    }

    private synchronized List<PrefixAggregation.Prefix> sharedPrefixes(Supplier<List<PrefixAggregation.Prefix>> choose) {
        if (prefixes == null) {
            prefixes = choose.get();
        }
        return prefixes;
    }

    static SpineChoice choice(int plane, Route route) {
        return route == null ? NO_SPINE : route.spines().getOrDefault(plane, NO_SPINE);
    }

    private void addLane(List<PortId> lanes, String lower, String upper, Ipv4 address) {
        if (topology.between(lower, upper).size() > 1) {
            routing.lane(lower, upper, address).map(Segment::id).ifPresent(lanes::add);
        }
    }
}
