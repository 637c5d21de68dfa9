package org.daqfabric.it;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The answer of {@code verify} or {@code resync}. */
record Findings(JsonObject json) {
    /** A finding; missing parts are empty. */
    record Finding(String switchName, String kind, String what, String subject) {
        @Override
        public String toString() {
            return switchName + " " + kind + " " + what + (subject.isEmpty() ? "" : " " + subject);
        }
    }

    static Findings of(final Restconf.Answer answer) {
        return new Findings(answer.orFail().json().getAsJsonObject("daqfabric-operations:output"));
    }

    List<Finding> findings() {
        return FabricFile.entries(json, "finding").stream().map(each -> new Finding(each.get("switch").getAsString(),
            each.get("kind").getAsString(), each.get("what").getAsString(),
            each.has("subject") ? each.get("subject").getAsString() : "")).toList();
    }

    int switches() {
        return json.get("switches").getAsInt();
    }

    int foreignRules() {
        return json.get("foreign-rules").getAsInt();
    }

    boolean hasPairs() {
        return json.has("pairs");
    }

    int pairs() {
        return json.get("pairs").getAsInt();
    }

    /** The lines of {@code lost-pair}. */
    List<String> lost() {
        return !json.has("lost-pair") ? List.of()
            : json.getAsJsonArray("lost-pair").asList().stream().map(JsonElement::getAsString).toList();
    }

    /** The two hosts of each lost pair, in either direction. */
    Set<Set<String>> lostPairs() {
        return lost().stream().map(line -> line.substring(0, line.indexOf(':')).split(" -> "))
            .map(hosts -> (Set<String>) new TreeSet<>(List.of(hosts))).collect(Collectors.toSet());
    }
}
