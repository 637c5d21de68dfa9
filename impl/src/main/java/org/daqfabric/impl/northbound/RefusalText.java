package org.daqfabric.impl.northbound;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Answer.Reason;
import org.daqfabric.impl.engine.check.Location;

/** Why run control refused a request, as it is answered and stored: a line for each reason. */
final class RefusalText {
    private static final Pattern ABOUT_INPUT = Pattern.compile("/input(?:/([^/\\s:]+))?: (.*)");

    private RefusalText() {
    }

    static String of(List<Reason> reasons) {
        return reasons.stream().map(RefusalText::line).collect(Collectors.joining("\n"));
    }

    private static String line(Reason reason) {
        return reason.input().map(leaf -> ProblemText.path(leaf.isEmpty() ? Location.input() : Location.input(leaf))
            + ": ")
            .orElse("") + reason.text();
    }

    /** The reasons of which {@link #of} made a text. */
    static List<Reason> read(String text) {
        return Arrays.stream(text.split("\n", -1)).map(RefusalText::reason).toList();
    }

    private static Reason reason(String line) {
        Matcher aboutInput = ABOUT_INPUT.matcher(line);
        return aboutInput.matches()
            ? new Reason(Optional.of(Optional.ofNullable(aboutInput.group(1)).orElse("")), aboutInput.group(2))
            : new Reason(Optional.empty(), line);
    }
}
