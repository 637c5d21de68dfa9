package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Rows under headings, at most {@link #WIDTH} columns wide: cells that are too long are cut, in the widest columns
 * first.
 */
final class Table {
    /** Width of a line in characters. */
    static final int WIDTH = 100;
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] alignLeft;

    Table(String... headings) {
        this.headings = List.of(headings);
        alignLeft = new boolean[headings.length];
    }

    /**
     * Adds a row. An empty Optional or null is an empty cell; a column of nothing but numbers is aligned to the right.
     */
    Table row(@Nullable Object... cells) {
        List<String> row = new ArrayList<>();
        for (int column = 0; column < cells.length; column++) {
            Object cell = cells[column] instanceof Optional<?> optional ? optional.orElse(null) : cells[column];
            alignLeft[column] |= cell != null && !(cell instanceof Number);
            row.add(cell == null ? "" : TerminalText.clean(cell.toString()));
        }
        rows.add(row);
        return this;
    }

    /** All lines; {@code (none)} if there are no rows. */
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
        int available = WIDTH - GAP.length() * (widths.length - 1);
        while (Arrays.stream(widths).sum() > available) {
            widths[IntStream.range(0, widths.length).reduce((a, b) -> widths[b] > widths[a] ? b : a).getAsInt()]--;
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = TerminalText.cut(cells.get(column), widths[column]);
            String padding = " ".repeat(widths[column] - TerminalText.width(cell));
            line.append(column == 0 ? "" : GAP).append(alignLeft[column] ? cell + padding : padding + cell);
        }
        return line.toString().stripTrailing();
    }
}
