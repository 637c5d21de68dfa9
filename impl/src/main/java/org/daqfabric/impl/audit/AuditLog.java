package org.daqfabric.impl.audit;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of the log. What changed something or asked for it is kept apart from what was only read, and from who
 * could not log in, so that however many of those there are they push nothing out.
 */
final class AuditLog {
    /** Longer texts are cut. */
    static final int LONGEST = 2000;
    private static final Logger CHANGES = LoggerFactory.getLogger("org.daqfabric.audit.changes");
    private static final Logger READS = LoggerFactory.getLogger("org.daqfabric.audit.reads");
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    /** What a reader of the log may take for the end of a line, or does not see; in JSON only texts have such. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private AuditLog() {
    }

    static void changed(JsonObject entry) {
        CHANGES.atInfo().log(line(entry));
    }

    static void read(JsonObject entry) {
        READS.atInfo().log(line(entry));
    }

    /** An entry as one line. */
    static String line(JsonObject entry) {
        return UNSEEN.matcher(GSON.toJson(entry)).replaceAll(unseen -> unseen.group().chars()
            .mapToObj(each -> "\\\\u%04x".formatted(each)).reduce("", String::concat));
    }

    /** A text of any length, as far as it is kept; empty if there is none. */
    static void add(JsonObject entry, String name, Optional<String> text) {
        text.filter(some -> !some.isEmpty()).ifPresent(some -> entry.addProperty(name, cut(some)));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "... " + text.length() + " characters";
    }
}
