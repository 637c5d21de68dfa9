package org.daqfabric.impl.engine.trace;

import java.util.stream.Collectors;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.engine.diff.Comparison;

/** Rules in the words of ovs-ofctl. */
public final class RuleText {
    private RuleText() {
    }

    /** A rule with its actions. */
    public static String of(Rule rule) {
        return Comparison.name(rule.key()) + " actions="
            + (rule.actions().isEmpty() ? "drop"
            : rule.actions().stream().map(RuleText::of).collect(Collectors.joining(",")));
    }

    /** The id of a group. */
    public static String group(int id) {
        return Integer.toUnsignedString(id);
    }

    private static String of(Action action) {
        return switch (action) {
            case Action.Output output when output.port() == Action.LOCAL -> "LOCAL";
            case Action.Output output -> "output:" + output.port();
            case Action.OutputInPort unused -> "IN_PORT";
            case Action.ToGroup group -> "group:" + group(group.id());
            case Action.SetDestinationMac set -> "mod_dl_dst:" + set.mac();
            case Action.ToController unused -> "CONTROLLER:65535";
            case Action.Other other -> other.text();
        };
    }
}
