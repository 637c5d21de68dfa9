package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;

/** Finds the rule that an IP packet matches, in a few comparisons however many rules a switch has. */
final class RuleIndex {
    private static final Comparator<Rule> HIGHEST_FIRST = Comparator.comparingInt(Rule::priority).reversed();

    /** By the length of the prefix and its first address. */
    private final Map<Integer, Map<Address, List<Rule>>> byDestination = new TreeMap<>();
    private final Map<Integer, List<Rule>> byPort = new HashMap<>();
    private final List<Rule> others = new ArrayList<>();

    RuleIndex(Program program) {
        for (Rule rule : program.rules().values()) {
            Match match = rule.match();
            if (match.destination().isPresent()) {
                byDestination.computeIfAbsent(match.prefixLength(), length -> new HashMap<>())
                    .computeIfAbsent(match.destination().get(), key -> new ArrayList<>()).add(rule);
            } else if (match.inPort().isPresent()) {
                byPort.computeIfAbsent(match.inPort().getAsInt(), key -> new ArrayList<>()).add(rule);
            } else {
                others.add(rule);
            }
        }
    }

    Optional<Rule> find(int inPort, Optional<Mac> mac, Optional<Address> source, Address destination) {
        List<Rule> candidates = new ArrayList<>(byPort.getOrDefault(inPort, List.of()));
        byDestination.forEach((length, rules) ->
            candidates.addAll(rules.getOrDefault(destination.prefix(length), List.of())));
        candidates.addAll(others);
        int etherType = Match.etherType(destination);
        return candidates.stream()
            .filter(rule -> rule.match().etherType() == Match.ANY_TYPE || rule.match().etherType() == etherType)
            .filter(rule -> rule.match().inPort().isEmpty() || rule.match().inPort().getAsInt() == inPort)
            .filter(rule -> rule.match().ethernetDestination().isEmpty()
                || rule.match().ethernetDestination().equals(mac))
            .filter(rule -> rule.match().source().isEmpty() || rule.match().source().equals(source))
            .min(HIGHEST_FIRST);
    }
}
