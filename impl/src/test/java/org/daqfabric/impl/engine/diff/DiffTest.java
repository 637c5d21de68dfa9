package org.daqfabric.impl.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From any program, the messages lead to the target, and lose no packet that both programs deliver. */
class DiffTest {
    private static final int CASES = 3000;
    /** Of each kind. */
    private static final int ADDRESSES = 6;
    /** Bits that the shortest prefix leaves free; it holds all addresses of a kind. */
    private static final int MOST_FREE = 3;
    private static final int TO_ADDRESS = 100;
    private static final int FROM_RING = 200;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void reachesTheTargetAndDeliversWhatBothDeliver(long seed) {
        reachesTheTargetAndDeliversWhatBothDeliver(seed, DiffTest::generated);
    }

    /** The same with rules for prefixes: no packet is sent where neither program sends it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void prefixesDoNotMisdirectPackets(long seed) {
        reachesTheTargetAndDeliversWhatBothDeliver(seed, DiffTest::generatedWithPrefixes);
    }

    /** What is to lead to a port whose link is down changes last, when nobody sends packets there any more. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void whatLeadsToUnusablePortsChangesLast(long seed) {
        reachesTheTargetAndDeliversWhatBothDeliver(seed, DiffTest::generatedWithUnusablePorts);
    }

    private static Program generatedWithUnusablePorts(Random random) {
        Program program = generated(random);
        Set<Integer> unusable = IntStream.rangeClosed(1, 4).filter(port -> random.nextInt(3) == 0).boxed()
            .collect(Collectors.toSet());
        return new Program(program.rules(), program.groups(), unusable);
    }

    private static void reachesTheTargetAndDeliversWhatBothDeliver(long seed, Function<Random, Program> generator) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            Program held = generator.apply(random);
            Program target = generator.apply(random);
            Program now = held;
            int rounds = 0;
            for (Stage stage : Stage.values()) {
                List<Message> next = Diff.next(now, target, stage);
                while (!next.isEmpty()) {
                    next = new ArrayList<>(next);
                    Collections.shuffle(next, random);
                    for (Message message : next) {
                        now = Applied.to(now, List.of(message));
                        check(held, target, now, stage, "seed " + seed + " case " + number + " after " + message);
                    }
                    assertThat(++rounds).as("rounds, seed %d case %d", seed, number).isLessThan(20);
                    next = Diff.next(now, target, stage);
                }
            }
            assertThat(now).as("seed %d case %d", seed, number).isEqualTo(target);
        }
    }

    private static void check(Program held, Program target, Program now, Stage stage, String when) {
        for (Address address : addresses()) {
            Optional<Integer> before = out(held, address);
            Optional<Integer> after = out(target, address);
            if (after.isPresent()) {
                assertThat(matched(now, address)).as("rule for address %s, %s", address, when)
                    .isIn(Optional.empty(), matched(held, address), matched(target, address));
            }
            if (before.isPresent() && after.isPresent()) {
                boolean last = target.unusable().contains(after.get());
                assertThat(out(now, address)).as("address %s, %s", address, when).isIn(switch (stage) {
                    case ADD -> List.of(before);
                    case CHANGE -> last ? List.of(before) : List.of(before, after);
                    case REMOVE -> last ? List.of(before, after) : List.of(after);
                });
            }
        }
    }

    /** The port by which a packet finally leaves; from a daqring it comes in again. */
    private static Optional<Integer> out(Program program, Address address) {
        Rule rule = matched(program, address).map(program.rules()::get).orElse(null);
        Optional<Integer> port = rule == null ? Optional.empty() : portOf(program, rule);
        if (port.isPresent() && port.get() >= 100) {
            Rule onward = program.rules().get(new Rule.Key(FROM_RING, Match.from(port.get())));
            return onward == null ? Optional.empty() : portOf(program, onward);
        }
        return port;
    }

    /** The key of the rule that a packet matches, which is that of the longest prefix. */
    private static Optional<Rule.Key> matched(Program program, Address address) {
        return IntStream.rangeClosed(0, MOST_FREE)
            .mapToObj(free -> Rule.Key.to(TO_ADDRESS, address, address.bits() - free))
            .filter(program.rules()::containsKey).findFirst();
    }

    private static Optional<Integer> portOf(Program program, Rule rule) {
        return rule.actions().isEmpty() ? Optional.empty() : switch (rule.actions().get(0)) {
            case Action.Output output -> Optional.of(output.port());
            case Action.ToGroup to -> Optional.ofNullable(program.groups().get(to.id()))
                .filter(group -> !group.buckets().isEmpty())
                .map(group -> ((Action.Output) group.buckets().get(0).actions().get(0)).port());
            default -> Optional.empty();
        };
    }

    private static Program generated(Random random) {
        SortedMap<Integer, Group> groups = groups(random);
        Map<Rule.Key, Rule> rules = new HashMap<>();
        int ring = 100;
        for (Address address : addresses()) {
            ring++;
            if (random.nextInt(6) == 0) {
                continue;
            }
            Action action = action(random, groups);
            if (random.nextInt(3) == 0) {
                put(rules, new Rule(FROM_RING, Match.from(ring), List.of(action)));
                action = new Action.Output(ring);
            }
            put(rules, new Rule(TO_ADDRESS, Match.to(address), List.of(action)));
        }
        return new Program(new TreeMap<>(rules), groups);
    }

    private static Program generatedWithPrefixes(Random random) {
        SortedMap<Integer, Group> groups = groups(random);
        Map<Rule.Key, Rule> rules = new HashMap<>();
        for (int free = 0; free <= MOST_FREE; free++) {
            for (int number = 0; number < 2 << MOST_FREE; number += 1 << free) {
                if (random.nextBoolean()) {
                    Address address = address(number);
                    Rule.Key key = Rule.Key.to(TO_ADDRESS, address, address.bits() - free);
                    put(rules, new Rule(key.priority(), key.match(),
                        random.nextInt(10) == 0 ? List.of() : List.of(action(random, groups))));
                }
            }
        }
        return new Program(new TreeMap<>(rules), groups);
    }

    /** The lower half of the numbers are IPv4 addresses, the upper half IPv6 addresses that end alike. */
    private static Address address(int number) {
        Address ipv4 = Address.ofIpv4(number & (1 << MOST_FREE) - 1);
        return number < 1 << MOST_FREE ? ipv4 : Addresses.six(ipv4);
    }

    private static List<Address> addresses() {
        return IntStream.rangeClosed(1, ADDRESSES).boxed()
            .flatMap(number -> Stream.of(address(number), address(number + (1 << MOST_FREE)))).toList();
    }

    private static SortedMap<Integer, Group> groups(Random random) {
        SortedMap<Integer, Group> groups = new TreeMap<>();
        for (int id = 1; id <= 4; id++) {
            if (random.nextInt(4) > 0) {
                groups.put(id, new Group(id, Group.Type.FAST_FAILOVER, random.nextInt(5) == 0 ? List.of()
                    : List.of(Group.Bucket.out(1 + random.nextInt(4)))));
            }
        }
        return groups;
    }

    private static Action action(Random random, SortedMap<Integer, Group> groups) {
        List<Integer> ids = List.copyOf(groups.keySet());
        return ids.isEmpty() || random.nextInt(4) == 0 ? new Action.Output(1 + random.nextInt(4))
            : new Action.ToGroup(ids.get(random.nextInt(ids.size())));
    }

    private static void put(Map<Rule.Key, Rule> rules, Rule rule) {
        rules.put(rule.key(), rule);
    }

    /** A change of a group takes one message, however many rules refer to the group. */
    @Test
    void changedGroupCostsOneMessage() {
        Group before = new Group(1, Group.Type.FAST_FAILOVER, List.of(Group.Bucket.out(1), Group.Bucket.out(2)));
        Group after = new Group(1, Group.Type.FAST_FAILOVER, List.of(Group.Bucket.out(2)));
        SortedMap<Rule.Key, Rule> rules = new TreeMap<>();
        for (int address = 1; address <= 100; address++) {
            Rule rule = new Rule(10, Match.to(Address.ofIpv4(address)), List.of(new Action.ToGroup(1)));
            rules.put(rule.key(), rule);
        }
        assertThat(Diff.next(new Program(rules, new TreeMap<>(Map.of(1, before))),
            new Program(rules, new TreeMap<>(Map.of(1, after))), Stage.CHANGE))
            .containsExactly(new Message.ModifyGroup(after));
    }

    /** A switch that holds its program is sent nothing. */
    @Test
    void equalProgramsNeedNoMessage() {
        Program program = generated(new Random(1));
        for (Stage stage : Stage.values()) {
            assertThat(Diff.next(program, program, stage)).isEmpty();
        }
    }

    /** A group that watches another is added after it and removed before it. */
    @Test
    void watchedGroupsComeFirstAndGoLast() {
        Group always = new Group(2, Group.Type.INDIRECT,
            List.of(new Group.Bucket(OptionalInt.empty(), OptionalInt.empty(), List.of(new Action.OutputInPort()))));
        Group watching = new Group(1, Group.Type.FAST_FAILOVER,
            List.of(new Group.Bucket(OptionalInt.empty(), OptionalInt.of(2), List.of(new Action.OutputInPort()))));
        Program both = new Program(new TreeMap<>(), new TreeMap<>(Map.of(1, watching, 2, always)));
        assertThat(Diff.next(Program.EMPTY, both, Stage.ADD)).containsExactly(new Message.AddGroup(always));
        assertThat(Diff.next(both, Program.EMPTY, Stage.REMOVE)).containsExactly(new Message.DeleteGroup(1));
    }
}
