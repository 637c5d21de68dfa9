package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.daqfabric.it.sim.Rule.Instructions;

/** The rules of a switch. */
final class FlowTable {
    private static final int IP = 0x0800;

    private final Map<Rule, Rule> rules = new HashMap<>();
    /** Rules that packets other than IP can match: few, and all searched for each packet. */
    private final Set<Rule> nonIpRules = new HashSet<>();
    private final Map<ByteBuffer, Instructions> instructions = new HashMap<>();
    /** Number of rules that lead to a group, so that one that no rule needs is deleted without a search. */
    private final Map<Integer, Integer> leading = new HashMap<>();

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
        rules.clear();
        nonIpRules.clear();
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

    /** The rule of table 0 that matches a packet other than IP; the packet is given as a match. */
    Optional<Rule> lookup(final byte[] packet) {
        return nonIpRules.stream().filter(rule -> rule.table() == 0 && Oxm.isWithin(packet, rule.match()))
            .max(Comparator.comparingInt(Rule::priority));
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
        rules.put(rule, rule);
        for (int group : rule.instructions.groups()) {
            leading.merge(group, 1, Integer::sum);
        }
        if (Oxm.value(rule.match(), Oxm.ETH_TYPE) != IP) {
            nonIpRules.add(rule);
        }
    }

    private void remove(final Rule rule) {
        final var held = rules.remove(rule);
        nonIpRules.remove(rule);
        if (held != null) {
            for (int group : held.instructions.groups()) {
                if (leading.merge(group, -1, Integer::sum) == 0) {
                    leading.remove(group);
                    instructions.remove(ByteBuffer.wrap(held.instructions.bytes()));
                }
            }
        }
    }
}
