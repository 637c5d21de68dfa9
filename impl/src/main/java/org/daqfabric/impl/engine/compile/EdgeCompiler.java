package org.daqfabric.impl.engine.compile;

import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.ProofAddress;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.OtherHosts;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;

/** Compiles the switch of a ROS, of an HLT rack, or of a node that is both. */
final class EdgeCompiler extends SwitchCompiler {
    /** Class selector 6 of RFC 2474: ports that have several queues send what has it before data. */
    private static final int CONTROL_DSCP = 48;
    private final Role role;
    private final int pod;
    /** Addresses of flows of the hosts behind the switch. */
    private final Set<Address> peers;
    /** By the planes in the order of the route; only without parallel links. */
    private final Map<List<Integer>, List<Bucket>> uplinkBuckets = new HashMap<>();

    EdgeCompiler(CompileContext context, String self, Set<String> present, Role role) {
        super(context, self, present);
        this.role = role;
        pod = context.topology.podOf(self);
        peers = context.topology.others().peers(self);
    }

    /** Its own rules, and those for remote addresses, which all edge switches of its kind share. */
    Program compile(Program before) {
        Program remote = context.parallelLinks ? remote()
            : context.edgePrograms.program(kind(), () -> remote().sharing(before));
        List<Rule> local = new ArrayList<>(COMMON_RULES);
        context.topology.edges().get(self).forEach(host -> local.add(new Rule(RulePriority.PROOF,
            Match.between(ProofAddress.to(host.address()), host.address()), List.of(new Action.ToController()))));
        Iterable<Endpoint> behind = Iterables.concat(context.topology.edges().get(self),
            context.topology.others().behind(self));
        for (Endpoint host : behind) {
            port(host).ifPresent(port -> local.add(new Rule(RulePriority.TO_ADDRESS, Match.to(host.address()),
                List.of(new Action.SetDestinationMac(mac(host)), new Action.Output(port)))));
        }
        Program others = role.sendsFragments() && role.buildsEvents() ? withoutOwn(remote) : remote;
        behind.forEach(host -> addMarks(host, others, local));
        return new Program(others.rules().with(byKey(local)), others.groups());
    }

    /**
     * Adds the rules that mark control which a host sends, and lead what is declared through its daqring: from there it
     * goes as all else does, in ports before data. Answers are marked only.
     */
    private void addMarks(Endpoint host, Program remote, List<Rule> local) {
        OtherHosts others = context.topology.others();
        OptionalInt ring = ring(host.address().toString());
        Set<Address> declared = ring.isEmpty() ? Set.of()
            : others.declaredControl().getOrDefault(host.address(), List.of()).stream()
                .map(pair -> pair.to().address()).collect(Collectors.toSet());
        for (Address to : others.controlTo(host.address())) {
            toRemote(remote, to).ifPresent(rule -> {
                List<Action> actions = new ArrayList<>(List.of(new Action.SetDscp(CONTROL_DSCP)));
                if (declared.contains(to)) {
                    local.add(new Rule(RulePriority.FROM_RING, Match.from(ring.getAsInt(), to), rule.actions()));
                    actions.add(new Action.Output(ring.getAsInt()));
                } else {
                    actions.addAll(rule.actions());
                }
                local.add(new Rule(RulePriority.CONTROL, Match.between(host.address(), to), actions));
            });
        }
    }

    /** The rule for a remote address, its own or that of the longest prefix. */
    private static Optional<Rule> toRemote(Program remote, Address address) {
        return IntStream.rangeClosed(0, address.bits()).map(free -> address.bits() - free)
            .mapToObj(length -> remote.rules().get(
                Rule.Key.to(RulePriority.TO_ADDRESS, address.prefix(length), length)))
            .filter(Objects::nonNull).findFirst();
    }

    /** Takes out what the switches of other nodes of the kind need for the addresses of this one. */
    private Program withoutOwn(Program remote) {
        Set<Address> own =
            context.topology.edges().get(self).stream().map(Endpoint::address).collect(Collectors.toSet());
        SortedMap<Rule.Key, Rule> rules = new TreeMap<>();
        SortedMap<Integer, Group> unused = new TreeMap<>();
        for (Map.Entry<Rule.Key, Rule> rule : remote.rules().entrySet()) {
            // a prefix has addresses of one edge switch only
            if (rule.getKey().match().destination().filter(first -> own.stream().anyMatch(address -> address.prefix(
                    rule.getKey().match().prefixLength()).equals(first))).isPresent()) {
                rules.put(rule.getKey(), null);
                rule.getValue().actions().stream().filter(Action.ToGroup.class::isInstance)
                    .forEach(action -> unused.put(((Action.ToGroup) action).id(), null));
            }
        }
        return new Program(remote.rules().with(rules), remote.groups().with(unused));
    }

    private SharedEdgePrograms.Kind kind() {
        List<List<OptionalInt>> uplinks = context.topology.planes().stream()
            .map(plane -> context.routing.lanes(self, leaf(plane)).stream().map(this::number).toList()).toList();
        return new SharedEdgePrograms.Kind(role.sendsFragments(), role.buildsEvents(), pod, uplinks, peers);
    }

    private String leaf(int plane) {
        return context.topology.leaf(plane, pod);
    }

    /** ROS send to DCMs and DCMs to ROS; no two of a kind exchange packets. Other hosts do by flows. */
    private Program remote() {
        if (context.prefixRules && role.sendsFragments()) {
            addPrefixes();
        }
        for (RuleInterner.Host each : context.interner.hosts()) {
            Endpoint host = each.endpoint();
            Route route = context.route(each, pod);
            if (route != null && sendsTo(host)) {
                add(each, new Action.ToGroup(group(key(host, route), host)));
            }
        }
        return program();
    }

    /** Whether the switch sends to a remote address and has no rule for a prefix that covers it. */
    private boolean sendsTo(Endpoint host) {
        boolean byPrefix = context.prefixRules && role.sendsFragments() && host.isDcm();
        return !byPrefix && (role.sendsTo(host.kind()) || peers.contains(host.address()));
    }

    private void addPrefixes() {
        for (PrefixAggregation.Prefix prefix : prefixes()) {
            Endpoint host = prefix.host();
            Rule.Key key = Rule.Key.to(RulePriority.TO_ADDRESS, host.address(), prefix.length());
            add(key.priority(), key.match(), List.of(new Action.ToGroup(group(key(host).orElseThrow(), host))));
        }
    }

    private List<PrefixAggregation.Prefix> prefixes() {
        return context.parallelLinks ? choosePrefixes()
            : context.edgePrograms.prefixes(context.isByPod() ? pod : 0, this::choosePrefixes);
    }

    private List<PrefixAggregation.Prefix> choosePrefixes() {
        return PrefixAggregation.of(context.topology.addresses().values(),
            host -> host.isDcm() ? key(host) : Optional.empty());
    }

    private Optional<GroupKey.ToEdge> key(Endpoint host) {
        return Optional.ofNullable(context.placement.routes().get(host.address()))
            .map(route -> key(host, route.from(pod)));
    }

    private GroupKey.ToEdge key(Endpoint host, Route route) {
        return new GroupKey.ToEdge(host.edge(), route.planes(), lanes(host, route));
    }

    private List<PortId> lanes(Endpoint host, Route route) {
        if (!context.parallelLinks) {
            return List.of();
        }
        List<PortId> lanes = new ArrayList<>();
        route.planes().forEach(plane -> context.lane(self, leaf(plane), host.address()).ifPresent(lanes::add));
        return lanes;
    }

    private int group(GroupKey key, Endpoint host) {
        return groups.id(key, () -> toEdge(host));
    }

    private List<Bucket> toEdge(Endpoint host) {
        List<Integer> planes = context.routing.planes(self, host.address());
        // each address has lanes of its own; without parallel links all that use the same planes share the buckets
        return context.parallelLinks ? uplinks(planes, host)
            : uplinkBuckets.computeIfAbsent(planes, any -> uplinks(planes, host));
    }

    private List<Bucket> uplinks(List<Integer> planes, Endpoint host) {
        List<Segment> links = new ArrayList<>();
        for (int plane : planes) {
            links.addAll(context.routing.lanes(self, leaf(plane), host.address()));
        }
        return buckets(links);
    }

    private OptionalInt port(Endpoint host) {
        return host.port().equals(Dcm.LOCAL) ? OptionalInt.of(Action.LOCAL) : number(host.port());
    }

    private Mac mac(Endpoint host) {
        return host.mac().orElseGet(() -> context.topology.mac(self));
    }
}
