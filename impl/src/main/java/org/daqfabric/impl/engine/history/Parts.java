package org.daqfabric.impl.engine.history;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.history.Part.Kind;

/** All parts of a configuration, each with its properties by the names they have in YANG. */
final class Parts {
    static final String ADMIN_STATE = "admin-state";
    static final String RACK = "rack";

    private final SortedMap<Part, Map<String, String>> parts = new TreeMap<>();

    private final SortedMap<Address, DaqringOptions> ringsOfDcms;

    private Parts(SortedMap<Address, DaqringOptions> ringsOfDcms) {
        this.ringsOfDcms = ringsOfDcms;
    }

    static SortedMap<Part, Map<String, String>> of(FabricSpec spec) {
        Parts parts = new Parts(spec.policy().daqring().ofDcms());
        parts.policy(spec.policy());
        spec.planes().forEach(parts::plane);
        spec.pods().forEach(parts::pod);
        spec.switches().forEach(parts::add);
        spec.links().forEach(parts::add);
        spec.flows().forEach(parts::add);
        return parts.parts;
    }

    private Map<String, String> add(Part part) {
        return parts.computeIfAbsent(part, none -> new LinkedHashMap<>());
    }

    private void policy(Policy policy) {
        Map<String, String> properties = add(Part.named(Kind.POLICY, ""));
        policy.mtu().ifPresent(mtu -> properties.put("mtu", String.valueOf(mtu)));
        properties.put("rules", text(policy.rules()));
        properties.put("placement algorithm", text(policy.placement().algorithm()));
        properties.put("placement return", text(policy.placement().onReturn()));
        properties.put("placement granularity", text(policy.placement().granularity()));
        properties.put("daqring on", text(policy.daqring().on()));
        properties.put("daqring backend", text(policy.daqring().backend()));
        options(properties, policy.daqring().options());
        properties.put("fast-failover", String.valueOf(policy.protection().fastFailover()));
        properties.put("bfd", String.valueOf(policy.protection().bfd()));
        properties.put("bfd-interval", String.valueOf(policy.protection().bfdInterval()));
    }

    private static void options(Map<String, String> properties, DaqringOptions options) {
        properties.put("daqring ring-size", String.valueOf(options.ringSize()));
        properties.put("daqring max-burst", String.valueOf(options.maxBurst()));
        properties.put("daqring polling-interval", String.valueOf(options.pollingInterval()));
        options.credit().ifPresent(credit -> properties.put("daqring credit", String.valueOf(credit)));
        options.ecnThreshold().ifPresent(packets -> properties.put("daqring ecn-threshold", String.valueOf(packets)));
    }

    private void plane(Plane plane) {
        add(Part.numbered(Kind.PLANE, plane.id(), 0));
        plane.spines().forEach(spine ->
            add(Part.numbered(Kind.SPINE, spine.id(), plane.id())).put("switch", spine.switchName()));
        plane.leaves().forEach(leaf ->
            add(Part.numbered(Kind.LEAF, leaf.pod(), plane.id())).put("switch", leaf.switchName()));
    }

    private void pod(Pod pod) {
        add(Part.numbered(Kind.POD, pod.id(), 0));
        pod.ros().forEach(ros -> add(pod, ros));
        pod.racks().forEach(rack -> add(pod, rack));
        pod.hosts().forEach(host -> add(pod, host));
    }

    private void add(Pod pod, Host host) {
        Map<String, String> properties = add(Part.named(Kind.HOST, host.name()));
        properties.put("pod", String.valueOf(pod.id()));
        properties.put("address", host.address().toString());
        properties.put("switch", host.switchName());
        properties.put("port", host.port());
        host.mac().ifPresent(mac -> properties.put("mac", mac.toString()));
    }

    private void add(Flow flow) {
        Map<String, String> properties = add(Part.named(Kind.FLOW, flow.name()));
        properties.put("from", flow.from());
        properties.put("to", flow.to());
        properties.put("kind", text(flow.kind()));
        properties.put(flow.rate() > 0 ? "rate" : "share", text(flow.rate() > 0 ? flow.rate() : flow.share()));
    }

    private void add(Pod pod, Ros ros) {
        Map<String, String> properties = add(Part.named(Kind.ROS, ros.name()));
        properties.put("pod", String.valueOf(pod.id()));
        properties.put("address", ros.address().toString());
        properties.put("switch", ros.switchName());
        properties.put("fragment-weight", text(ros.fragmentWeight()));
    }

    private void add(Pod pod, HltRack rack) {
        Map<String, String> properties = add(Part.named(Kind.RACK, rack.name()));
        properties.put("pod", String.valueOf(pod.id()));
        properties.put("switch", rack.switchName());
        rack.dcms().forEach(dcm -> add(rack, dcm));
    }

    private void add(HltRack rack, Dcm dcm) {
        Map<String, String> properties = add(Part.named(Kind.DCM, dcm.name()));
        properties.put(RACK, rack.name());
        properties.put("address", dcm.address().toString());
        properties.put("weight", text(dcm.weight()));
        properties.put("port", dcm.port());
        dcm.mac().ifPresent(mac -> properties.put("mac", mac.toString()));
        DaqringOptions own = ringsOfDcms.get(dcm.address());
        if (own != null) {
            options(properties, own);
        }
    }

    private void add(Switch each) {
        Map<String, String> properties = add(Part.named(Kind.SWITCH, each.name()));
        properties.put("system-id", each.systemId());
        each.certificateName().ifPresent(certified -> properties.put("certificate-name", certified));
        each.ovsdbAddress().ifPresent(address ->
            properties.put("ovsdb-address", address.host() + ", port " + address.port()));
        properties.put("bridge", each.bridge());
        properties.put("datapath-type", text(each.datapathType()));
        each.dpdk().socketMem().ifPresent(value -> properties.put("dpdk socket-mem", value));
        each.dpdk().pmdCpus().ifPresent(value -> properties.put("dpdk pmd-cpus", value));
        each.dpdk().lcoreCpus().ifPresent(value -> properties.put("dpdk lcore-cpus", value));
        each.dpdk().extra().ifPresent(value -> properties.put("dpdk extra", value));
        each.ports().forEach((port, settings) -> properties.put("port " + port, text(settings)));
        properties.put(ADMIN_STATE, text(each.adminState()));
    }

    private void add(Link link) {
        Map<String, String> properties = add(Part.named(Kind.LINK, link.end().toString()));
        properties.put("peer", link.peer().toString());
        properties.put("capacity", text(link.capacity()));
        properties.put(ADMIN_STATE, text(link.adminState()));
    }

    private static String text(PortSettings settings) {
        StringJoiner text = new StringJoiner(", ");
        text.add(text(settings.kind()));
        settings.devices().forEach(text::add);
        settings.bond().ifPresent(bond -> text.add("mode " + text(bond.mode())));
        settings.xdpMode().ifPresent(mode -> text.add("xdp-mode " + text(mode)));
        settings.rxQueues().ifPresent(count -> text.add("n-rxq " + count));
        settings.rxDescriptors().ifPresent(count -> text.add("n-rxq-desc " + count));
        settings.txDescriptors().ifPresent(count -> text.add("n-txq-desc " + count));
        return text.toString();
    }

    static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
