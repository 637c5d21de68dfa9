package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.daqfabric.api.plan.Schedule;

/**
 * In which order ROS send to DCMs.
 *
 * @param rate Gbps
 * @param dcms by ROS, one for each phase; an empty name where it sends nothing
 */
record ScheduleView(String fabric, long generation, int phases, int bound, String boundBy, double rate, int transfers,
        int pairsWithoutPath, SortedMap<String, List<String>> dcms) implements View {
    /** Phases that are shown as text. */
    private static final int SHOWN = 6;

    static ScheduleView of(String fabric, Schedule found) {
        return new ScheduleView(fabric, found.generation(), found.phases(), found.bound(), found.boundBy(),
            found.rate(), found.transfers(), found.withoutPath(), found.dcms());
    }

    @Override
    public String text() {
        int shown = Math.min(phases, SHOWN);
        List<String> headings = new ArrayList<>(List.of("ROS"));
        for (int phase = 1; phase <= shown; phase++) {
            headings.add("PHASE " + phase);
        }
        Table table = new Table(headings.toArray(String[]::new));
        dcms.forEach((ros, row) -> {
            List<Object> cells = new ArrayList<>(List.of(ros));
            row.subList(0, shown).forEach(dcm -> cells.add(dcm.isEmpty() ? "-" : dcm));
            table.row(cells.toArray());
        });
        List<String> lines = new ArrayList<>(List.of(table.text()));
        if (phases > shown) {
            lines.add(phases - shown + " more phases, in --json");
        }
        lines.add(TerminalText.cut("%d transfers in %d phases of %s Gbps for each node; no schedule has fewer than %d%s"
            .formatted(transfers, phases, NumberText.gbps(rate), bound, boundBy.isEmpty() ? "" : ", as " + boundBy),
            Table.WIDTH));
        lines.add("for generation " + generation + "; ask again after a failure");
        if (pairsWithoutPath > 0) {
            lines.add(TerminalText.count(pairsWithoutPath, "pair has", "pairs have") + " no path");
        }
        return String.join("\n", lines);
    }

    @Override
    public String failure() {
        return "";
    }
}
