package org.daqfabric.impl.platform;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members of a Pekko cluster as one of them sees them; all are addresses.
 *
 * @param self the member whose view this is
 * @param members all, itself among them
 * @param unreachable members that some members report as unreachable, with those that report it
 */
record MembershipView(String self, Set<String> members, Map<String, Set<String>> unreachable) {
    /**
     * Reads what Pekko shows over JMX.
     *
     * @param status attribute {@code ClusterStatus} of its MBean
     */
    static MembershipView of(String status) {
        JsonObject all = JsonParser.parseString(status).getAsJsonObject();
        Set<String> members = new TreeSet<>();
        for (JsonElement member : all.getAsJsonArray("members")) {
            members.add(member.getAsJsonObject().get("address").getAsString());
        }
        Map<String, Set<String>> unreachable = new TreeMap<>();
        for (JsonElement each : all.getAsJsonArray("unreachable")) {
            JsonObject node = each.getAsJsonObject();
            unreachable.put(node.get("node").getAsString(), strings(node.getAsJsonArray("observed-by")));
        }
        return new MembershipView(all.get("self-address").getAsString(), members, unreachable);
    }

    private static Set<String> strings(JsonArray array) {
        Set<String> strings = new TreeSet<>();
        array.forEach(each -> strings.add(each.getAsString()));
        return strings;
    }

    /** Whether this member reaches another one, which may have been given up, or itself. */
    boolean reaches(String member) {
        return member.equals(self) || members.contains(member)
            && !unreachable.getOrDefault(member, Set.of()).contains(self);
    }

    /**
     * Members that are lost and whose last reports keep members unreachable that this one reaches. Empty unless this
     * one reaches a majority, and unless all reports about those it reaches are by lost members.
     */
    Set<String> lostReporters() {
        Set<String> lost = new TreeSet<>();
        unreachable.forEach((node, reporters) -> {
            if (reporters.contains(self)) {
                lost.add(node);
            }
        });
        Set<String> reporters = new TreeSet<>();
        unreachable.forEach((node, by) -> {
            if (!lost.contains(node)) {
                reporters.addAll(by);
            }
        });
        boolean isMajority = 2 * (members.size() - lost.size()) > members.size();
        return isMajority && lost.containsAll(reporters) ? reporters : Set.of();
    }
}
