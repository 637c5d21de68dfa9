package org.daqfabric.impl.engine.diff;

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

/**
 * Which rules take packets from each other, where some are to prefixes. A new rule takes packets from a shorter prefix,
 * one that goes leaves its packets to one: both are changes, though nothing is there that changes.
 *
 * <p>Every packet meets the rule it met before or the one it must meet in the end, if longer prefixes come first and
 * shorter ones go first: for as long as all that is to come is there from some length on, the longest of it that a
 * packet meets is its last, and likewise for what goes.
 */
final class Overlaps {
    private static final Overlaps NONE = new Overlaps(Program.EMPTY, Program.EMPTY, 0);

    private final Program held;
    private final Program target;
    /** The lengths of prefixes, one bit each. */
    private final long lengths;
    private final Set<Rule.Key> takers = new HashSet<>();
    private final Set<Rule> robbed = new HashSet<>();
    private final Set<Rule.Key> early = new HashSet<>();
    private final Map<Rule.Key, Rule> heirs = new HashMap<>();

    private Overlaps(Program held, Program target, long lengths) {
        this.held = held;
        this.target = target;
        this.lengths = lengths;
    }

    /**
     * Finds overlaps.
     *
     * @param differing rules of the target that are not held as they must be
     * @param gone keys of rules held for nothing
     */
    static Overlaps of(Program held, Program target, Collection<Rule> differing, Collection<Rule.Key> gone) {
        long lengths = 0;
        int[] priorities = Stream.concat(differing.stream().map(Rule::key), gone.stream())
            .filter(key -> key.match().destination().isPresent())
            .mapToInt(key -> key.shortened(32).priority()).distinct().toArray();
        for (int priority : priorities) {
            lengths |= lengths(held.rules(), priority) | lengths(target.rules(), priority);
        }
        if (lengths == 0) {
            return NONE;
        }
        Overlaps overlaps = new Overlaps(held, target, lengths);
        differing.stream().filter(rule -> !held.rules().containsKey(rule.key())).forEach(overlaps::comes);
        gone.forEach(overlaps::goes);
        return overlaps;
    }

    private static long lengths(SortedMap<Rule.Key, Rule> rules, int priority) {
        long lengths = 0;
        for (Rule.Key key : rules.subMap(new Rule.Key(priority - 32, Match.ALL), new Rule.Key(priority, Match.ALL)).keySet()) {
            lengths |= key.match().isPrefix() ? 1L << key.match().prefixLength() : 0;
        }
        return lengths;
    }

    private void comes(Rule rule) {
        Rule below = below(held, rule.key());
        if (below != null && !Diff.leadsNowhere(held, below)) {
            takers.add(rule.key());
            if (!below.actions().equals(rule.actions())) {
                robbed.add(below);
            }
        }
        if (!Diff.leadsNowhere(target, rule)) {
            shorter(rule.key()).forEach(early::add);
        }
    }

    private void goes(Rule.Key key) {
        Rule heir = below(target, key);
        if (heir != null && !Diff.leadsNowhere(target, heir) && heir.equals(below(held, key))) {
            heirs.put(key, heir);
        }
    }

    private Rule below(Program program, Rule.Key key) {
        return shorter(key).map(program.rules()::get).filter(rule -> rule != null).findFirst().orElse(null);
    }

    private Stream<Rule.Key> shorter(Rule.Key key) {
        return key.match().destination().isEmpty() ? Stream.empty()
            : IntStream.range(0, key.match().prefixLength()).map(less -> key.match().prefixLength() - 1 - less)
                .filter(length -> (lengths >>> length & 1) != 0).mapToObj(key::shortened);
    }

    /** Whether a new rule takes packets from a held one that leads somewhere. */
    boolean takes(Rule rule) {
        return takers.contains(rule.key());
    }

    /** Held rules that new ones take packets from, to send them elsewhere. */
    Set<Rule> robbed() {
        return Collections.unmodifiableSet(robbed);
    }

    /** Whether a rule would get packets that are meant for a longer prefix which is not there yet. */
    boolean isEarly(Rule.Key key) {
        return early.contains(key);
    }

    /** The rule that gets the packets of one that goes, if nothing is between them any more, and it is as it must be. */
    Optional<Rule> heir(Rule.Key gone) {
        return Optional.ofNullable(heirs.get(gone));
    }
}
