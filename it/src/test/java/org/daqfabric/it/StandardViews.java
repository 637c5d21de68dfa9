package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A fabric as OpenDaylight's own models show it over RESTCONF. */
record StandardViews(Restconf restconf, String fabric) {
    /** A port of a switch in the inventory. */
    record Port(String name, boolean live, Map<String, Long> counters) {
    }

    /** The switches in the inventory, by id; none if there is no inventory. */
    static SortedMap<String, JsonObject> nodes(final Restconf restconf) {
        return byKey(restconf.get("data/opendaylight-inventory:nodes?content=nonconfig"),
            "opendaylight-inventory:nodes", "node", "id");
    }

    /** All topologies, by id. */
    static SortedMap<String, JsonObject> topologies(final Restconf restconf) {
        return byKey(restconf.get("data/network-topology:network-topology?content=nonconfig"),
            "network-topology:network-topology", "topology", "topology-id");
    }

    private static SortedMap<String, JsonObject> byKey(final Restconf.Answer answer, final String container,
            final String list, final String key) {
        final var all = new TreeMap<String, JsonObject>();
        if (answer.status() == 200) {
            FabricFile.entries(answer.json().getAsJsonObject(container), list)
                .forEach(entry -> all.put(entry.get(key).getAsString(), entry));
        }
        return all;
    }

    /** The ids of switches by name, as the state of the fabric tells. */
    static SortedMap<String, String> ids(final FabricState state) {
        final var ids = new TreeMap<String, String>();
        FabricFile.entries(state.json(), "switch").forEach(each -> ids.put(each.get("name").getAsString(),
            "openflow:" + Long.toUnsignedString(Long.parseUnsignedLong(each.get("datapath-id").getAsString(), 16))));
        return ids;
    }

    /** The topology; absent fabrics have none. */
    JsonObject topology() {
        final var answer = restconf.get("data/network-topology:network-topology/topology=daqfabric%3A" + fabric
            + "?content=nonconfig");
        return answer.status() == 200
            ? answer.json().getAsJsonArray("network-topology:topology").get(0).getAsJsonObject() : new JsonObject();
    }

    /** The links, each as the ports it leads from and to. */
    Set<String> links() {
        final var links = new TreeSet<String>();
        FabricFile.entries(topology(), "link").forEach(link -> links.add(
            link.getAsJsonObject("source").get("source-tp").getAsString() + " "
                + link.getAsJsonObject("destination").get("dest-tp").getAsString()));
        return links;
    }

    /** The ports of a switch in the inventory, by their numbers. */
    SortedMap<String, Port> ports(final String id) {
        final var ports = new TreeMap<String, Port>();
        FabricFile.entries(node(id), "node-connector").forEach(port -> {
            assertThat(port.get("id").getAsString())
                .isEqualTo(id + ":" + port.get("flow-node-inventory:port-number").getAsString());
            final var counters = new TreeMap<String, Long>();
            final var all = port.getAsJsonObject(
                "opendaylight-port-statistics:flow-capable-node-connector-statistics");
            if (all != null) {
                all.getAsJsonObject("packets").asMap()
                    .forEach((name, value) -> counters.put(name + " packets", value.getAsLong()));
                all.getAsJsonObject("bytes").asMap()
                    .forEach((name, value) -> counters.put(name + " bytes", value.getAsLong()));
            }
            final var state = port.getAsJsonObject("flow-node-inventory:state");
            ports.put(port.get("flow-node-inventory:port-number").getAsString(), new Port(
                port.get("flow-node-inventory:name").getAsString(), state == null || state.get("live").getAsBoolean(),
                counters));
        });
        return ports;
    }

    /** When the counters of a switch were read. */
    Instant read(final String id) {
        final var status = node(id).getAsJsonObject("flow-node-inventory:snapshot-gathering-status-end");
        return status == null ? Instant.EPOCH : Instant.parse(status.get("end").getAsString());
    }

    private JsonObject node(final String id) {
        final var answer = restconf.get("data/opendaylight-inventory:nodes/node=" + id.replace(":", "%3A")
            + "?content=nonconfig");
        return answer.status() == 200
            ? answer.json().getAsJsonArray("opendaylight-inventory:node").get(0).getAsJsonObject() : new JsonObject();
    }

    /** The answer of an rpc about the fabric. */
    JsonObject ask(final String rpc, final Map<String, String> input) {
        final var leaves = new JsonObject();
        leaves.addProperty("fabric", fabric);
        input.forEach(leaves::addProperty);
        final var body = new JsonObject();
        body.add("input", leaves);
        return restconf.post("operations/daqfabric-operations:" + rpc, body.toString()).orFail().json()
            .getAsJsonObject("daqfabric-operations:output");
    }

    /** Nodes of a topology and how many termination points they have. */
    static SortedMap<String, Integer> points(final JsonObject topology) {
        final var points = new TreeMap<String, Integer>();
        FabricFile.entries(topology, "node").forEach(node -> points.put(node.get("node-id").getAsString(),
            node.has("termination-point") ? node.getAsJsonArray("termination-point").size() : 0));
        return points;
    }
}
