package org.daqfabric.impl.openflow;

import java.util.Map;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.Error;

/** Describes the error messages of switches in plain words. */
final class ErrorText {
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

    private ErrorText() {
    }

    /** Of an answer to a question of that type that is over a limit, with what to do where a person can. */
    static String tooLong(final int type, final int bytes) {
        return type == OpenFlow13.OFPMP_FLOW || type == OpenFlow13.OFPMP_GROUP || type == OpenFlow13.OFPMP_GROUP_DESC
            ? "its bridge holds rules or groups of over " + (bytes >> 20) + " MiB, so that nothing can be read or"
                + " changed there: remove those of other programs (on its node 'ovs-ofctl -O OpenFlow13 dump-aggregate"
                + " BRIDGE' counts them)"
            : "it answered question " + type + " with over " + bytes + " bytes";
    }

    static String words(final Error error) {
        final String type = error.getTypeString();
        final String code = error.getCodeString();
        if (type == null || type.equals(IncomingErrors.EXPERIMENTER)) {
            return "OpenFlow error" + (type == null ? ": " : " " + type + ": ") + code;
        }
        final String report = "OpenFlow error " + type + "/" + code;
        final String words = WORDS.get(code);
        return words == null ? report : words + " (" + report + ")";
    }
}
