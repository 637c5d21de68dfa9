package org.daqfabric.impl.northbound.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * A YANG Patch in JSON (RFC 8072): each edit of one of our modules is checked as the body of a PUT to its target would
 * be. It is read as RESTCONF reads it, which takes edits wherever they are, so that it does what was checked.
 */
final class PatchBody {
    private final EffectiveModelContext model;
    private final JSONCodecFactory codecs;
    private final String path;
    /** What the request's address names, if it is of our modules. */
    private final Optional<Place> addressed;

    private PatchBody(EffectiveModelContext model, JSONCodecFactory codecs, String path) {
        this.model = model;
        this.codecs = codecs;
        this.path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        addressed = Target.of(model, "PATCH", path).filter(target -> !target.isRoot()).map(Target::addressed);
    }

    /**
     * What is wrong with the first edit that cannot be taken; empty if there is none.
     *
     * @param path of the request below that of RESTCONF
     */
    static Optional<Fault> fault(EffectiveModelContext model, JSONCodecFactory codecs, String path, byte[] body) {
        PatchBody patch = new PatchBody(model, codecs, path);
        try (JsonReader json = new JsonReader(JsonBody.text(body))) {
            return patch.edits(json);
        } catch (IOException | JsonParseException e) {
            // RESTCONF would read as far as it gets, and may fail over a value before
            return patch.malformed("this is no JSON: " + e.getMessage());
        } catch (IllegalStateException e) {
            return patch.malformed("an edit is an object, and edit a list of them");
        }
    }

    private Optional<Fault> edits(JsonReader json) throws IOException {
        Optional<Fault> fault = Optional.empty();
        while (fault.isEmpty() && json.hasNext()) {
            switch (json.peek()) {
                case BEGIN_OBJECT -> json.beginObject();
                case BEGIN_ARRAY -> json.beginArray();
                case NAME -> {
                    if (json.nextName().equals("edit")) {
                        fault = listed(json);
                    }
                }
                default -> json.skipValue();
            }
        }
        return fault;
    }

    private Optional<Fault> listed(JsonReader json) throws IOException {
        if (json.peek() != JsonToken.BEGIN_ARRAY) {
            return edit(json);
        }
        json.beginArray();
        while (json.hasNext()) {
            Optional<Fault> fault = edit(json);
            if (fault.isPresent()) {
                return fault;
            }
        }
        json.endArray();
        return Optional.empty();
    }

    private Optional<Fault> edit(JsonReader json) throws IOException {
        Optional<String> target = Optional.empty();
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            if (name.equals("target") && json.peek() == JsonToken.STRING) {
                target = Optional.of(json.nextString());
            } else if (name.equals("value")) {
                if (target.isEmpty()) {
                    return malformed("an edit has no target before its value: write the target first");
                }
                Optional<Fault> fault = value(target.get(), JsonParser.parseReader(json));
                if (fault.isPresent()) {
                    return fault;
                }
            } else {
                json.skipValue();
            }
        }
        json.endObject();
        return Optional.empty();
    }

    private Optional<Fault> value(String target, JsonElement value) {
        String relative = target.startsWith("/") ? target.substring(1) : target;
        return Target.of(model, "PUT", relative.isEmpty() ? path : path + "/" + relative)
            .flatMap(edited -> JsonBody.fault(edited, codecs, value.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Where the patch is not for one of our modules, that is RESTCONF's to say. */
    private Optional<Fault> malformed(String message) {
        return addressed.map(place -> Fault.protocol(ErrorTag.MALFORMED_MESSAGE, place, message));
    }
}
