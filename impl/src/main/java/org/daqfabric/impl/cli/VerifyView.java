package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Verification;

/**
 * The result of comparing switches with what they must hold.
 *
 * @param pairs pairs of a ROS and a DCM whose packets were traced in both directions; absent if a switch was not read
 * @param putRight whether the differences have been corrected
 */
record VerifyView(String fabric, int switches, int foreignRules, Optional<Integer> pairs, List<Row> findings,
        List<String> lostPairs, boolean putRight) implements View {
    private static final int MAX_LOST = 10;

    /** One difference between a switch and what it must hold. */
    record Row(String name, String kind, String what, String subject, String detail) {
    }

    static VerifyView of(String fabric, Verification found, boolean putRight) {
        return new VerifyView(fabric, found.switches().size(), found.foreign(),
            Optional.of(found.pairs()).filter(pairs -> pairs > 0),
            found.findings().stream().map(VerifyView::row).toList(), found.lost(), putRight);
    }

    private static Row row(Finding finding) {
        return new Row(finding.switchName(), TerminalText.of(finding.kind()), TerminalText.of(finding.what()),
            finding.subject(), finding.detail());
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        if (!findings.isEmpty()) {
            Table table = new Table("SWITCH", "KIND", "WHAT", "SUBJECT", "DETAIL");
            findings.forEach(row -> table.row(row.name, row.kind, row.what, row.subject, row.detail));
            lines.add(table.text());
        }
        lostPairs.stream().limit(MAX_LOST).forEach(lost ->
            lines.add(TerminalText.cut(TerminalText.clean("lost: " + lost), Table.WIDTH)));
        if (lostPairs.size() > MAX_LOST) {
            lines.add("lost: " + (lostPairs.size() - MAX_LOST) + " more pairs, in --json");
        }
        lines.add(TerminalText.count(switches, "switch", "switches") + " compared: "
            + (findings.isEmpty() ? "as they must be"
            : TerminalText.count(findings.size(), "difference", "differences")));
        pairs.ifPresent(count -> lines.add(count + " pairs of ROS and DCM followed: "
            + (lostPairs.isEmpty() ? "every packet arrives" : lostPairs.size() + " lost")));
        if (foreignRules > 0) {
            lines.add(TerminalText.count(foreignRules, "rule", "rules") + " not ours, left alone");
        }
        return String.join("\n", lines);
    }

    @Override
    public String failure() {
        boolean unreadable = findings.stream()
            .anyMatch(row -> row.what.equals(TerminalText.of(Finding.What.UNREADABLE)));
        return unreadable ? "Not every switch could be read: daqfabric:doctor says why"
            : putRight || findings.isEmpty() && lostPairs.isEmpty() ? ""
            : findings.isEmpty() ? "Pairs are lost to rules that are not ours: remove those on the switches"
            : "daqfabric:resync puts the differences right";
    }
}
