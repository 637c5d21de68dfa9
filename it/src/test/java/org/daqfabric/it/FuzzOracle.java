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
 * Decides whether an answer or a log entry shows a fault of daqfabric. OpenDaylight itself answers some malformed
 * requests with a 500 (YANG Patches, queries). Such an answer counts only if it, or the log, names our code: exceptions
 * of ours are logged with their trace.
 */
final class FuzzOracle {
    private record KnownAnswer(int status, Pattern body) {
        static KnownAnswer of(final int status, final String body) {
            return new KnownAnswer(status, Pattern.compile(body, Pattern.DOTALL));
        }
    }

    /** Known refusals without a message. */
    private static final List<KnownAnswer> WITHOUT_MESSAGE = List.of(
        // Jetty refuses the URL: a zero character, invalid UTF-8
        KnownAnswer.of(400, "<h1>Bad Message 400</h1>.*"),
        // RESTCONF refuses the URL: not ASCII, or with empty or dotted segments
        KnownAnswer.of(400, ""),
        KnownAnswer.of(404, ""),
        // a content type that RESTCONF does not know
        KnownAnswer.of(415, ".*"));

    /** The filters: they write down who asks, bound what is sent, note the user, and complete the answer. */
    private static final List<String> PASSED_BY_ALL = List.of("org.daqfabric.impl.audit.",
        "org.daqfabric.impl.author.", "org.daqfabric.impl.northbound.request.SizeFilter.",
        "org.daqfabric.impl.northbound.request.RequestFilter.");

    private FuzzOracle() {
    }

    static Optional<String> fault(final Restconf.Answer answer) {
        if (answer.body().contains("org.daqfabric")) {
            return Optional.of("the answer names our code");
        }
        if (answer.status() >= 500) {
            return Optional.empty();
        }
        return answer.status() < 400 || isExplained(answer) || isKnown(answer, WITHOUT_MESSAGE) ? Optional.empty()
            : Optional.of("refused without a message");
    }

    static Optional<String> fault(final ControllerLog.Entry entry) {
        if (entry.isOurs()) {
            return entry.level().equals("ERROR") || entry.hasTrace() ? Optional.of("an error of ours")
                : Optional.empty();
        }
        if (entry.rootCause().isEmpty()) {
            return Optional.empty();
        }
        // OpenDaylight logs a refusal of a commit cohort as an error
        if (entry.logger().equals("CommitCohort")
                && entry.hasFrameOf("org.daqfabric.impl.northbound.FabricCohort.refuse")) {
            return Optional.empty();
        }
        return entry.hasFrameOf("org.daqfabric", PASSED_BY_ALL)
            ? Optional.of("an exception through our code") : Optional.empty();
    }

    private static boolean isKnown(final Restconf.Answer answer, final List<KnownAnswer> kinds) {
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

    /** Number of errors with a message; a large negative number if one has none. */
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
