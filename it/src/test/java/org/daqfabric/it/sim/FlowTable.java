package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.daqfabric.it.sim.Rule.Instructions;

/** The rules of a switch. */
final class FlowTable {
    private static final int MOST_SEEN = 4096;

    private final Map<Rule, Rule> rules = new HashMap<>();
    /** How many rules there are of each shape, highest priority first: few, so a packet is looked up by each. */
    private final SortedMap<Shape, Integer> shapes = new TreeMap<>();
    private final Map<ByteBuffer, Instructions> instructions = new HashMap<>();
    /** What packets have met since a rule changed: one like them is not looked up again, as in Open vSwitch. */
    private final Map<ByteBuffer, Optional<Rule>> seen = new HashMap<>();
    /** Number of rules that lead to a group, so that one that no rule needs is deleted without a search. */
    private final Map<Integer, Integer> leading = new HashMap<>();

    /** What rules have in common that differ only in the values of fields. */
    private record Shape(int table, int priority, byte[] fields) implements Comparable<Shape> {
        static Shape of(final Rule rule) {
            return new Shape(rule.table(), rule.priority(), Oxm.shape(rule.match()));
        }

        @Override
        public int compareTo(final Shape other) {
            return table != other.table ? Integer.compare(table, other.table)
                : priority != other.priority ? Integer.compare(other.priority, priority)
                : Arrays.compare(fields, other.fields);
        }

        @Override
        public boolean equals(final Object other) {
            return other instanceof Shape shape && compareTo(shape) == 0;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(fields);
        }
    }

    /**
     * Applies a flow-mod.
     *
     * @param groups whether a group exists
     */
    void apply(final FlowMod message, final IntPredicate groups) {
        switch (message.command()) {
            case FlowMod.ADD -> {
                Actions.requireGroups(message.instructions().groups(), groups);
                put(new Rule(message, message.cookie(), shared(message.instructions())));
            }
            case FlowMod.MODIFY, FlowMod.MODIFY_STRICT -> {
                Actions.requireGroups(message.instructions().groups(), groups);
                final var newInstructions = shared(message.instructions());
                selected(message).forEach(rule -> put(rule.with(newInstructions)));
            }
            default -> selected(message).forEach(this::remove);
        }
    }

    /** Removes the rules that lead to a group; to any, for {@link OpenFlow#GROUP_ALL}. */
    void removeLeadingTo(final int group) {
        if (group == OpenFlow.GROUP_ALL || leading.containsKey(group)) {
            rules.keySet().stream().filter(rule -> group == OpenFlow.GROUP_ALL ? rule.instructions.groups().length > 0
                : rule.instructions.leadsTo(group)).toList().forEach(this::remove);
        }
    }

    void clear() {
        seen.clear();
        rules.clear();
        shapes.clear();
        instructions.clear();
        leading.clear();
    }

    int size() {
        return rules.size();
    }

    Collection<Rule> all() {
        return Collections.unmodifiableCollection(rules.values());
    }

    /** The rules that a multipart request selects. */
    List<Rule> find(final int table, final long cookie, final long mask, final byte[] match, final int outPort,
            final int outGroup) {
        final var found = new ArrayList<Rule>();
        for (var rule : rules.keySet()) {
            if ((table == OpenFlow.ALL_TABLES || rule.table() == table) && ((rule.cookie ^ cookie) & mask) == 0
                    && (outPort == OpenFlow.ANY || rule.instructions.leavesBy(outPort))
                    && (outGroup == OpenFlow.ANY || rule.instructions.leadsTo(outGroup))
                    && Oxm.isWithin(rule.match(), match)) {
                found.add(rule);
            }
        }
        return found;
    }

    /** The rule of table 0 that matches a packet; the packet is given as a match. */
    Optional<Rule> lookup(final byte[] packet) {
        if (seen.size() >= MOST_SEEN) {
            seen.clear();
        }
        return seen.computeIfAbsent(ByteBuffer.wrap(packet), unused -> find(packet));
    }

    private Optional<Rule> find(final byte[] packet) {
        return shapes.keySet().stream().filter(shape -> shape.table == 0).flatMap(shape ->
            Oxm.of(packet, shape.fields).map(match -> rules.get(Rule.key(0, shape.priority, match))).stream())
            .findFirst();
    }

    private List<Rule> selected(final FlowMod message) {
        final boolean deletes = message.command() >= FlowMod.DELETE;
        final int outPort = deletes ? message.outPort() : OpenFlow.ANY;
        final int outGroup = deletes ? message.outGroup() : OpenFlow.ANY;
        if (message.command() == FlowMod.MODIFY || message.command() == FlowMod.DELETE) {
            return find(message.table(), message.cookie(), message.cookieMask(), message.match(), outPort, outGroup);
        }
        final var rule = rules.get(Rule.key(message));
        return rule != null && ((rule.cookie ^ message.cookie()) & message.cookieMask()) == 0
            && (outPort == OpenFlow.ANY || rule.instructions.leavesBy(outPort))
            && (outGroup == OpenFlow.ANY || rule.instructions.leadsTo(outGroup)) ? List.of(rule) : List.of();
    }

    private Instructions shared(final Instructions read) {
        return instructions.computeIfAbsent(ByteBuffer.wrap(read.bytes()), unused -> read);
    }

    private void put(final Rule rule) {
        remove(rule);
        seen.clear();
        rules.put(rule, rule);
        for (int group : rule.instructions.groups()) {
            leading.merge(group, 1, Integer::sum);
        }
        shapes.merge(Shape.of(rule), 1, Integer::sum);
    }

    private void remove(final Rule rule) {
        final var held = rules.remove(rule);
        if (held != null) {
            seen.clear();
            shapes.computeIfPresent(Shape.of(held), (shape, count) -> count == 1 ? null : count - 1);
            for (int group : held.instructions.groups()) {
                if (leading.merge(group, -1, Integer::sum) == 0) {
                    leading.remove(group);
                    instructions.remove(ByteBuffer.wrap(held.instructions.bytes()));
                }
            }
        }
    }
}
