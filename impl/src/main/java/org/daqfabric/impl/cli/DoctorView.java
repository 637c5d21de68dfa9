package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;

/** The findings of daqfabric:doctor. */
record DoctorView(List<Row> findings) implements View {
    private static final int LABEL_WIDTH = 9;

    /** One finding; advice is empty where there is nothing to do. */
    record Row(String severity, String subject, String what, String advice) {
    }

    static DoctorView of(List<Advice> found) {
        return new DoctorView(found.stream().map(each -> new Row(TerminalText.of(each.severity()), each.subject(),
            each.what(), each.advice())).toList());
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        for (Row row : findings) {
            List<String> block = new ArrayList<>(TerminalText.wrap(row.subject + ": " + row.what, LABEL_WIDTH));
            block.set(0, row.severity.toUpperCase(Locale.ROOT) + block.get(0).substring(row.severity.length()));
            lines.addAll(block);
            if (!row.advice.isEmpty()) {
                lines.addAll(TerminalText.wrap("-> " + row.advice, LABEL_WIDTH));
            }
        }
        return String.join("\n", lines);
    }

    @Override
    public String failure() {
        long errors = findings.stream().filter(row -> row.severity.equals(TerminalText.of(Severity.ERROR))).count();
        return errors == 0 ? "" : TerminalText.count(errors, "thing does", "things do") + " not work";
    }
}
