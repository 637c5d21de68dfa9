package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;

/** Collects the rules and groups of one switch. Used by one thread, for one program. */
abstract class SwitchCompiler {
    /** In every switch; packets that no other rule matches are dropped. */
    static final List<Rule> COMMON_RULES = List.of(
        new Rule(RulePriority.LLDP, Match.type(Match.LLDP), List.of(new Action.ToController())),
        new Rule(RulePriority.DROP, Match.ALL, List.of()));

    final CompileContext context;
    /** The switch's name. */
    final String self;
    /** Names of the ports and daqrings it has. */
    final Set<String> present;
    /** The numbers of its ports by name, present or not. */
    final SortedMap<String, Integer> portNumbers;
    final List<Rule> rules = new ArrayList<>();
    final GroupTable groups;
    /** Numbers of the daqrings it has, by the text of their addresses. */
    private final Map<String, Integer> rings = new HashMap<>();

    SwitchCompiler(CompileContext context, String self, Set<String> present) {
        this.context = context;
        this.self = self;
        this.present = present;
        portNumbers = context.numbers.of(self);
        portNumbers.forEach((port, number) -> {
            if (PortAllocator.isRing(number) && present.contains(port)) {
                Daqrings.addressOf(port).ifPresent(address -> rings.put(address, number));
            }
        });
        groups = new GroupTable(context.interner);
    }

    final Program program() {
        return new Program(Entries.ofRules(rules), groups.groups(), unusable());
    }

    /** Numbers of its ports whose links must not be used. */
    final Set<Integer> unusable() {
        Set<PortId> down = context.unusable.down();
        return down.isEmpty() ? Set.of() : context.topology.segments(self).stream()
            .filter(segment -> down.contains(segment.id())).map(this::number).filter(OptionalInt::isPresent)
            .map(OptionalInt::getAsInt).collect(Collectors.toSet());
    }

    final void add(int priority, Match match, List<Action> actions) {
        rules.add(new Rule(priority, match, actions));
    }

    /** Adds the rule that does one thing with packets to an address. */
    final void add(RuleInterner.Host host, Action action) {
        rules.add(context.interner.rule(host, action));
    }

    static SortedMap<Rule.Key, Rule> byKey(List<Rule> rules) {
        SortedMap<Rule.Key, Rule> byKey = new TreeMap<>();
        rules.forEach(rule -> byKey.put(rule.key(), rule));
        return byKey;
    }

    /** The actions for packets to the switch below: output by a single link, a group for parallel links. */
    final List<Action> down(String lower, Address address, Function<List<PortId>, GroupKey> key) {
        List<Segment> links = context.topology.between(lower, self);
        if (links.size() > 1) {
            List<PortId> lane = context.lane(lower, self, address).stream().toList();
            return List.of(new Action.ToGroup(groups.id(key.apply(lane), () ->
                lanesDown(lower, address).map(Bucket::out).limit(bucketLimit()).toList())));
        }
        return links.isEmpty() ? List.of()
            : number(links.get(0)).stream().<Action>mapToObj(Action.Output::new).toList();
    }

    /**
     * Numbers of the ports to the switch below, most preferred first. Unusable links come last and are not left out:
     * no other path is better, a link that failed returns, and no switch above sends packets here for long.
     */
    final Stream<Integer> lanesDown(String lower, Address address) {
        List<Segment> lanes = new ArrayList<>(context.routing.lanes(lower, self, address));
        context.topology.between(lower, self).stream().filter(link -> !lanes.contains(link)).forEach(lanes::add);
        return lanes.stream().map(this::number).filter(OptionalInt::isPresent).map(OptionalInt::getAsInt);
    }

    /** Adds two rules for an address with a daqring (thesis 5.5.1.1), one for an address without. */
    final void addThroughRing(RuleInterner.Host host, List<Action> onward) {
        if (onward.isEmpty()) {
            return;
        }
        OptionalInt ring = ring(host);
        if (ring.isPresent()) {
            add(RulePriority.FROM_RING, Match.from(ring.getAsInt()), onward);
            add(host, new Action.Output(ring.getAsInt()));
            addControl(host, onward);
        } else {
            add(host, onward.get(0));
        }
    }

    /** Adds rules by which control passes an address's daqring by. */
    final void addControl(RuleInterner.Host host, List<Action> onward) {
        Address address = host.endpoint().address();
        context.topology.others().controlTo(address).forEach(source ->
            add(RulePriority.CONTROL, Match.between(source, address), onward));
    }

    /** The number of an address's daqring in this switch; empty if it has none here. */
    final OptionalInt ring(RuleInterner.Host host) {
        return host.endpoint().isDcm() ? ring(host.text()) : OptionalInt.empty();
    }

    /** The number of the daqring of an address, as text, in this switch; empty if it has none here. */
    final OptionalInt ring(String address) {
        Integer number = rings.get(address);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** A bucket for each link whose port is present, in their order; only the first without fast failover. */
    final List<Bucket> buckets(List<Segment> links) {
        return links.stream().map(this::number).filter(OptionalInt::isPresent).limit(bucketLimit())
            .map(number -> Bucket.out(number.getAsInt())).toList();
    }

    /** A bucket that does something else first. */
    static Bucket marked(Bucket bucket, Action mark) {
        List<Action> actions = new ArrayList<>(List.of(mark));
        actions.addAll(bucket.actions());
        return new Bucket(bucket.watchPort(), bucket.watchGroup(), actions);
    }

    final long bucketLimit() {
        return context.fastFailover ? Long.MAX_VALUE : 1;
    }

    /** The number of this switch's port to a link; empty if the port is not present. */
    final OptionalInt number(Segment segment) {
        return number(segment.at(self).port());
    }

    /** The number of a port or daqring; empty if it is not present. */
    final OptionalInt number(String port) {
        Integer number = present.contains(port) ? portNumbers.get(port) : null;
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
