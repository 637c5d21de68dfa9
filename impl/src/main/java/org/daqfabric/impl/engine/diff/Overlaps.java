package org.daqfabric.impl.engine.diff;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Which rules take packets from each other, where some are for prefixes. A rule that is added takes packets from the
 * rule for a shorter prefix, one that is removed leaves its packets to that rule: both change the path of packets,
 * though no rule is modified.
 *
 * <p>Every packet matches the rule it matched before or its final one if longer prefixes are added first and shorter
 * ones are removed first. Once all prefixes from some length on are added, the longest of them that a packet matches is
 * its final rule; likewise for removal.
 */
final class Overlaps {
    private static final Overlaps NONE = new Overlaps(Program.EMPTY, Program.EMPTY, new BitSet());

    private final Program installed;
    private final Program desired;
    /** The lengths of prefixes, one bit each. */
    private final BitSet lengths;
    /** Keys of new rules that take packets from an installed rule. */
    private final Set<Rule.Key> takers = new HashSet<>();
    /** Installed rules that lose packets to new ones with other actions. */
    private final Set<Rule> losers = new HashSet<>();
    /** Keys of rules that must wait for a longer prefix. */
    private final Set<Rule.Key> early = new HashSet<>();
    /** By the key of a rule to remove, the rule that gets its packets. */
    private final Map<Rule.Key, Rule> successors = new HashMap<>();

    private Overlaps(Program installed, Program desired, BitSet lengths) {
        this.installed = installed;
        this.desired = desired;
        this.lengths = lengths;
    }

    /**
     * Finds overlaps.
     *
     * @param differing desired rules that are missing or installed with other actions
     * @param gone keys of installed rules that are not desired
     */
    static Overlaps of(Program installed, Program desired, Collection<Rule> differing, Collection<Rule.Key> gone) {
        BitSet lengths = new BitSet();
        int[] priorities = Stream.concat(differing.stream().map(Rule::key), gone.stream())
            .filter(key -> key.match().destination().isPresent())
            .mapToInt(key -> key.shortened(key.match().destination().get().bits()).priority()).distinct().toArray();
        for (int priority : priorities) {
            addLengths(lengths, installed.rules(), priority);
            addLengths(lengths, desired.rules(), priority);
        }
        if (lengths.isEmpty()) {
            return NONE;
        }
        Overlaps overlaps = new Overlaps(installed, desired, lengths);
        differing.stream().filter(rule -> !installed.rules().containsKey(rule.key())).forEach(overlaps::addNew);
        gone.forEach(overlaps::addGone);
        return overlaps;
    }

    private static void addLengths(BitSet lengths, SortedMap<Rule.Key, Rule> rules, int priority) {
        Rule.Key first = new Rule.Key(priority - Match.WHOLE, Match.ALL);
        for (Rule.Key key : rules.subMap(first, new Rule.Key(priority, Match.ALL)).keySet()) {
            if (key.match().isPrefix()) {
                lengths.set(key.match().prefixLength());
            }
        }
    }

    private void addNew(Rule rule) {
        Rule below = below(installed, rule.key());
        if (below != null && !Diff.ledNowhere(installed, below)) {
            takers.add(rule.key());
            if (!below.actions().equals(rule.actions())) {
                losers.add(below);
            }
        }
        if (!Diff.leadsNowhere(desired, rule)) {
            shorter(rule.key()).forEach(early::add);
        }
    }

    private void addGone(Rule.Key key) {
        Rule successor = below(desired, key);
        if (successor != null && !Diff.leadsNowhere(desired, successor) && successor.equals(below(installed, key))) {
            successors.put(key, successor);
        }
    }

    /** The rule for the longest shorter prefix; null if there is none. */
    private @Nullable Rule below(Program program, Rule.Key key) {
        return shorter(key).map(program.rules()::get).filter(rule -> rule != null).findFirst().orElse(null);
    }

    private Stream<Rule.Key> shorter(Rule.Key key) {
        return key.match().destination().isEmpty() || key.match().source().isPresent() ? Stream.empty()
            : IntStream.range(0, key.match().prefixLength()).map(less -> key.match().prefixLength() - 1 - less)
                .filter(length -> lengths.get(length)).mapToObj(key::shortened);
    }

    /** Whether a new rule takes packets from an installed one that leads somewhere. */
    boolean takesPackets(Rule rule) {
        return takers.contains(rule.key());
    }

    /** Installed rules that lose packets to new ones with other actions. */
    Set<Rule> losers() {
        return Collections.unmodifiableSet(losers);
    }

    /** Whether a rule would get packets meant for a longer prefix that is not installed yet. */
    boolean isEarly(Rule.Key key) {
        return early.contains(key);
    }

    /** The rule that gets the packets of a removed one, if it is as desired and no rule between the two is left. */
    Optional<Rule> successor(Rule.Key gone) {
        return Optional.ofNullable(successors.get(gone));
    }
}
