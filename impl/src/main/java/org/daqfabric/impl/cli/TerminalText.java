package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats text for a terminal. */
final class TerminalText {
    private TerminalText() {
    }

    /** Replaces control characters: some texts come from switches and could move the cursor. */
    static String clean(String text) {
        return text.codePoints().map(each -> Character.isWhitespace(each) ? ' '
                : Character.isISOControl(each) || Character.getType(each) == Character.FORMAT
                    || Character.getType(each) == Character.SURROGATE ? '?' : each)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Cuts a text that is too long and ends it in an ellipsis. */
    static String cut(String text, int width) {
        return width(text) <= width ? text : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
    }

    /** Breaks a text between words into lines of at most {@link Table#WIDTH} that start with the indentation. */
    static List<String> wrap(String text, int indentation) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(" ".repeat(indentation));
        for (String word : clean(text).split(" ")) {
            if (line.length() > indentation && width(line.toString()) + 1 + width(word) > Table.WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indentation));
            }
            line.append(line.length() > indentation ? " " : "").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** The name of an enum constant as YANG spells it. */
    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
