package org.daqfabric.it;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names in a topology that lead nowhere, in the models of RFC 8345 or in OpenDaylight's: their references to nodes
 * and termination points need not exist ({@code require-instance false}), so that a validator finds none of these.
 */
final class TopologyEnds {
    private final Set<String> there = new HashSet<>();
    private final List<String> dangling = new ArrayList<>();
    private int references;

    private TopologyEnds() {
    }

    /** What is named and is not there; fails if the topology names nothing at all, as then nothing was tried. */
    static List<String> dangling(final JsonObject topology) {
        final var ends = new TopologyEnds();
        list(topology, "node").forEach(node -> {
            final var name = text(node, "node-id");
            ends.there.add(name);
            list(node, "termination-point").forEach(point -> ends.there.add(name + " " + text(point, "tp-id")));
        });
        list(topology, "link").forEach(link -> {
            ends.end(link, "source", "source");
            ends.end(link, "destination", "dest");
        });
        if (ends.references == 0) {
            throw new AssertionError("the topology has no links, so that none of their ends was tried");
        }
        return ends.dangling;
    }

    private void end(final JsonObject link, final String container, final String prefix) {
        final var where = text(link, "link-id") + " " + container;
        final var end = member(link, container);
        if (end == null || !end.isJsonObject()) {
            dangling.add(where + ": missing");
            return;
        }
        final var node = text(end.getAsJsonObject(), prefix + "-node");
        name(where, node);
        name(where, node + " " + text(end.getAsJsonObject(), prefix + "-tp"));
    }

    private void name(final String where, final String name) {
        references++;
        if (!there.contains(name)) {
            dangling.add(where + ": " + name);
        }
    }

    /** A member whose name may be with a module or without. */
    private static JsonElement member(final JsonObject object, final String name) {
        return object.entrySet().stream().filter(each -> each.getKey().replaceFirst(".*:", "").equals(name))
            .map(each -> each.getValue()).findFirst().orElse(null);
    }

    private static String text(final JsonObject object, final String name) {
        final var found = member(object, name);
        return found == null ? "no " + name : found.getAsString();
    }

    private static List<JsonObject> list(final JsonObject object, final String name) {
        final var found = member(object, name);
        return found == null ? List.of()
            : found.getAsJsonArray().asList().stream().map(JsonElement::getAsJsonObject).toList();
    }
}
