package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.program.SwitchRules.Entry;
import org.daqfabric.api.program.SwitchRules.GroupEntry;
import org.daqfabric.api.program.SwitchRules.RuleEntry;
import org.daqfabric.api.program.SwitchRules.State;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.diff.Comparison;

/** Lists what a switch must hold and what it holds, side by side. */
public final class RuleListing {
    private static final Comparator<Rule.Key> ORDER =
        Comparator.comparingInt(Rule.Key::priority).reversed().thenComparing(Comparator.naturalOrder());

    private RuleListing() {
    }

    /**
     * Lists rules, then groups.
     *
     * @param installed ours as read from the switch; empty if it could not be read
     * @param foreign those of others
     * @param address only rules that packets to it may meet, and the groups these lead to; empty for all
     */
    public static List<Entry> of(Program desired, Optional<Program> installed, Program foreign,
            Optional<Address> address) {
        Predicate<Rule> shown = rule -> address.isEmpty() || meets(rule, address.get());
        Set<Integer> groups = new HashSet<>();
        Stream.of(desired, installed.orElse(Program.EMPTY), foreign).forEach(program ->
            program.rules().values().stream().filter(shown).flatMap(rule -> rule.actions().stream())
                .forEach(action -> group(action).ifPresent(groups::add)));
        List<Entry> entries = new ArrayList<>();
        sides(desired, installed, foreign, Program::rules, ORDER).forEach((key, sides) -> {
            if (sides.all().anyMatch(shown)) {
                entries.add(new RuleEntry(sides.state(), key.priority(), Comparison.name(key),
                    sides.desired.or(() -> sides.installed).map(Rule::cookie).orElse(0L),
                    sides.desired.map(RuleText::actions).orElse(""),
                    sides.installed.or(() -> sides.foreign).map(RuleText::actions).orElse("")));
            }
        });
        sides(desired, installed, foreign, Program::groups, Integer::compareUnsigned).forEach((id, sides) -> {
            if (address.isEmpty() || groups.contains(id)) {
                entries.add(new GroupEntry(sides.state(), RuleText.group(id),
                    sides.desired.map(RuleText::buckets).orElse(""),
                    sides.installed.or(() -> sides.foreign).map(RuleText::buckets).orElse("")));
            }
        });
        return entries;
    }

    private static boolean meets(Rule rule, Address address) {
        return rule.match().destination().map(own -> own.equals(address.prefix(rule.match().prefixLength())))
            .orElse(true);
    }

    private static Optional<Integer> group(Action action) {
        return action instanceof Action.ToGroup to ? Optional.of(to.id()) : Optional.empty();
    }

    /** A rule or group as it must be and as it is. */
    private record Sides<T>(Optional<T> desired, Optional<T> installed, Optional<T> foreign, boolean read) {
        State state() {
            if (desired.isEmpty()) {
                return installed.isPresent() ? State.EXCESS : State.FOREIGN;
            }
            return !read ? State.UNKNOWN : installed.isEmpty() ? foreign.isPresent() ? State.DIFFERENT : State.MISSING
                : installed.equals(desired) ? State.INSTALLED : State.DIFFERENT;
        }

        Stream<T> all() {
            return Stream.of(desired, installed, foreign).flatMap(Optional::stream);
        }
    }

    private static <K, V> Map<K, Sides<V>> sides(Program desired, Optional<Program> installed, Program foreign,
            Function<Program, Map<K, V>> part, Comparator<K> order) {
        Map<K, V> wanted = part.apply(desired);
        Map<K, V> there = part.apply(installed.orElse(Program.EMPTY));
        Map<K, V> others = part.apply(foreign);
        Map<K, Sides<V>> sides = new TreeMap<>(order);
        Stream.of(wanted, there, others).flatMap(each -> each.keySet().stream()).forEach(key ->
            sides.computeIfAbsent(key, same -> new Sides<>(Optional.ofNullable(wanted.get(same)),
                Optional.ofNullable(there.get(same)), Optional.ofNullable(others.get(same)),
                installed.isPresent())));
        return sides;
    }
}
