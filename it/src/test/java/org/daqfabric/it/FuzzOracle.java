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
 * Decides whether an answer or a log entry shows a fault of daqfabric. An answer of 500 or above is one, unless it is
 * one of OpenDaylight's own, which are listed here; and so is an exception that is logged with a frame of ours.
 */
final class FuzzOracle {
    private record KnownAnswer(int status, Pattern body) {
        static KnownAnswer of(final int status, final String body) {
            return new KnownAnswer(status, Pattern.compile(body, Pattern.DOTALL));
        }
    }

    /**
     * An answer of 500 or above that OpenDaylight alone is to blame for.
     *
     * @param request method and address of the request
     * @param type what the request was written in
     * @param source where OpenDaylight does so
     * @param reason why it is none of ours
     */
    private record OpenDaylightFault(int status, Pattern request, String type, Pattern body, String source,
            String reason) {
        boolean is(final Restconf.Answer answer, final String writtenIn) {
            return answer.status() == status && type.equals(writtenIn)
                && request.matcher(answer.request()).lookingAt() && body.matcher(answer.body()).matches();
        }
    }

    private static final String NETCONF = "https://github.com/opendaylight/netconf/blob/v9.0.1/";
    private static final String DATA = NETCONF
        + "plugins/restconf-mdsal-spi/src/main/java/org/opendaylight/restconf/mdsal/spi/data/";
    private static final String JSON = "application/yang-data+json";

    private static final List<OpenDaylightFault> OPENDAYLIGHT_FAULTS = List.of(
        new OpenDaylightFault(501, Pattern.compile("PATCH "), "application/yang-patch+json",
            Pattern.compile(".*\"operation-not-supported\",\"error-message\":\"Not supported Yang Patch operation\".*",
                Pattern.DOTALL), DATA + "RestconfStrategy.java#L444",
            "it does not implement the operations insert and move of RFC 8072, and says so"),
        new OpenDaylightFault(500, Pattern.compile("GET [^ ]*[?&]with-defaults=(trim|explicit)"), JSON,
            Pattern.compile(".*\"operation-failed\".*\"Transaction\\(GET\\) failed\".*", Pattern.DOTALL),
            DATA + "AsyncGetDataProcessor.java#L155",
            "it looks for defaults in containers and list entries alone, not at a leaf, nor at what is not there"),
        new OpenDaylightFault(500, Pattern.compile("GET [^ ]*[?&]with-defaults=report-all"), JSON,
            Pattern.compile(".*\"Unsupported with-defaults value report-all.*", Pattern.DOTALL),
            DATA + "AsyncGetDataProcessor.java#L136", "it does not implement report-all, and says so"),
        new OpenDaylightFault(500, Pattern.compile("GET [^ ]*[?&]fields="), JSON, Pattern.compile(""),
            NETCONF + "protocol/restconf-server-spi/src/main/java/org/opendaylight/restconf/server/spi/"
                + "NormalizedNodeWriter.java#L235",
            "it fails over the name of a list entry in its own message that the entry has no such node"));

    /** Known refusals without a message. */
    private static final List<KnownAnswer> WITHOUT_MESSAGE = List.of(
        // Jetty refuses the URL: a zero character, invalid UTF-8
        KnownAnswer.of(400, "<h1>Bad Message 400</h1>.*"),
        // RESTCONF refuses the URL: not ASCII, or with empty or dotted segments
        KnownAnswer.of(400, ""),
        KnownAnswer.of(404, ""),
        // a content type that RESTCONF does not know
        KnownAnswer.of(415, ".*"));

    /** They write down who asks, count logins, know who may, bound what is asked and left, complete the answer. */
    private static final List<String> PASSED_BY_ALL = List.of("org.daqfabric.impl.audit.",
        "org.daqfabric.impl.access.LoginGuard.", "org.daqfabric.impl.access.RoleFilter.",
        "org.daqfabric.impl.access.CrossSiteFilter.",
        "org.daqfabric.impl.author.", "org.daqfabric.impl.northbound.request.ThreadFilter.",
        "org.daqfabric.impl.northbound.request.SizeFilter.",
        "org.daqfabric.impl.northbound.request.SpaceFilter.",
        "org.daqfabric.impl.northbound.request.TagFilter.", "org.daqfabric.impl.northbound.request.TaggedResponse.",
        "org.daqfabric.impl.northbound.request.RequestFilter.", "org.daqfabric.impl.northbound.request.StreamFilter.",
        "org.daqfabric.impl.northbound.request.AfterRequest.",
        "org.daqfabric.impl.northbound.request.RecordedResponse.", "org.daqfabric.impl.web.EventStreamFilter.");

    private static final Pattern XML_MESSAGE = Pattern.compile("<error-message>[^<]*[^<\\s]");

    private FuzzOracle() {
    }

    /** The fault that an answer shows; type is what the request was written in. */
    static Optional<String> fault(final Restconf.Answer answer, final String type) {
        if (answer.body().contains("org.daqfabric")) {
            return Optional.of("the answer names our code");
        }
        if (answer.status() >= 500) {
            return OPENDAYLIGHT_FAULTS.stream().anyMatch(each -> each.is(answer, type)) ? Optional.empty()
                : Optional.of("the server failed");
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
        // OpenDaylight tells of an XML attribute that no model has, once for each name, and where it was read
        if (entry.logger().equals("StreamWriterFacade") && entry.level().equals("INFO")) {
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
        if (answer.body().startsWith("<")) {
            return XML_MESSAGE.matcher(answer.body()).find();
        }
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
