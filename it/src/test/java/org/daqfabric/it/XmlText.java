package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Random;

/** JSON of a YANG model as XML. What has no name in XML makes it XML that cannot be read. */
final class XmlText {
    private static final List<String> BREAKS = List.of("<", ">", "&", "]]>", "<!--", "-->", "<![CDATA[", "<?x y?>",
        "\u0000", "&x;", "&#0;", "&#x110000;", "</input>", "<a", " xmlns:a=''", "\"", "\ufeff", "\ud800");

    private XmlText() {
    }

    static String of(final String namespace, final JsonObject body) {
        final var text = new StringBuilder();
        body.asMap().forEach((name, value) -> element(name, " xmlns=\"" + namespace + "\"", value, text));
        return text.toString();
    }

    private static void element(final String name, final String attributes, final JsonElement value,
            final StringBuilder text) {
        if (value instanceof JsonArray array && !(array.size() == 1 && array.get(0) instanceof JsonNull)) {
            array.forEach(each -> element(name, attributes, each, text));
            return;
        }
        text.append('<').append(name).append(attributes).append('>');
        if (value instanceof JsonObject object) {
            object.asMap().forEach((key, child) -> element(key, "", child, text));
        } else if (value.isJsonPrimitive()) {
            text.append(value.getAsString().replace("&", "&amp;").replace("<", "&lt;"));
        }
        text.append("</").append(name).append('>');
    }

    /** The text with something in it that is no XML, or that no XML of ours has. */
    static String damaged(final String namespace, final JsonObject body, final Random random) {
        final var text = of(namespace, body);
        if (text.isEmpty()) {
            return text;
        }
        final int at = random.nextInt(text.length());
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(at);
            case 2 -> text.substring(0, at) + BREAKS.get(random.nextInt(BREAKS.size())) + text.substring(at);
            case 3 -> text.substring(0, at) + text.substring(at + 1);
            default -> {
                final var others = others(namespace, text);
                yield others.get(random.nextInt(others.size()));
            }
        };
    }

    private static List<String> others(final String namespace, final String text) {
        final var laughs = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 \"ha\">");
        for (int index = 1; index < 30; index++) {
            laughs.append("<!ENTITY a").append(index).append(" \"").append(("&a" + (index - 1) + ";").repeat(10))
                .append("\">");
        }
        final var input = "<input xmlns=\"" + namespace + "\">";
        return List.of("", " ", "<", "<input/>", input, "<input xmlns=\"urn:nobody\"/>", "<input xmlns=\"\"/>",
            "{\"input\":{}}", text + text, text + "x", "<a>".repeat(5_000),
            "<a>".repeat(2_000) + "</a>".repeat(2_000), "\ufeff" + text, "<?xml version=\"1.1\"?>" + text,
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + text,
            "<?xml version=\"1.0\" encoding=\"nobody\"?>" + text, laughs + "]>" + input + "&a29;</input>",
            "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/hostname\">]>" + input + "<fabric>&a;</fabric></input>",
            "<!DOCTYPE x SYSTEM \"http://127.0.0.1:1/x\">" + text, "<!-- x -->" + text, "<?x y?>" + text,
            input + "<nobody/></input>", input + "text</input>",
            input + "<fabric xmlns=\"urn:nobody\">x</fabric></input>",
            input + "<fabric><![CDATA[x]]></fabric><fabric>y</fabric></input>",
            input + "<fabric a=\"b\" nc:operation=\"delete\" xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\">"
                + "x</fabric></input>");
    }
}
