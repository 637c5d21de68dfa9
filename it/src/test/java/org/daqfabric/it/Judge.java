package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells what is a fault in the controller's answers and in its log. What OpenDaylight itself does badly is listed here,
 * each kind with its reason, so that any new kind is a fault.
 */
final class Judge {
    private record Known(int status, Pattern body) {
        static Known of(final int status, final String body) {
            return new Known(status, Pattern.compile(body, Pattern.DOTALL));
        }
    }

    /** Failures that are OpenDaylight's own. */
    private static final List<Known> FAILURES = List.of(
        // Its parser met what it did not expect: the log has the exception, which must be one of THROWN.
        Known.of(500, ""),
        // Two writes of one node at once; the client has to repeat the later one.
        Known.of(500, ".*\"Optimistic lock failed for path .*"),
        // A POST of two nodes at once.
        Known.of(500, ".*\"Normalized Node result was already set\\.\".*"),
        // A GET of a leaf with-defaults=trim.
        Known.of(500, ".*\"Unhandled data contract interface org\\.opendaylight\\.\\S+\\.LeafNode\".*"),
        // Operations on lists the user orders, of which we have none.
        Known.of(501, ".*\"Not supported Yang Patch operation\".*"),
        // A DELETE that a commit cohort, ours, refused: the reason is in the log only.
        Known.of(500, ".*\"Transaction to delete failed\".*"),
        // Its data tree refuses before a cohort is asked: a key leaf that is written, or one of an absent entry.
        Known.of(500, ".*\"canCommit encountered an unexpected failure\".*"),
        Known.of(500, ".*\"commit encountered an unexpected failure\".*"));
    /** Refusals without a message. */
    private static final List<Known> SPEECHLESS = List.of(
        // Jetty does not take the address: a zero character, bytes that are no UTF-8.
        Known.of(400, "<h1>Bad Message 400</h1>.*"),
        // Of RESTCONF before it reads anything: an address beyond ASCII, or with empty or dotted segments.
        Known.of(400, ""),
        Known.of(404, ""),
        // A content type that is not one of RESTCONF's.
        Known.of(415, ".*"));
    /** The innermost exceptions of bare 500s, which leave a trace in the log and no text in the answer. */
    private static final List<Pattern> THROWN = Stream.of(
        // null as a leaf's value
        "java.lang.NullPointerException at java.util.Objects.requireNonNull",
        // an empty body, {} or [], or an object as a leaf's value
        "java.lang.IllegalStateException at .*\\.NormalizationResultHolder.getResult",
        // an empty list
        "java.util.NoSuchElementException at com.google.common.collect.AbstractIndexedListIterator.next",
        // input of an operation with a leaf that is none, or something else than a list as a leaf-list
        "java.lang.Illegal(State|Argument)Exception at org\\.opendaylight\\.yangtools\\.yang\\.data\\.codec\\.gson"
            + "\\.JsonParserStream\\.\\w+",
        // an array within the value of a leaf
        "java.lang.IllegalStateException at com.google.gson.stream.JsonReader.unexpectedTokenError",
        // a key leaf that is written or deleted
        "java.lang.IllegalStateException at .*\\.ImmutableMapEntryNodeBuilder.build",
        // a switch whose bridge is removed hangs up
        "io.netty.channel.unix.Errors\\$NativeIoException at ")
        .map(Pattern::compile).toList();

    private Judge() {
    }

    static Optional<String> fault(final Restconf.Answer answer) {
        if (answer.body().contains("org.daqfabric")) {
            return Optional.of("speaks of our insides");
        }
        if (answer.status() >= 500) {
            return isKnown(answer, FAILURES) ? Optional.empty() : Optional.of("a new kind of failure");
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
        // It logs whatever it cannot parse of a YANG Patch; the answer is judged above.
        if (entry.logger().equals("JsonPatchBody") && !entry.hasFrameOf("org.daqfabric")) {
            return Optional.empty();
        }
        return entry.hasFrameOf("org.daqfabric") ? Optional.of("an exception through our code")
            : THROWN.stream().anyMatch(each -> each.matcher(entry.rootCause()).matches()) ? Optional.empty()
            : Optional.of("a new kind of exception: " + entry.rootCause());
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
