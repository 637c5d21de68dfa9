package org.daqfabric.impl.northbound;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Switch;

/**
 * A fabric as the controller knows it, in the JSON of {@code daqfabric.yang} (RFC 7951), with every default written
 * out: {@link FabricReader} reads the same from it.
 */
final class SpecJson {
    private final FabricSpec spec;
    private final Map<String, Map<String, PortSettings>> ports = new HashMap<>();

    private SpecJson(FabricSpec spec) {
        this.spec = spec;
        spec.switches().forEach(each -> ports.put(each.name(), each.ports()));
    }

    /** The container {@code fabrics} with this fabric alone. */
    static JsonObject of(FabricSpec spec) {
        JsonArray list = new JsonArray();
        list.add(new SpecJson(spec).fabric());
        JsonObject fabrics = new JsonObject();
        fabrics.add("fabric", list);
        JsonObject root = new JsonObject();
        root.add("daqfabric:fabrics", fabrics);
        return root;
    }

    private JsonObject fabric() {
        JsonObject fabric = new JsonObject();
        fabric.addProperty("name", spec.name());
        number(fabric, "mtu", spec.policy().mtu());
        fabric.add("plane", list(spec.planes(), SpecJson::plane));
        fabric.add("pod", list(spec.pods(), this::pod));
        fabric.add("switch", list(spec.switches(), SpecJson::sw));
        fabric.add("link", list(spec.links(), this::link));
        // not without them, so that a version that does not know them reads the rest
        if (!spec.flows().isEmpty()) {
            fabric.add("flow", list(spec.flows(), SpecJson::flow));
        }
        fabric.add("policy", policy(spec.policy()));
        return fabric;
    }

    private static void plane(Plane plane, JsonObject tree) {
        tree.addProperty("id", plane.id());
        tree.add("spine", list(plane.spines(), (spine, entry) -> {
            entry.addProperty("id", spine.id());
            entry.addProperty("switch", spine.switchName());
        }));
        tree.add("leaf", list(plane.leaves(), (leaf, entry) -> {
            entry.addProperty("pod", leaf.pod());
            entry.addProperty("switch", leaf.switchName());
        }));
    }

    private void pod(Pod pod, JsonObject tree) {
        tree.addProperty("id", pod.id());
        tree.add("ros", list(pod.ros(), (ros, entry) -> {
            entry.addProperty("name", ros.name());
            entry.addProperty("address", ros.address().toString());
            entry.addProperty("switch", ros.switchName());
            entry.add("fragment-weight", decimal(ros.fragmentWeight()));
        }));
        tree.add("hlt-rack", list(pod.racks(), (rack, entry) -> {
            entry.addProperty("name", rack.name());
            entry.addProperty("switch", rack.switchName());
            entry.add("dcm", list(rack.dcms(), (dcm, one) -> dcm(rack, dcm, one)));
        }));
        if (!pod.hosts().isEmpty()) {
            tree.add("host", list(pod.hosts(), SpecJson::host));
        }
    }

    private static void host(Host host, JsonObject tree) {
        tree.addProperty("name", host.name());
        tree.addProperty("address", host.address().toString());
        tree.addProperty("switch", host.switchName());
        tree.addProperty("port", host.port());
        host.mac().ifPresent(mac -> tree.addProperty("mac", mac.toString()));
    }

    private static void flow(Flow flow, JsonObject tree) {
        tree.addProperty("name", flow.name());
        tree.addProperty("from", flow.from());
        tree.addProperty("to", flow.to());
        tree.addProperty("kind", Enums.yang(flow.kind()));
        boolean byRate = flow.rate() > 0;
        tree.add(byRate ? "rate" : "share", decimal(byRate ? flow.rate() : flow.share()));
    }

    private void dcm(HltRack rack, Dcm dcm, JsonObject tree) {
        tree.addProperty("name", dcm.name());
        tree.addProperty("address", dcm.address().toString());
        tree.add("weight", decimal(dcm.weight()));
        tree.addProperty("port", dcm.port());
        dcm.mac().ifPresent(mac -> tree.addProperty("mac", mac.toString()));
        settings(tree, "port-settings", new PortId(rack.switchName(), dcm.port()));
        DaqringOptions own = spec.policy().daqring().ofDcms().get(dcm.address());
        if (own != null) {
            tree.add("daqring", options(own));
        }
    }

    private static void sw(Switch sw, JsonObject tree) {
        tree.addProperty("name", sw.name());
        tree.addProperty("system-id", sw.systemId());
        text(tree, "certificate-name", sw.certificateName());
        sw.ovsdbAddress().ifPresent(address -> {
            tree.addProperty("ovsdb-address", address.host());
            tree.addProperty("ovsdb-port", address.port());
        });
        tree.addProperty("bridge", sw.bridge());
        tree.addProperty("datapath-type", Enums.yang(sw.datapathType()));
        tree.addProperty("admin-state", Enums.yang(sw.adminState()));
        DpdkSettings dpdk = sw.dpdk();
        if (!dpdk.equals(DpdkSettings.NONE)) {
            JsonObject container = new JsonObject();
            text(container, "socket-mem", dpdk.socketMem());
            text(container, "pmd-cpus", dpdk.pmdCpus());
            text(container, "lcore-cpus", dpdk.lcoreCpus());
            text(container, "extra", dpdk.extra());
            tree.add("dpdk", container);
        }
    }

    private void link(Link link, JsonObject tree) {
        tree.addProperty("switch", link.end().switchName());
        tree.addProperty("port", link.end().port());
        tree.addProperty("peer-switch", link.peer().switchName());
        tree.addProperty("peer-port", link.peer().port());
        tree.add("capacity", decimal(link.capacity()));
        tree.addProperty("admin-state", Enums.yang(link.adminState()));
        settings(tree, "port-settings", link.end());
        settings(tree, "peer-port-settings", link.peer());
    }

    private void settings(JsonObject parent, String name, PortId port) {
        PortSettings settings = ports.getOrDefault(port.switchName(), Map.of())
            .getOrDefault(port.port(), PortSettings.SYSTEM);
        if (settings.equals(PortSettings.SYSTEM)) {
            return;
        }
        JsonObject tree = new JsonObject();
        tree.addProperty("kind", Enums.yang(settings.kind()));
        text(tree, "devargs", settings.devargs());
        settings.bond().ifPresent(bond -> {
            JsonArray members = new JsonArray();
            bond.members().forEach(members::add);
            JsonObject container = new JsonObject();
            container.addProperty("mode", Enums.yang(bond.mode()));
            container.add("member", members);
            tree.add("bond", container);
        });
        settings.xdpMode().ifPresent(mode -> tree.addProperty("xdp-mode", Enums.yang(mode)));
        number(tree, "n-rxq", settings.rxQueues());
        number(tree, "n-rxq-desc", settings.rxDescriptors());
        number(tree, "n-txq-desc", settings.txDescriptors());
        parent.add(name, tree);
    }

    private static JsonObject policy(Policy policy) {
        JsonObject placement = new JsonObject();
        placement.addProperty("algorithm", Enums.yang(policy.placement().algorithm()));
        placement.addProperty("return", Enums.yang(policy.placement().onReturn()));
        if (policy.placement().granularity() != Policy.Granularity.DCM) {
            // absent where versions that do not know it could not read it
            placement.addProperty("granularity", Enums.yang(policy.placement().granularity()));
        }
        JsonObject daqring = options(policy.daqring().options());
        daqring.addProperty("on", Enums.yang(policy.daqring().on()));
        daqring.addProperty("backend", Enums.yang(policy.daqring().backend()));
        JsonObject protection = new JsonObject();
        protection.addProperty("fast-failover", policy.protection().fastFailover());
        protection.addProperty("bfd", policy.protection().bfd());
        protection.addProperty("bfd-interval", policy.protection().bfdInterval());
        JsonObject tree = new JsonObject();
        tree.addProperty("rules", Enums.yang(policy.rules()));
        tree.add("placement", placement);
        tree.add("daqring", daqring);
        tree.add("protection", protection);
        return tree;
    }

    private static JsonObject options(DaqringOptions options) {
        JsonObject tree = new JsonObject();
        tree.addProperty("ring-size", options.ringSize());
        tree.addProperty("max-burst", options.maxBurst());
        tree.addProperty("polling-interval", options.pollingInterval());
        number(tree, "credit", options.credit());
        number(tree, "ecn-threshold", options.ecnThreshold());
        return tree;
    }

    private static <T> JsonArray list(Collection<T> all, BiConsumer<T, JsonObject> entry) {
        JsonArray list = new JsonArray();
        all.forEach(each -> {
            JsonObject tree = new JsonObject();
            entry.accept(each, tree);
            list.add(tree);
        });
        return list;
    }

    private static void text(JsonObject tree, String name, Optional<String> value) {
        value.ifPresent(text -> tree.addProperty(name, text));
    }

    private static void number(JsonObject tree, String name, OptionalInt value) {
        value.ifPresent(number -> tree.addProperty(name, number));
    }

    /** A decimal64, which JSON has as a string (RFC 7951, section 6.1). */
    private static JsonElement decimal(double value) {
        return new JsonPrimitive(BigDecimal.valueOf(value).toPlainString());
    }
}
