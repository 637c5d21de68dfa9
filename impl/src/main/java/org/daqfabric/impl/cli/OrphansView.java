package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.eclipse.jdt.annotation.Nullable;

/** The bridges of daqfabric:orphans. */
record OrphansView(List<Row> bridges) implements View {
    /** One bridge; since is when its fabric left it, empty if that is not known here. */
    record Row(String node, String bridge, String fabric, String since) {
    }

    /**
     * The bridges of one fabric or all.
     *
     * @param fabric null for all
     */
    static OrphansView of(List<MarkedBridge> orphans, List<PendingRemoval> pending, @Nullable String fabric) {
        Predicate<MarkedBridge> shown = bridge -> fabric == null || bridge.fabric().equals(fabric);
        List<Row> rows = new ArrayList<>();
        List<MarkedBridge> leaving = pending.stream().map(PendingRemoval::bridge).toList();
        pending.stream().filter(each -> shown.test(each.bridge()))
            .forEach(each -> rows.add(row(each.bridge(), each.since().toString())));
        Stream<MarkedBridge> others = new TreeSet<>(orphans).stream().filter(each -> !leaving.contains(each));
        others.filter(shown).forEach(each -> rows.add(row(each, "")));
        return new OrphansView(rows);
    }

    private static Row row(MarkedBridge bridge, String since) {
        return new Row(bridge.systemId(), bridge.bridge(), bridge.fabric(), since);
    }

    @Override
    public String text() {
        if (bridges.isEmpty()) {
            return "No bridge is left over.";
        }
        Table table = new Table("node", "bridge", "fabric", "removal");
        bridges.forEach(row -> table.row(row.node, row.bridge, row.fabric,
            row.since.isEmpty() ? "not asked for" : "pending since " + row.since));
        return table.text() + "\n\n" + String.join("\n", TerminalText.wrap("A pending removal goes on by itself when"
            + " its node is connected; rpc forget-removals gives it up. rpc remove-orphans removes the others.", 0));
    }
}
