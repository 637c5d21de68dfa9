package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.OperatorState;

/** The alarms of daqfabric:alarms, the worst first; shelved and cleared ones after the others. */
record AlarmsView(List<Row> alarms, int left) implements View {
    private static final int LABEL_WIDTH = 10;

    /** One alarm; severity is {@code cleared} if it is. */
    record Row(String severity, String resource, String type, String text, String advice, String raised, String changed,
            String operatorState, boolean shelved, List<Event> events) {
    }

    /** Something that happened to an alarm. */
    record Event(String time, String what) {
    }

    /** How many were removed. */
    record Purged(int alarms) implements View {
        @Override
        public String text() {
            return alarms == 1 ? "1 alarm removed." : alarms + " alarms removed.";
        }
    }

    /**
     * Alarms.
     *
     * @param all whether also cleared and shelved ones, and what happened to each
     */
    static AlarmsView of(List<Alarm> alarms, boolean all) {
        List<Alarm> shown = alarms.stream().filter(each -> all || each.isRaised() && !each.shelved())
            .sorted(Comparator.comparing(Alarm::cleared).thenComparing(Alarm::shelved)
                .thenComparing(Alarm::severity, Comparator.reverseOrder()).thenComparing(Alarm::id)).toList();
        return new AlarmsView(shown.stream().map(each -> row(each, all)).toList(), alarms.size() - shown.size());
    }

    private static Row row(Alarm alarm, boolean all) {
        return new Row(alarm.cleared() ? "cleared" : TerminalText.of(alarm.severity()),
            alarm.id().resource().toString(), TerminalText.of(alarm.id().type()), alarm.text(),
            alarm.cleared() ? "" : alarm.id().type().advice(), alarm.raised().toString(), alarm.changed().toString(),
            TerminalText.of(alarm.handling()), alarm.shelved(), all ? events(alarm) : List.of());
    }

    private static List<Event> events(Alarm alarm) {
        return Stream.concat(
            alarm.changes().stream().map(each -> new Event(each.time().toString(),
                each.severity().map(severity -> TerminalText.of(severity) + ": " + each.text()).orElse("cleared"))),
            alarm.actions().stream().map(each -> new Event(each.time().toString(), TerminalText.of(each.state())
                + " by " + each.operator() + (each.text().isEmpty() ? "" : ": " + each.text()))))
            .sorted(Comparator.comparing(Event::time).reversed()).toList();
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        for (Row row : alarms) {
            String marks = (row.operatorState.equals(TerminalText.of(OperatorState.NONE)) ? ""
                : ", " + row.operatorState) + (row.shelved ? ", shelved" : "");
            List<String> block = new ArrayList<>(TerminalText.wrap(row.resource + " " + row.type + ": " + row.text
                + " (since " + row.changed + marks + ")", LABEL_WIDTH));
            block.set(0, row.severity.toUpperCase(Locale.ROOT) + block.get(0).substring(row.severity.length()));
            lines.addAll(block);
            if (!row.advice.isEmpty()) {
                lines.addAll(TerminalText.wrap("-> " + row.advice, LABEL_WIDTH));
            }
            row.events.forEach(event -> lines.addAll(TerminalText.wrap(event.time + " " + event.what, LABEL_WIDTH)));
        }
        if (alarms.isEmpty()) {
            lines.add("No alarm is raised.");
        }
        if (left > 0) {
            lines.add((left == 1 ? "1 that is" : left + " that are") + " cleared or shelved: --all");
        }
        return String.join("\n", lines);
    }
}
