package org.daqfabric.impl.northbound.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;

/** A body in JSON (RFC 7951). */
final class JsonBody {
    /** A step of a path as readers of JSON tell it. */
    static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\[([0-9]+)]");

    private JsonBody() {
    }

    /** What is wrong with the body; empty if nothing is. */
    @SuppressWarnings("checkstyle:illegalCatch") // the parser fails in any way
    static Optional<Fault> fault(Target target, JSONCodecFactory codecs, byte[] body) {
        JsonReader json = new JsonReader(text(body));
        NormalizationResultHolder holder = new NormalizationResultHolder();
        try (NormalizedNodeStreamWriter writer = ImmutableNormalizedNodeStreamWriter.from(holder)) {
            JsonParserStream.create(writer, codecs, target.parent().toInference()).parse(json);
        } catch (IOException | RuntimeException e) {
            return Optional.of(explained(target, json.getPreviousPath(), body, e));
        }
        return Content.fault(target, holder.result());
    }

    /** Whether the body begins with a node of one of our modules, named by its module. */
    static boolean isOurs(Target target, byte[] body) {
        try (JsonReader json = new JsonReader(text(body))) {
            json.beginObject();
            return json.hasNext() && Schemas.child(target.model(), target.model(), json.nextName())
                .filter(node -> Schemas.isOurs(node.getQName().getNamespace())).isPresent();
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }

    /** Whether the body has no node at all, of whatever module. */
    static boolean isNothing(byte[] body) {
        try (JsonReader json = new JsonReader(text(body))) {
            if (json.peek() != JsonToken.BEGIN_OBJECT) {
                return true;
            }
            json.beginObject();
            return !json.hasNext();
        } catch (EOFException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static Reader text(byte[] body) {
        return new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8);
    }

    private static Fault explained(Target target, String path, byte[] body, Exception failure) {
        JsonElement value = tree(body);
        if (value == null) {
            return Unreadable.at(target, List.of(), Optional.empty(), failure);
        }
        List<Place.Step> steps = new ArrayList<>();
        Matcher parts = STEP.matcher(path);
        while (parts.find()) {
            String name = parts.group(1);
            if (name != null) {
                value = value instanceof JsonObject object ? object.get(name) : null;
                steps.add(new Place.Step(name, 0, leaves(value)));
            } else if (!steps.isEmpty()) {
                int index = Integer.parseInt(parts.group(2));
                value = value instanceof JsonArray array && index < array.size() ? array.get(index) : null;
                steps.add(new Place.Step(steps.remove(steps.size() - 1).name(), index + 1, leaves(value)));
            }
        }
        return Unreadable.at(target, steps, value instanceof JsonPrimitive text ? Optional.of(text.getAsString())
            : Optional.empty(), failure);
    }

    /** Null if it is no JSON. */
    private static JsonElement tree(byte[] body) {
        try {
            return JsonParser.parseReader(text(body));
        } catch (JsonParseException e) {
            return null;
        }
    }

    private static Map<String, String> leaves(JsonElement entry) {
        Map<String, String> leaves = new HashMap<>();
        if (entry instanceof JsonObject object) {
            object.asMap().forEach((name, value) -> {
                if (value instanceof JsonPrimitive text) {
                    leaves.put(name.substring(name.indexOf(':') + 1), text.getAsString());
                }
            });
        }
        return leaves;
    }
}
