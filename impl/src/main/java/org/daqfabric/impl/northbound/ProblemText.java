package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.stream.Collectors;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;

/** Problems as users of RESTCONF read them: a line each, which begins with the instance path of the offending node. */
final class ProblemText {
    private static final int SHOWN = 10;

    private ProblemText() {
    }

    /** All problems as one text, the first ten in full. */
    static String of(List<Problem> problems) {
        String text = problems.stream().limit(SHOWN).map(ProblemText::of).collect(Collectors.joining("\n"));
        return problems.size() <= SHOWN ? text : text + "\nand " + (problems.size() - SHOWN) + " more problems";
    }

    private static String of(Problem problem) {
        return path(problem.location()) + ": " + problem.message();
    }

    /** The instance path of a node. */
    static String path(Location location) {
        String root = switch (location.tree()) {
            case CONFIGURATION -> "/daqfabric:fabrics";
            case INPUT -> "/input";
        };
        StringBuilder path = new StringBuilder(root);
        for (Location.Step step : location.steps()) {
            path.append('/').append(step.node());
            for (Location.Key key : step.keys()) {
                char quote = key.value().indexOf('\'') < 0 ? '\'' : '"';
                path.append('[').append(key.leaf()).append('=').append(quote).append(key.value()).append(quote)
                    .append(']');
            }
        }
        return path.toString();
    }
}
