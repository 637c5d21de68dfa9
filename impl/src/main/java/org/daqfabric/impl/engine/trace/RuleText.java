package org.daqfabric.impl.engine.trace;

import java.util.List;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.engine.diff.Comparison;

/** Rules and groups in the words of ovs-ofctl. */
public final class RuleText {
    private RuleText() {
    }

    /** A rule with its actions. */
    public static String of(Rule rule) {
        return Comparison.name(rule.key()) + " actions=" + actions(rule);
    }

    /** The actions of a rule. */
    static String actions(Rule rule) {
        return rule.actions().isEmpty() ? "drop" : actions(rule.actions());
    }

    /** The type and buckets of a group. */
    static String buckets(Group group) {
        return "type=" + switch (group.type()) {
            case FAST_FAILOVER -> "ff";
            case INDIRECT -> "indirect";
            case OTHER -> "other";
        } + group.buckets().stream().map(RuleText::bucket).collect(Collectors.joining());
    }

    private static String bucket(Group.Bucket bucket) {
        StringBuilder text = new StringBuilder(",bucket=");
        bucket.watchPort().ifPresent(port -> text.append("watch_port:").append(port).append(','));
        bucket.watchGroup().ifPresent(id -> text.append("watch_group:").append(group(id)).append(','));
        return text.append("actions=").append(bucket.actions().isEmpty() ? "drop" : actions(bucket.actions()))
            .toString();
    }

    private static String actions(List<Action> actions) {
        return actions.stream().map(RuleText::of).collect(Collectors.joining(","));
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
            case Action.SetDscp set -> "mod_nw_tos:" + (set.dscp() << 2);
            case Action.ToController unused -> "CONTROLLER:65535";
            case Action.Other other -> other.text();
        };
    }
}
