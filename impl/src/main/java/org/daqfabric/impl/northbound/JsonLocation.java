package org.daqfabric.impl.northbound;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;

/** The place of a node in a JSON document as the instance path that users of RESTCONF know, with keys for indexes. */
final class JsonLocation {
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\[([0-9]+)]");

    private JsonLocation() {
    }

    /**
     * The instance path of a node.
     *
     * @param jsonPath where it is in an object of one container, such as {@code $.m:fabrics.fabric[0].name}
     * @param name the container's, as {@code module:name}
     * @param container its JSON
     */
    static String instancePath(String jsonPath, ContainerSchemaNode root, String name, JsonElement container) {
        StringBuilder path = new StringBuilder();
        JsonElement value = null;
        DataSchemaNode schema = null;
        Matcher steps = STEP.matcher(jsonPath);
        while (steps.find()) {
            String child = steps.group(1);
            if (child == null) {
                value = entry(value, Integer.parseInt(steps.group(2)));
                path.append(keys(value, schema, steps.group(2)));
            } else if (path.isEmpty()) {
                path.append('/').append(name);
                value = container;
                schema = root;
            } else {
                path.append('/').append(child);
                value = value instanceof JsonObject object ? object.get(child) : null;
                schema = child(schema, child);
            }
        }
        return path.isEmpty() ? "/" + name : path.toString();
    }

    private static @Nullable JsonElement entry(@Nullable JsonElement list, int index) {
        return list instanceof JsonArray array && index < array.size() ? array.get(index) : null;
    }

    private static @Nullable DataSchemaNode child(@Nullable DataSchemaNode parent, String name) {
        return parent instanceof DataNodeContainer container ? container.getChildNodes().stream()
            .filter(each -> each.getQName().getLocalName().equals(name)).findFirst().orElse(null) : null;
    }

    /** The keys of a list entry; its position, from 1, where they are not known. */
    private static String keys(@Nullable JsonElement entry, @Nullable DataSchemaNode schema, String index) {
        List<String> keys = schema instanceof ListSchemaNode list
            ? list.getKeyDefinition().stream().map(QName::getLocalName).toList() : List.of();
        return entry instanceof JsonObject object && !keys.isEmpty()
            && keys.stream().allMatch(key -> object.get(key) instanceof JsonPrimitive)
            ? keys.stream().map(key -> "[" + key + "='" + object.get(key).getAsString() + "']")
                .collect(Collectors.joining())
            : "[" + (Integer.parseInt(index) + 1) + "]";
    }
}
