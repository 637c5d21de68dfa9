package org.daqfabric.impl.audit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.Optional;
import java.util.Set;

/** What is kept of a request for users and roles: whom and what it is about, and that there was a password. */
final class AccountBody {
    private static final Set<String> SHOWN = Set.of("name", "domainid", "userid", "roleid", "enabled");
    private static final Set<String> HIDDEN = Set.of("password", "salt");

    private AccountBody() {
    }

    /** Empty if it is not clear what is a password in it. */
    static Optional<String> shown(String body) {
        JsonObject shown = new JsonObject();
        try {
            if (!(JsonParser.parseString(body) instanceof JsonObject all)) {
                return Optional.empty();
            }
            all.entrySet().forEach(each -> {
                if (SHOWN.contains(each.getKey())) {
                    shown.add(each.getKey(), each.getValue());
                } else if (HIDDEN.contains(each.getKey())) {
                    shown.addProperty(each.getKey(), "(not shown)");
                }
            });
        } catch (JsonParseException e) {
            return Optional.empty();
        }
        return Optional.of(shown.toString()).filter(text -> shown.asMap().values().stream()
            .allMatch(JsonElement::isJsonPrimitive));
    }
}
