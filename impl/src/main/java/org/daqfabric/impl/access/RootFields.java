package org.daqfabric.impl.access;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a request for the whole datastore asks for of it, by RESTCONF's parameter {@code fields}, as the page does. */
final class RootFields {
    private static final String PARAMETER = "fields";

    private RootFields() {
    }

    /**
     * The names of the topmost nodes.
     *
     * @param query as sent, null if there is none
     * @return empty if it asks for everything, or if it is not clear for what
     */
    static List<String> of(String query) {
        String fields = null;
        try {
            for (String each : query == null ? new String[0] : query.split("&")) {
                String[] words = each.split("=", 2);
                if (decoded(words[0]).equals(PARAMETER)) {
                    if (fields != null || words.length < 2) {
                        return List.of();
                    }
                    fields = decoded(words[1]);
                }
            }
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        return fields == null ? List.of() : topmost(fields);
    }

    private static List<String> topmost(String fields) {
        List<String> names = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int index = 0; index <= fields.length(); index++) {
            char next = index == fields.length() ? ';' : fields.charAt(index);
            if (next == '(') {
                depth++;
            } else if (next == ')') {
                depth--;
            } else if (next == ';' && depth == 0) {
                names.add(fields.substring(begin, index).replaceFirst("[(/].*", ""));
                begin = index + 1;
            }
            // nothing but the next one comes after the parts of a node
            boolean ends = next != ')' || depth > 0 || index + 1 == fields.length() || fields.charAt(index + 1) == ';';
            if (depth < 0 || !ends) {
                return List.of();
            }
        }
        return depth == 0 ? names : List.of();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
