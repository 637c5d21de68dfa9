package org.daqfabric.impl.northbound.views;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** A fabric as a network of RFC 8345, whose nodes and termination points have the names of switches and ports. */
final class NetworksDocument {
    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private NetworksDocument() {
    }

    static String of(ShownFabric view) {
        Map<String, String> ports = new HashMap<>();
        JsonArray nodes = new JsonArray();
        view.switches().values().forEach(node -> {
            JsonArray points = new JsonArray();
            node.ports().forEach(port -> {
                ports.put(port.id(), port.name());
                points.add(leaf("tp-id", port.name()));
            });
            JsonObject entry = leaf("node-id", node.name());
            if (!points.isEmpty()) {
                entry.add("ietf-network-topology:termination-point", points);
            }
            nodes.add(entry);
        });
        JsonArray links = new JsonArray();
        view.cables().values().forEach(cable -> links.add(link(view, cable, ports)));
        JsonObject network = leaf("network-id", view.id());
        network.add("network-types", new JsonObject());
        if (!nodes.isEmpty()) {
            network.add("node", nodes);
        }
        if (!links.isEmpty()) {
            network.add("ietf-network-topology:link", links);
        }
        JsonArray list = new JsonArray();
        list.add(network);
        JsonObject networks = new JsonObject();
        networks.add("network", list);
        JsonObject document = new JsonObject();
        document.add("ietf-network:networks", networks);
        return GSON.toJson(document);
    }

    private static JsonObject link(ShownFabric view, Cable cable, Map<String, String> ports) {
        String from = view.switches().get(cable.fromNode()).name();
        JsonObject link = leaf("link-id", from + ":" + ports.get(cable.from()));
        link.add("source", end("source", from, ports.get(cable.from())));
        link.add("destination", end("dest", view.switches().get(cable.toNode()).name(), ports.get(cable.to())));
        return link;
    }

    private static JsonObject end(String kind, String node, String port) {
        JsonObject end = leaf(kind + "-node", node);
        end.addProperty(kind + "-tp", port);
        return end;
    }

    private static JsonObject leaf(String name, String value) {
        JsonObject object = new JsonObject();
        object.addProperty(name, value);
        return object;
    }
}
