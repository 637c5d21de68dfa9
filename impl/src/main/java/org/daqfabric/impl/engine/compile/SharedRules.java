package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Ipv4;

/**
 * Rules for one address that do one thing. Many switches hold the same: groups are named by what they are for, and
 * edge switches and the spines of a plane have them for the same. Such a rule is made once.
 */
final class SharedRules {
    private final Map<Ipv4, List<Rule>> byAddress = new HashMap<>();

    Rule of(Ipv4 address, Action action) {
        List<Rule> made = byAddress.computeIfAbsent(address, key -> new ArrayList<>(4));
        for (Rule rule : made) {
            if (rule.actions().get(0).equals(action)) {
                return rule;
            }
        }
        Match match = made.isEmpty() ? Match.to(address) : made.get(0).match();
        Rule rule = new Rule(Compiler.TO_ADDRESS, match, List.of(action));
        made.add(rule);
        return rule;
    }
}
