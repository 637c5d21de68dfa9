package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tells what is a fault of ours in the controller's answers and in its log. OpenDaylight answers much that is malformed
 * with a 500 of its own before anyone is asked (a null as a value, an empty list, two writes of one node at once); such
 * an answer is ours only if it, or the log, names our code: whatever we throw is logged with its trace.
 */
final class Judge {
    private record Known(int status, Pattern body) {
        static Known of(final int status, final String body) {
            return new Known(status, Pattern.compile(body, Pattern.DOTALL));
        }
    }

    /** Refusals without a message. */
    private static final List<Known> SPEECHLESS = List.of(
        // Jetty does not take the address: a zero character, bytes that are no UTF-8.
        Known.of(400, "<h1>Bad Message 400</h1>.*"),
        // Of RESTCONF before it reads anything: an address beyond ASCII, or with empty or dotted segments.
        Known.of(400, ""),
        Known.of(404, ""),
        // A content type that is not one of RESTCONF's.
        Known.of(415, ".*"));

    private Judge() {
    }

    static Optional<String> fault(final Restconf.Answer answer) {
        if (answer.body().contains("org.daqfabric")) {
            return Optional.of("speaks of our insides");
        }
        if (answer.status() >= 500) {
            return Optional.empty();
        }
        return answer.status() < 400 || isExplained(answer) || isKnown(answer, SPEECHLESS) ? Optional.empty()
            : Optional.of("refused without a message");
    }

    static Optional<String> fault(final ControllerLog.Entry entry) {
        if (entry.isOurs()) {
            return entry.level().equals("ERROR") || entry.hasTrace() ? Optional.of("an error of ours") : Optional.empty();
        }
        if (entry.rootCause().isEmpty()) {
            return Optional.empty();
        }
        // OpenDaylight logs what a commit cohort refuses as an error.
        if (entry.logger().equals("CommitCohort") && entry.hasFrameOf("org.daqfabric.impl.northbound.FabricCohort.refuse")) {
            return Optional.empty();
        }
        return entry.hasFrameOf("org.daqfabric") ? Optional.of("an exception through our code") : Optional.empty();
    }

    private static boolean isKnown(final Restconf.Answer answer, final List<Known> kinds) {
        return kinds.stream().anyMatch(each -> each.status() == answer.status()
            && each.body().matcher(answer.body()).matches());
    }

    private static boolean isExplained(final Restconf.Answer answer) {
        try {
            return messages(JsonParser.parseString(answer.body())) > 0;
        } catch (JsonParseException e) {
            return false;
        }
    }

    /** How many errors have a message; a large negative number if one has none. */
    private static int messages(final JsonElement json) {
        int sum = 0;
        if (json instanceof JsonArray array) {
            for (var each : array) {
                sum += messages(each);
            }
        } else if (json instanceof JsonObject object) {
            if (object.has("error-tag")) {
                return object.has("error-message") && !object.get("error-message").getAsString().isBlank() ? 1 : -1000;
            }
            for (var each : object.asMap().values()) {
                sum += messages(each);
            }
        }
        return sum;
    }
}
