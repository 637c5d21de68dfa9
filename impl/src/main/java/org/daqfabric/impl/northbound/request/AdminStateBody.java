package org.daqfabric.impl.northbound.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.Set;

/** A body that drains switches and links, or takes them back into use, and does nothing else. */
final class AdminStateBody {
    private static final String STATE = "admin-state";
    /** What names a fabric, a switch or a link. */
    private static final Set<String> NAMES = Set.of("name", "switch", "port");

    private boolean hasState;

    private AdminStateBody() {
    }

    /** Whether a body in JSON is one. */
    static boolean is(byte[] body) {
        try {
            AdminStateBody found = new AdminStateBody();
            return found.isPart(JsonParser.parseReader(JsonBody.text(body))) && found.hasState;
        } catch (JsonParseException e) {
            return false;
        }
    }

    private boolean isPart(JsonElement node) {
        if (node instanceof JsonArray array) {
            for (JsonElement each : array) {
                if (!isPart(each)) {
                    return false;
                }
            }
            return true;
        }
        if (!(node instanceof JsonObject object)) {
            return false;
        }
        for (var each : object.entrySet()) {
            String name = each.getKey().substring(each.getKey().indexOf(':') + 1);
            boolean isLeaf = each.getValue() instanceof JsonPrimitive;
            hasState |= isLeaf && name.equals(STATE);
            if (isLeaf ? !name.equals(STATE) && !NAMES.contains(name) : !isPart(each.getValue())) {
                return false;
            }
        }
        return true;
    }
}
