package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.PlanningNumbers.gbps;
import static org.daqfabric.impl.northbound.PlanningNumbers.hertz;
import static org.daqfabric.impl.northbound.PlanningNumbers.milliseconds;
import static org.daqfabric.impl.northbound.PlanningNumbers.packetRate;
import static org.daqfabric.impl.northbound.PlanningNumbers.ratio;
import static org.daqfabric.impl.northbound.PlanningNumbers.uint32;
import static org.daqfabric.impl.northbound.PlanningNumbers.uint64;
import static org.daqfabric.impl.northbound.RpcSupport.optional;
import static org.daqfabric.impl.northbound.RpcSupport.or;
import static org.daqfabric.impl.northbound.RpcSupport.required;
import static org.daqfabric.impl.northbound.RpcSupport.requiredLong;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.daqfabric.impl.engine.planning.Cost;
import org.daqfabric.impl.engine.planning.EventTransfer;
import org.daqfabric.impl.engine.planning.FabricSize;
import org.daqfabric.impl.engine.planning.FabricSizing;
import org.daqfabric.impl.engine.planning.Goodput;
import org.daqfabric.impl.engine.planning.Incast;
import org.daqfabric.impl.engine.planning.RouterCost;
import org.daqfabric.impl.engine.planning.Space;
import org.daqfabric.impl.engine.planning.SwitchSizing;
import org.daqfabric.impl.engine.planning.TcpPacket;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.CostInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.CostOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.CostOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.GoodputInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.GoodputOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.GoodputOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.IncastInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.IncastOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.IncastOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeFabricInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeFabricOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeFabricOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.size.fabric.output.Failure;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.size.fabric.output.FailureBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.size.fabric.output.Server;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.size.fabric.output.ServerBuilder;

/**
 * The planning rpcs that take numbers only. The defaults are those of the YANG module, which OpenDaylight does not fill
 * in.
 */
final class NumberPlanning {
    private NumberPlanning() {
    }

    static GoodputOutput goodput(GoodputInput input) {
        Goodput goodput = new Goodput(event(input), required(input.getBandwidth(), "bandwidth", "\"10\""),
            or(input.getParallelEvents(), "parallel-events", 1));
        return new GoodputOutputBuilder()
            .setEventSize(uint64(goodput.event().size()))
            .setFrames(uint64(goodput.event().frames()))
            .setWireSize(uint64(goodput.event().wireSize()))
            .setEfficiency(ratio(goodput.efficiency()))
            .setGoodput(gbps(goodput.goodput()))
            .setEventRate(hertz(goodput.eventRate()))
            .setLatency(milliseconds(goodput.latency()))
            .build();
    }

    static SizeFabricOutput sizeFabric(SizeFabricInput input) {
        FabricSizing sizing = new FabricSizing(event(input), required(input.getRacks(), "racks", "28"),
            required(input.getEventRate(), "event-rate", "\"50000\""),
            or(input.getLinkCapacity(), "link-capacity", Defaults.LINK_CAPACITY),
            or(input.getMostPlanes(), "most-planes", 4), optional(input.getPods(), "pods"),
            or(input.getSwitchPorts(), "switch-ports", 40));
        FabricSize fabric = sizing.fabric();
        return new SizeFabricOutputBuilder()
            .setEventSize(uint64(sizing.event().size()))
            .setFrames(uint64(sizing.event().frames()))
            .setWireSize(uint64(sizing.event().wireSize()))
            .setRequiredBandwidth(gbps(sizing.requiredBandwidth()))
            .setPlanes(uint32(fabric.planes()))
            .setSpines(uint32(fabric.spines()))
            .setPods(uint32(fabric.pods()))
            .setSwitches(uint32(fabric.switches()))
            .setLeafPorts(uint32(fabric.leafPorts()))
            .setBandwidth(gbps(fabric.bandwidth()))
            .setEventRate(hertz(sizing.eventRate(fabric.bandwidth())))
            .setServer(servers(input, sizing))
            .setFailure(Arrays.stream(FabricSize.Failure.values()).map(failure -> failure(sizing, fabric, failure))
                .toList())
            .build();
    }

    private static List<Server> servers(SizeFabricInput input, FabricSizing sizing) {
        OptionalDouble threadRate = input.getThreadRate() == null ? OptionalDouble.empty()
            : OptionalDouble.of(or(input.getThreadRate(), "thread-rate", 0.0));
        return new SwitchSizing(sizing, or(input.getDcmsPerRack(), "dcms-per-rack", 40), threadRate,
            or(input.getThreadLoad(), "thread-load", 0.5)).servers().stream().map(NumberPlanning::server).toList();
    }

    private static Server server(SwitchSizing.Server server) {
        return new ServerBuilder()
            .setRole(Server.Role.forName(FabricPlanning.nameOf(server.role())))
            .setPorts(uint32(server.ports()))
            .setPacketRate(packetRate(server.packetRate()))
            .setDaqrings(uint32(server.daqrings()))
            .setThreadRate(packetRate(server.threadRate()))
            .setThreads(uint32(server.threads()))
            .setCores(uint32(server.cores()))
            .setBuffers(uint64(server.buffers()))
            .setPacketMemory(uint64(server.memory()))
            .build();
    }

    private static Failure failure(FabricSizing sizing, FabricSize fabric, FabricSize.Failure failure) {
        double left = fabric.without(failure);
        return new FailureBuilder()
            .setOf(Failure.Of.forName(FabricPlanning.nameOf(failure)))
            .setBandwidth(gbps(left))
            .setEventRate(hertz(sizing.eventRate(left)))
            .setLost(ratio(1 - left / fabric.bandwidth()))
            .setSufficient(sizing.isSufficient(left))
            .build();
    }

    static CostOutput cost(CostInput input) {
        int ports = required(input.getPorts(), "ports", "256");
        Cost cost = new Cost(ports, required(input.getSpines(), "spines", "10"),
            or(input.getSwitchPorts(), "switch-ports", 40), or(input.getSwitchPrice(), "switch-price", 11_000));
        Space space = new Space(cost.switches(), or(input.getSwitchRackUnits(), "switch-rack-units", 3),
            or(input.getRackUnits(), "rack-units", 42), optional(input.getSwitchPower(), "switch-power"));
        RouterCost reference = new RouterCost(ports,
            new RouterCost.Chassis(or(input.getChassisPrice(), "chassis-price", 98_698),
            or(input.getChassisPorts(), "chassis-ports", 768),
                or(input.getFabricModulesIncluded(), "fabric-modules-included", 7)),
            new RouterCost.Module(or(input.getModulePrice(), "module-price", 51_948),
            or(input.getModulePorts(), "module-ports", 24)),
            or(input.getFabricModulePrice(), "fabric-module-price", 7399));
        return new CostOutputBuilder()
            .setFullPlanes(uint32(cost.fullPlanes()))
            .setRemainingPorts(uint32(cost.remainingPorts()))
            .setRemainingLeaves(uint32(cost.remainingLeaves()))
            .setSwitches(uint32(cost.switches()))
            .setOversubscription(ratio(cost.oversubscription()))
            .setPrice(uint64(cost.price()))
            .setRackUnits(uint32(space.rackUnits()))
            .setRacks(uint32(space.racks()))
            .setPower(uint64(space.power()))
            .setPowerPerPort(space.power().isPresent()
                ? ratio((double) space.power().getAsLong() / ports) : null)
            .setChassis(uint32(reference.chassisNeeded()))
            .setModules(uint32(reference.modulesNeeded()))
            .setReferencePrice(uint64(reference.price()))
            .setPriceRatio(ratio((double) reference.price() / cost.price()))
            .build();
    }

    static IncastOutput incast(IncastInput input) {
        Incast incast = new Incast(required(input.getRos(), "ros", "147"), or(input.getDcms(), "dcms", 1),
            or(input.getBandwidth(), "bandwidth", Defaults.LINK_CAPACITY), or(input.getRtt(), "rtt", 200),
            requiredLong(input.getBuffer(), "buffer", "500000"), or(input.getMtu(), "mtu", TcpPacket.USUAL_MTU));
        long fragment = or(input.getFragmentSize(), "fragment-size", 1000);
        return new IncastOutputBuilder()
            .setBdp(uint64(incast.bdp()))
            .setBdpPackets(uint64(incast.bdpPackets()))
            .setOnset(uint64(incast.onset()))
            .setOnsetRos(uint64(incast.onsetRos(or(input.getInitialCwnd(), "initial-cwnd", 10))))
            .setLeastCwnd(uint32(incast.leastCwnd()))
            .setCwnd(incast.mostCwnd().isPresent() ? uint32(incast.mostCwnd().getAsLong()) : null)
            .setInFlight(uint64(incast.inFlight()))
            .setBufferNeeded(uint64(incast.bufferNeeded()))
            .setLeastCredits(uint64(incast.leastCredits(fragment)))
            .setMostCredits(uint64(incast.mostCredits(fragment)))
            .setLeastGwnd(uint64(incast.leastGwnd()))
            .setMostGwnd(uint64(incast.mostGwnd()))
            .build();
    }

    private static EventTransfer event(org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Event input) {
        return EventTransfer.even(required(input.getRos(), "ros", "100"), or(input.getFragments(), "fragments", 1),
            required(input.getFragmentSize(), "fragment-size", "1000"),
            new TcpPacket(or(input.getMtu(), "mtu", TcpPacket.USUAL_MTU),
                or(input.getIpVersion(), "ip-version", TcpPacket.IPV4)));
    }
}
