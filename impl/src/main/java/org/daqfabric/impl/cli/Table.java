package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Rows under headings. Never wider than {@link #WIDTH}: what is too long is cut short, in the widest columns first. */
final class Table {
    /** Columns of a line. */
    static final int WIDTH = 100;
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] left;

    Table(String... headings) {
        this.headings = List.of(headings);
        left = new boolean[headings.length];
    }

    /** Adds a row; columns of numbers alone are aligned to the right. An empty Optional is an empty cell. */
    Table row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (int at = 0; at < cells.length; at++) {
            Object cell = cells[at] instanceof Optional<?> optional ? optional.orElse(null) : cells[at];
            left[at] |= cell != null && !(cell instanceof Number);
            row.add(cell == null ? "" : TerminalText.clean(cell.toString()));
        }
        rows.add(row);
        return this;
    }

    /** All lines; just a line that says so where there is no row. */
    String text() {
        if (rows.isEmpty()) {
            return "(none)";
        }
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        lines.add(line(headings, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return String.join("\n", lines);
    }

    private int[] widths() {
        int[] widths = IntStream.range(0, headings.size()).map(column -> Math.min(WIDTH, Math.max(
            TerminalText.width(headings.get(column)),
            rows.stream().mapToInt(row -> TerminalText.width(row.get(column))).max().orElse(0)))).toArray();
        int room = WIDTH - GAP.length() * (widths.length - 1);
        while (Arrays.stream(widths).sum() > room) {
            widths[IntStream.range(0, widths.length).reduce((a, b) -> widths[b] > widths[a] ? b : a).getAsInt()]--;
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int at = 0; at < cells.size(); at++) {
            String cell = TerminalText.cut(cells.get(at), widths[at]);
            String padding = " ".repeat(widths[at] - TerminalText.width(cell));
            line.append(at == 0 ? "" : GAP).append(left[at] ? cell + padding : padding + cell);
        }
        return line.toString().stripTrailing();
    }
}
