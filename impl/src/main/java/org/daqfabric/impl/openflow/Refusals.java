package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Error messages of switches in words. */
final class Refusals {
    /** How the plugin reports an OpenFlow error, as opposed to a switch that did not answer. */
    private static final Pattern REPORT = Pattern.compile("Device reported error type (\\S+) code (\\S+)");

    private static final Map<String, String> WORDS = Map.ofEntries(
        Map.entry("GROUPEXISTS", "the group exists already"),
        Map.entry("UNKNOWNGROUP", "there is no such group"),
        Map.entry("INVALIDGROUP", "the group's buckets do not suit its type"),
        Map.entry("OUTOFGROUPS", "no room for another group"),
        Map.entry("OUTOFBUCKETS", "no room for more buckets"),
        Map.entry("CHAININGUNSUPPORTED", "groups of groups are not supported"),
        Map.entry("WATCHUNSUPPORTED", "the bucket's watch is not supported"),
        Map.entry("LOOP", "the groups would form a loop"),
        Map.entry("CHAINEDGROUP", "another group points to the group"),
        Map.entry("BADOUTGROUP", "an action points to a group that does not exist"),
        Map.entry("BADOUTPORT", "an action points to a port that does not exist"),
        Map.entry("BADWATCH", "a bucket watches a port or group that does not exist"),
        Map.entry("TABLEFULL", "the table is full"),
        Map.entry("OVERLAP", "the rule overlaps another of its priority"),
        Map.entry("EPERM", "not permitted"));

    private Refusals() {
    }

    /** What a switch said; empty if the text is no report of an OpenFlow error. */
    static Optional<String> words(final String text) {
        final var matcher = REPORT.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        final String code = matcher.group(2);
        final String report = "OpenFlow error " + matcher.group(1) + "/" + code;
        final String words = WORDS.get(code);
        return Optional.of(words == null ? report : words + " (" + report + ")");
    }
}
