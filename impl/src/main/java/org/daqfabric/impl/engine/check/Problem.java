package org.daqfabric.impl.engine.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One reason to refuse a fabric.
 *
 * @param path the offending node, an instance path from {@code /daqfabric:fabrics}
 * @param message what is wrong, by name, and what to change
 */
public record Problem(String path, String message) {
    private static final int SHOWN = 10;

    /** All problems as one text, a line each, the first ten in full. */
    public static String describe(List<Problem> problems) {
        String text = problems.stream().limit(SHOWN).map(Problem::toString).collect(Collectors.joining("\n"));
        return problems.size() <= SHOWN ? text : text + "\nand " + (problems.size() - SHOWN) + " more problems";
    }

    @Override
    public String toString() {
        return path + ": " + message;
    }
}
