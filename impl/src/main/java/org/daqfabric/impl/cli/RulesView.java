package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.program.SwitchRules.Entry;
import org.daqfabric.api.program.SwitchRules.GroupEntry;
import org.daqfabric.api.program.SwitchRules.RuleEntry;
import org.daqfabric.api.program.SwitchRules.State;

/**
 * The rules and groups of a switch.
 *
 * @param unread why the switch could not be read
 * @param opaqueRules number of rules of others that cannot be shown
 */
record RulesView(String fabric, String name, Optional<String> unread, int opaqueRules, List<RuleRow> rules,
        List<GroupRow> groups) implements View {
    record RuleRow(String state, String match, String cookie, String desired, String installed) {
    }

    record GroupRow(String state, String id, String desired, String installed) {
    }

    static RulesView of(String fabric, SwitchRules found) {
        List<RuleRow> rules = new ArrayList<>();
        List<GroupRow> groups = new ArrayList<>();
        for (Entry entry : found.entries()) {
            switch (entry) {
                case RuleEntry rule -> rules.add(new RuleRow(TerminalText.of(rule.state()), rule.name(),
                    rule.cookie() == 0 ? "" : "0x" + Long.toHexString(rule.cookie()), rule.desired(),
                    rule.installed()));
                case GroupEntry group -> groups.add(new GroupRow(TerminalText.of(group.state()), group.name(),
                    group.desired(), group.installed()));
            }
        }
        return new RulesView(fabric, found.switchName(), Optional.of(found.unread()).filter(why -> !why.isEmpty()),
            found.opaque(), rules, groups);
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        unread.ifPresent(why -> lines.addAll(TerminalText.wrap(name + " could not be read: " + why, 0)));
        Table ruleTable = new Table("STATE", "RULE", "ACTIONS", "INSTALLED");
        rules.forEach(row -> ruleTable.row(row.state, row.match, row.desired, shown(row.desired, row.installed)));
        lines.add(ruleTable.text());
        lines.add("");
        Table groupTable = new Table("STATE", "GROUP", "BUCKETS", "INSTALLED");
        groups.forEach(row -> groupTable.row(row.state, row.id, row.desired, shown(row.desired, row.installed)));
        lines.add(groupTable.text());
        return String.join("\n", lines);
    }

    /** What is installed, where that is something else than what is desired. */
    private static String shown(String desired, String installed) {
        return installed.equals(desired) ? "" : installed;
    }

    @Override
    public String failure() {
        boolean differs = rules.stream().map(RuleRow::state).anyMatch(RulesView::isWrong)
            || groups.stream().map(GroupRow::state).anyMatch(RulesView::isWrong);
        return unread.isPresent() ? name + " could not be read" : differs
            ? name + " differs from its program: daqfabric:resync corrects it" : "";
    }

    private static boolean isWrong(String state) {
        return !state.equals(TerminalText.of(State.INSTALLED)) && !state.equals(TerminalText.of(State.FOREIGN));
    }
}
