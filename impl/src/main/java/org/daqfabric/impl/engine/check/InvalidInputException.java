package org.daqfabric.impl.engine.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An input of an operation is missing, unknown, out of range or contradicts another. Its message holds the messages of
 * all problems, a line each, for readers who know no input tree.
 */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** Several inputs, or nodes below them, are wrong. */
    public InvalidInputException(List<Problem> problems) {
        super(problems.stream().map(Problem::message).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * One input is wrong.
     *
     * @param leaf the input, by its name in the YANG module
     */
    public InvalidInputException(String leaf, String message) {
        this(Location.input(leaf), message);
    }

    public InvalidInputException(Location location, String message) {
        this(List.of(new Problem(location, message)));
    }

    /** All problems; at least one. */
    public List<Problem> problems() {
        return problems;
    }
}
