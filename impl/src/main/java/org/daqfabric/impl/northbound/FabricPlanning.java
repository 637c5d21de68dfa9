package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.PlanningNumbers.gbps;
import static org.daqfabric.impl.northbound.PlanningNumbers.milliseconds;
import static org.daqfabric.impl.northbound.PlanningNumbers.ratio;
import static org.daqfabric.impl.northbound.PlanningNumbers.uint32;
import static org.daqfabric.impl.northbound.PlanningNumbers.uint64;
import static org.daqfabric.impl.northbound.RpcSupport.given;
import static org.daqfabric.impl.northbound.RpcSupport.missing;
import static org.daqfabric.impl.northbound.RpcSupport.optional;
import static org.daqfabric.impl.northbound.RpcSupport.or;
import static org.daqfabric.impl.northbound.RpcSupport.required;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.planning.Bandwidth;
import org.daqfabric.impl.engine.planning.EventTransfer;
import org.daqfabric.impl.engine.planning.FabricShape;
import org.daqfabric.impl.engine.planning.FabricTraffic;
import org.daqfabric.impl.engine.planning.HostProfile;
import org.daqfabric.impl.engine.planning.NodeGroup;
import org.daqfabric.impl.engine.planning.RingSizing;
import org.daqfabric.impl.engine.planning.Setting;
import org.daqfabric.impl.engine.planning.TcpPacket;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.BandwidthInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.BandwidthOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.BandwidthOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.HostProfileInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.HostProfileOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.HostProfileOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeDaqringsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeDaqringsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeDaqringsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.WholeNumber;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.host.profile.output.SettingBuilder;

/** The planning rpcs that can take values from a configured fabric. */
final class FabricPlanning {
    private final Function<String, FabricSpec> fabrics;

    FabricPlanning(Function<String, FabricSpec> fabrics) {
        this.fabrics = fabrics;
    }

    BandwidthOutput bandwidth(BandwidthInput input) {
        Optional<LeafSpineEquations> shape = fabric(input.getFabric()).map(FabricShape::of);
        LeafSpineEquations network = new LeafSpineEquations(
            or(input.getPlanes(), "planes", shape.map(LeafSpineEquations::planes).orElse(1)),
            required(input.getSpines(), shape.map(LeafSpineEquations::spines), "spines", "6"),
            required(input.getPods(), shape.map(LeafSpineEquations::pods), "pods", "4"),
            required(input.getRos(), shape.map(LeafSpineEquations::ros), "ros", "100"),
            required(input.getRacks(), shape.map(LeafSpineEquations::racks), "racks", "28"),
            or(input.getLinkCapacity(), "link-capacity",
                shape.map(LeafSpineEquations::linkCapacity).orElse(Defaults.LINK_CAPACITY)));
        Bandwidth whole = Bandwidth.of(network);
        Bandwidth bandwidth = new Bandwidth(network,
            groups(input.getRosGroup(), whole.ros(), group ->
                group("ros-group", group.getNodes(), group.getUplinks())),
            groups(input.getRackGroup(), whole.racks(), group ->
                group("rack-group", group.getNodes(), group.getUplinks())));
        return new BandwidthOutputBuilder()
            .setBandwidth(gbps(bandwidth.bandwidth()))
            .setLimit(BandwidthOutput.Limit.forName(nameOf(bandwidth.limit())))
            .setInputOutputBandwidth(gbps(bandwidth.inputOutputBandwidth()))
            .setNetworkBandwidth(gbps(bandwidth.networkBandwidth()))
            .setFlowBandwidth(gbps(bandwidth.flowBandwidth()))
            .setSpinesForRacks(ratio(network.spinesForRacks()))
            .setSpinesForRos(ratio(network.spinesForRos()))
            .setSpinesNeeded(uint32(network.spinesNeeded()))
            .build();
    }

    private static NodeGroup group(String list, WholeNumber nodes, WholeNumber uplinks) {
        String example = "[{\"uplinks\":2,\"nodes\":28}]";
        return new NodeGroup(required(nodes, list, example), required(uplinks, list, example));
    }

    private static <G> List<NodeGroup> groups(Map<?, G> given, List<NodeGroup> otherwise,
            Function<G, NodeGroup> group) {
        return given == null || given.isEmpty() ? otherwise : given.values().stream().map(group).toList();
    }

    SizeDaqringsOutput sizeDaqrings(SizeDaqringsInput input) {
        Optional<FabricSpec> spec = fabric(input.getFabric());
        Optional<FabricTraffic> fabric = spec.map(FabricTraffic::new);
        long response = EventTransfer.response(or(input.getFragments(), "fragments", 1),
            required(input.getFragmentSize(), "fragment-size", "131072"));
        TcpPacket usual = fabric.map(FabricTraffic::packet)
            .orElse(new TcpPacket(TcpPacket.USUAL_MTU, TcpPacket.IPV4));
        TcpPacket packet = new TcpPacket(or(input.getMtu(), "mtu", usual.mtu()),
            or(input.getIpVersion(), "ip-version", usual.ipVersion()));
        EventTransfer event = input.getRos() == null && fabric.isPresent()
            ? new EventTransfer(fabric.get().responses(response), packet)
            : EventTransfer.even(required(input.getRos(), "ros", "100"), 1, response, packet);
        RingSizing ring = ring(input, event, fabric);
        int dcms = or(input.getDcms(), "dcms", fabric.map(FabricTraffic::dcmsOfSwitch).orElse(1));
        int dcmsPerRack = or(input.getDcmsPerRack(), "dcms-per-rack", fabric.map(FabricTraffic::dcmsOfRack).orElse(1));
        return new SizeDaqringsOutputBuilder()
            .setEventSize(uint64(event.size()))
            .setFrames(uint64(event.frames()))
            .setWireSize(uint64(event.wireSize()))
            .setRingSize(uint32(ring.ringSize()))
            .setMaxBurst(uint32(ring.maxBurst()))
            .setPollingInterval(uint32(ring.pollingInterval()))
            .setLimit(gbps(ring.limit()))
            .setRackLimit(gbps(ring.limit(dcmsPerRack)))
            .setLatency(milliseconds(ring.latency()))
            .setPacketBuffer(uint32(ring.packetBuffer()))
            .setRingMemory(uint64(ring.memory(1)))
            .setSwitchMemory(uint64(ring.memory(dcms)))
            .build();
    }

    private static RingSizing ring(SizeDaqringsInput input, EventTransfer event, Optional<FabricTraffic> fabric) {
        int parallelEvents = or(input.getParallelEvents(), "parallel-events", 1);
        if (input.getPollingInterval() != null) {
            if (input.getRate() != null) {
                throw new InvalidInputException("rate", "the rate follows from max-burst and polling-interval: leave"
                    + " out the rate, or the polling-interval to have it chosen");
            }
            return new RingSizing(event, parallelEvents, required(input.getMaxBurst(), "max-burst", "32"),
                required(input.getPollingInterval(), "polling-interval", "33"));
        }
        double rate = input.getRate() == null && fabric.isPresent() ? fabric.get().dcmRate()
            : required(input.getRate(), "rate", "\"1.472\"");
        int shortest = or(input.getShortestInterval(), "shortest-interval", RingSizing.SHORTEST_INTERVAL);
        return input.getMaxBurst() == null ? RingSizing.forRate(event, parallelEvents, rate, shortest)
            : RingSizing.forRate(event, parallelEvents, rate, shortest,
                required(input.getMaxBurst(), "max-burst", "32"));
    }

    HostProfileOutput hostProfile(HostProfileInput input) {
        FabricSpec spec = fabric(input.getFabric()).orElseThrow(() -> missing("fabric", "\"prototype\""));
        HostProfile profile = HostProfile.of(spec, given(input.getHost(), "host", "\"r1-1\""), input.getInterface(),
            EventTransfer.response(or(input.getFragments(), "fragments", 1),
                or(input.getFragmentSize(), "fragment-size", RingSizing.PROTOTYPE_FRAGMENT)),
            or(input.getMtu(), "mtu", spec.policy().mtu().orElse(TcpPacket.USUAL_MTU)),
            optional(input.getCwnd(), "cwnd"));
        return new HostProfileOutputBuilder().setScript(profile.script())
            .setSetting(profile.settings().stream().map(FabricPlanning::setting).toList()).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.host.profile.output.Setting setting(
            Setting setting) {
        return new SettingBuilder().setName(setting.name()).setValue(setting.value()).setWhy(setting.why())
            .setSource(setting.source()).setNotWhen(setting.notWhen())
            .setCommand(setting.commands().isEmpty() ? null : setting.commands()).build();
    }

    private Optional<FabricSpec> fabric(String name) {
        return Optional.ofNullable(name).map(fabrics);
    }

    static String nameOf(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
