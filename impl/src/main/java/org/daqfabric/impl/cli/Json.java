package org.daqfabric.impl.cli;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonSerializer;
import java.util.Optional;

/** Views as JSON: record components named in the style of YANG; an empty Optional is left out. */
final class Json {
    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping()
        .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_DASHES)
        .registerTypeAdapter(Optional.class, (JsonSerializer<Optional<?>>) (value, type, context) ->
            value.isPresent() ? context.serialize(value.get()) : JsonNull.INSTANCE)
        .create();

    private Json() {
    }

    static String of(View view) {
        return GSON.toJson(view);
    }
}
