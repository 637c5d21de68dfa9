package org.daqfabric.impl.northbound;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.Decision;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.HostAddress;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.DecisionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.BundleBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Identity;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.IdentityBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Route;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.RouteBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.bundle.LaneBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decisions as nodes of {@code daqfabric-store.yang}, and back without loss. */
final class DecisionTree {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionTree.class);

    private DecisionTree() {
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision of(String fabric,
            Decision decision) {
        Placement placement = decision.placement();
        return new DecisionBuilder()
            .setFabric(new Name(fabric))
            .setRoute(BindingMap.of(placement.routes().entrySet().stream().map(DecisionTree::route).toList()))
            .setBundle(BindingMap.of(placement.lanes().entrySet().stream().map(DecisionTree::bundle).toList()))
            .setSwitch(BindingMap.of(decision.portNumbers().numbers().entrySet().stream().map(DecisionTree::ports)
                .toList()))
            .setIdentity(BindingMap.of(decision.identities().switches().entrySet().stream()
                .map(DecisionTree::identity).toList()))
            .setConfiguration(packed(decision))
            .build();
    }

    /** The configuration of a decision alone. */
    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision configuration(String fabric,
            Decision decision) {
        return new DecisionBuilder()
            .setFabric(new Name(fabric))
            .setConfiguration(packed(decision))
            .build();
    }

    private static byte @Nullable [] packed(Decision decision) {
        return decision.configuration().map(ConfigurationText::pack).orElse(null);
    }

    static Route route(Map.Entry<Address, org.daqfabric.api.placement.Route> entry) {
        return new RouteBuilder()
            .setAddress(new HostAddress(entry.getKey().toString()))
            .setPath(DecisionText.path(entry.getValue()))
            .setFromPods(entry.getValue().fromPods().isEmpty() ? null
                : DecisionText.fromPods(entry.getValue().fromPods()))
            .build();
    }

    private static org.daqfabric.api.placement.Route route(Route tree) {
        org.daqfabric.api.placement.Route route = DecisionText.route(tree.requirePath());
        return tree.getFromPods() == null ? route : route.withPods(DecisionText.fromPods(tree.getFromPods()));
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Bundle bundle(
            Map.Entry<Bundle, SortedMap<Address, PortId>> entry) {
        SortedMap<PortId, TreeSet<Address>> lanes = new TreeMap<>();
        entry.getValue().forEach((address, link) ->
            lanes.computeIfAbsent(link, key -> new TreeSet<>()).add(address));
        return new BundleBuilder()
            .setLower(new Name(entry.getKey().lower()))
            .setUpper(new Name(entry.getKey().upper()))
            .setLane(BindingMap.of(lanes.entrySet().stream().map(lane -> new LaneBuilder()
                .setSwitch(new Name(lane.getKey().switchName()))
                .setPort(new InterfaceName(lane.getKey().port()))
                .setAddresses(DecisionText.addresses(lane.getValue()))
                .build()).toList()))
            .build();
    }

    static Switch ports(Map.Entry<String, SortedMap<String, Integer>> entry) {
        return new SwitchBuilder()
            .setName(new Name(entry.getKey()))
            .setPortNumbers(DecisionText.numbers(entry.getValue()))
            .build();
    }

    static Identity identity(Map.Entry<String, SwitchIdentity> entry) {
        SwitchIdentity identity = entry.getValue();
        return new IdentityBuilder()
            .setName(new Name(entry.getKey()))
            .setSystemId(identity.systemId())
            .setBridge(new InterfaceName(identity.bridge()))
            .setDatapathId(Uint64.valueOf(identity.datapathId()))
            .setPlane(optional(identity.plane()))
            .setSpine(optional(identity.spine()))
            .setPod(optional(identity.pod()))
            .setMark(optional(identity.mark()))
            .build();
    }

    private static SwitchIdentity identity(Identity tree) {
        return new SwitchIdentity(tree.requireSystemId(), tree.requireBridge().getValue(),
            tree.requireDatapathId().longValue(), orZero(tree.getPlane()), orZero(tree.getSpine()),
            orZero(tree.getPod()), orZero(tree.getMark()));
    }

    private static @Nullable Uint16 optional(int number) {
        return number == 0 ? null : Uint16.valueOf(number);
    }

    private static int orZero(@Nullable Uint16 number) {
        return number == null ? 0 : number.intValue();
    }

    /** Reads a decision; its configuration is left out if this version cannot read it. */
    static Decision read(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision tree,
            ConfigurationText text) {
        SortedMap<Address, org.daqfabric.api.placement.Route> routes = new TreeMap<>();
        tree.nonnullRoute().values().forEach(route ->
            routes.put(Address.parse(route.requireAddress().getValue()), route(route)));
        SortedMap<Bundle, SortedMap<Address, PortId>> bundles = new TreeMap<>();
        tree.nonnullBundle().values().forEach(bundle -> {
            SortedMap<Address, PortId> lanes = new TreeMap<>();
            bundle.nonnullLane().values().forEach(lane -> {
                PortId link = new PortId(lane.requireSwitch().getValue(), lane.requirePort().getValue());
                DecisionText.addresses(lane.requireAddresses()).forEach(address -> lanes.put(address, link));
            });
            bundles.put(new Bundle(bundle.requireLower().getValue(), bundle.requireUpper().getValue()), lanes);
        });
        SortedMap<String, SortedMap<String, Integer>> numbers = new TreeMap<>();
        tree.nonnullSwitch().values().forEach(sw ->
            numbers.put(sw.requireName().getValue(), DecisionText.numbers(sw.requirePortNumbers())));
        SortedMap<String, SwitchIdentity> identities = new TreeMap<>();
        tree.nonnullIdentity().values().forEach(each -> identities.put(each.requireName().getValue(), identity(each)));
        return new Decision(new Placement(routes, bundles), new PortNumbers(numbers), new Identities(identities),
            Optional.ofNullable(tree.getConfiguration()).flatMap(packed -> configuration(packed, text)));
    }

    @SuppressWarnings("checkstyle:illegalCatch") // whatever is wrong with it, the placement is to be read
    private static Optional<FabricSpec> configuration(byte[] packed, ConfigurationText text) {
        try {
            return FabricReader.read(text.unpack(packed)).spec();
        } catch (RuntimeException e) {
            LOG.warn("The configuration for which a placement was stored cannot be read: switches that were about to"
                + " move are moved at once", e);
            return Optional.empty();
        }
    }
}
