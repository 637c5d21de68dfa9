package org.daqfabric.impl.northbound;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.BackupContents;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.eclipse.jdt.annotation.Nullable;

/**
 * A backup: stored containers as RFC 7951 writes them, and a head that says what they are.
 *
 * @param version of daqfabric
 * @param modules revision by module
 * @param digested whether the text had a digest, which has been compared
 * @param content a container by {@code module:name}
 */
record BackupDocument(String time, String version, SortedMap<String, String> modules, boolean digested,
        JsonObject content) {
    private static final int FORMAT = 1;
    /** Input of the rpc that a text comes from. */
    private static final String INPUT = "backup";
    private static final String HEAD = "backup";
    private static final String CONTENT = "content";
    private static final String DIGEST = "sha256";
    private static final Gson PRETTY = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    static BackupDocument of(Instant time, String version, SortedMap<String, String> modules, JsonObject content) {
        return new BackupDocument(time.toString(), version, modules, true, content);
    }

    /**
     * Reads a text.
     *
     * @throws InvalidInputException if it is no backup of this format, or its content was changed
     */
    @SuppressWarnings("checkstyle:avoidHidingCauseException") // its message has the position
    static BackupDocument parse(String text) {
        JsonElement root;
        try {
            root = JsonParser.parseString(text);
        } catch (JsonParseException e) {
            throw refused("this is no JSON, so no backup: " + e.getMessage());
        }
        JsonObject head = object(root, HEAD);
        JsonObject content = object(root, CONTENT);
        if (head == null || content == null) {
            throw refused("this is JSON, but no backup: a backup has the objects '" + HEAD + "' and '" + CONTENT + "'");
        }
        if (!(head.get("format") instanceof JsonPrimitive format) || !format.getAsString().equals("" + FORMAT)) {
            throw refused("its format is " + head.get("format") + ", and this controller reads format " + FORMAT
                + ": use a controller of daqfabric " + string(head.get("daqfabric-version")));
        }
        JsonElement digest = head.get(DIGEST);
        if (digest != null && !digest.equals(new JsonPrimitive(digest(content)))) {
            throw refused("its content was changed since it was written: the SHA-256 is " + digest(content) + ", not "
                + digest + ". If that was intended, take the line '" + DIGEST + "' out of it");
        }
        SortedMap<String, String> modules = new TreeMap<>();
        JsonObject named = object(head, "modules");
        if (named != null) {
            named.asMap().forEach((name, revision) -> modules.put(name, string(revision)));
        }
        return new BackupDocument(string(head.get("time")), string(head.get("daqfabric-version")), modules,
            digest != null, content);
    }

    private static @Nullable JsonObject object(JsonElement parent, String name) {
        return parent instanceof JsonObject object && object.get(name) instanceof JsonObject child ? child : null;
    }

    private static String string(@Nullable JsonElement value) {
        return value instanceof JsonPrimitive primitive ? primitive.getAsString() : "";
    }

    private static InvalidInputException refused(String why) {
        return new InvalidInputException(INPUT, why);
    }

    /** The whole document. */
    String text() {
        JsonObject head = new JsonObject();
        head.addProperty("format", FORMAT);
        head.addProperty("time", time);
        head.addProperty("daqfabric-version", version);
        JsonObject revisions = new JsonObject();
        modules.forEach(revisions::addProperty);
        head.add("modules", revisions);
        head.addProperty(DIGEST, digest(content));
        JsonObject root = new JsonObject();
        root.add(HEAD, head);
        root.add(CONTENT, content);
        return PRETTY.toJson(root) + "\n";
    }

    /** What is unusual about it for a controller with these modules. */
    List<String> warnings(Map<String, String> present) {
        List<String> warnings = new ArrayList<>();
        if (!digested) {
            warnings.add("the backup has no " + DIGEST + ": whether its content was changed is not known");
        }
        modules.forEach((name, revision) -> {
            if (!revision.equals(present.get(name))) {
                warnings.add("the backup has module " + name + " of revision " + revision + ", this controller "
                    + (present.containsKey(name) ? "revision " + present.get(name) : "none")
                    + "; the data fit all the same");
            }
        });
        return warnings;
    }

    BackupContents contents() {
        int fabrics = 0;
        int dcms = 0;
        for (JsonObject fabric : list(content.get("daqfabric:fabrics"), "fabric")) {
            fabrics++;
            for (JsonObject pod : list(fabric, "pod")) {
                for (JsonObject rack : list(pod, "hlt-rack")) {
                    dcms += list(rack, "dcm").size();
                }
            }
        }
        return new BackupContents(fabrics, dcms, list(content.get("daqfabric-store:partitions"), "partition").size());
    }

    private static List<JsonObject> list(@Nullable JsonElement parent, String name) {
        List<JsonObject> entries = new ArrayList<>();
        if (parent instanceof JsonObject object && object.get(name) != null && object.get(name).isJsonArray()) {
            object.getAsJsonArray(name).forEach(entry -> {
                if (entry instanceof JsonObject each) {
                    entries.add(each);
                }
            });
        }
        return entries;
    }

    /** SHA-256 of the content without blanks, so that a text may be indented anew. */
    private static String digest(JsonObject content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                .digest(content.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
