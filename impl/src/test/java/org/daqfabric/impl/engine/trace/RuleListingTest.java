package org.daqfabric.impl.engine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.program.SwitchRules.Entry;
import org.daqfabric.api.program.SwitchRules.RuleEntry;
import org.daqfabric.api.program.SwitchRules.State;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.diff.Comparison;
import org.junit.jupiter.api.Test;

/** What a switch must hold and holds, side by side. */
class RuleListingTest {
    private static final Rule SAME = rule("10.0.0.1", 1);
    private static final Rule GONE = rule("10.0.0.2", 2);
    private static final Rule OTHER = rule("10.0.0.3", 3);
    private static final Rule EXCESS = rule("10.0.0.4", 4);
    private static final Rule FOREIGN = rule("10.0.0.5", 5);
    private static final Rule DROP = new Rule(0, Match.ALL, List.of());
    private static final Rule PREFIX = new Rule(1992, Match.to(Address.parse("10.0.0.0"), 24),
        List.of(new Action.ToGroup(0xda000002)));

    private static Rule rule(String address, int port) {
        return new Rule(2000, Match.to(Address.parse(address)), List.of(new Action.Output(port)));
    }

    private static Group group(int id, int port) {
        return new Group(id, Group.Type.FAST_FAILOVER, List.of(Group.Bucket.out(port),
            new Group.Bucket(OptionalInt.empty(), OptionalInt.of(0xda000001), List.of())));
    }

    private static Program program(List<Rule> rules, Group... groups) {
        List<Rule> sorted = new ArrayList<>(rules);
        Map<Rule.Key, Rule> byKey = new TreeMap<>();
        sorted.forEach(rule -> byKey.put(rule.key(), rule));
        Map<Integer, Group> byId = new TreeMap<>();
        List.of(groups).forEach(group -> byId.put(group.id(), group));
        return new Program(Entries.ofRules(byKey.values()), Entries.ofGroups(byId.values()));
    }

    private static Map<String, State> states(List<Entry> entries) {
        return entries.stream().collect(Collectors.toMap(Entry::name, Entry::state));
    }

    private static final Program DESIRED =
        program(List.of(SAME, GONE, OTHER, DROP, PREFIX), group(0xda000001, 1), group(0xda000002, 2));
    private static final Program INSTALLED =
        program(List.of(SAME, rule("10.0.0.3", 9), EXCESS, DROP, PREFIX), group(0xda000001, 1), group(0xda000002, 7));

    /** Rules are named in the words of ovs-ofctl. */
    @Test
    void namesAreOfOvs() {
        Address source = Address.parse("fd00::1");
        Address destination = Address.parse("fd00:0:0:2::1");
        assertThat(Comparison.name(Rule.Key.to(2000, destination, 64)))
            .isEqualTo("priority=1936,dl_type=0x86dd,ipv6_dst=fd00:0:0:2::/64");
        assertThat(Comparison.name(new Rule.Key(2250, Match.between(source, destination))))
            .isEqualTo("priority=2250,dl_type=0x86dd,ipv6_src=fd00::1,ipv6_dst=fd00:0:0:2::1");
        assertThat(Comparison.name(new Rule.Key(2250, Match.between(Address.parse("10.0.0.1"),
            Address.parse("10.0.0.2"))))).isEqualTo("priority=2250,dl_type=0x0800,nw_src=10.0.0.1,nw_dst=10.0.0.2");
    }

    /** Every rule and group is listed once, with both sides, rules by priority. */
    @Test
    void listsBothSides() {
        List<Entry> entries = RuleListing.of(DESIRED, Optional.of(INSTALLED), program(List.of(FOREIGN)),
            Optional.empty());
        assertThat(states(entries)).isEqualTo(Map.of(
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.1", State.INSTALLED,
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.2", State.MISSING,
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.3", State.DIFFERENT,
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.4", State.EXCESS,
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.5", State.FOREIGN,
            "priority=1992,dl_type=0x0800,nw_dst=10.0.0.0/24", State.INSTALLED,
            "priority=0", State.INSTALLED,
            "3657433089", State.INSTALLED,
            "3657433090", State.DIFFERENT));
        assertThat(entries.stream().filter(RuleEntry.class::isInstance).map(entry -> ((RuleEntry) entry).priority()))
            .containsExactly(2000, 2000, 2000, 2000, 2000, 1992, 0);
        assertThat(entries.get(2)).isEqualTo(new RuleEntry(State.DIFFERENT, 2000,
            "priority=2000,dl_type=0x0800,nw_dst=10.0.0.3", OTHER.cookie(), "output:3", "output:9"));
        assertThat(entries.get(8).desired()).isEqualTo("type=ff,bucket=watch_port:2,actions=output:2,"
            + "bucket=watch_group:3657433089,actions=drop");
        assertThat(entries.get(6).desired()).isEqualTo("drop");
    }

    /** What concerns an address: the rules it meets, those for prefixes and for everything among them, their groups. */
    @Test
    void findsWhatConcernsAnAddress() {
        assertThat(states(RuleListing.of(DESIRED, Optional.of(INSTALLED), Program.EMPTY,
            Optional.of(Address.parse("10.0.0.2"))))).containsOnlyKeys("priority=2000,dl_type=0x0800,nw_dst=10.0.0.2",
                "priority=1992,dl_type=0x0800,nw_dst=10.0.0.0/24", "priority=0", "3657433090");
        assertThat(states(RuleListing.of(DESIRED, Optional.of(INSTALLED), Program.EMPTY,
            Optional.of(Address.parse("10.9.9.9"))))).containsOnlyKeys("priority=0");
    }

    /** Of a switch that cannot be read nothing is called missing. */
    @Test
    void unreadIsNotMissing() {
        assertThat(RuleListing.of(DESIRED, Optional.empty(), Program.EMPTY, Optional.empty())).hasSize(7)
            .allMatch(entry -> entry.state() == State.UNKNOWN && entry.installed().isEmpty());
    }
}
