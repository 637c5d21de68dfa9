package org.daqfabric.impl.northbound;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;

/**
 * Writes down where packets go in a fabric as the controller programs it, without switches and without a running
 * controller: for the simulation of packets (scripts/simulate).
 */
final class FabricPaths {
    private final Topology topology;
    private final Map<String, Map<String, Next>> next = new TreeMap<>();
    private int unreachable;

    /**
     * Where a switch sends the packets to an address.
     *
     * @param port name of the port to the next switch
     * @param ring whether they pass the address's daqring before
     */
    private record Next(String port, boolean ring) {
    }

    /**
     * The discipline of the daqrings of an address.
     *
     * @param credit microseconds, those that Open vSwitch takes if the policy says nothing
     */
    private record Ring(int size, int burst, int interval, int credit) {
        static Ring of(DaqringOptions options) {
            return new Ring(options.ringSize(), options.maxBurst(), options.pollingInterval(),
                options.credit().orElse(2000));
        }
    }

    /**
     * One failure, as it is written.
     *
     * @param links names of the links that are down, {@code switch:port}
     * @param bandwidth Gbps, as the controller reports it
     * @param unreachable pairs of a ROS and a DCM without a path, per direction
     * @param next by switch and address
     */
    private record Case(String failure, List<String> links, double bandwidth, String bottleneck, int unreachable,
            Map<String, Map<String, Next>> next, Map<String, Ring> rings) {
    }

    private FabricPaths(Topology topology) {
        this.topology = topology;
    }

    /**
     * Writes a JSON document a line.
     *
     * @param arguments a fabric file, the file to write, and what fails: {@code none}, a switch, or a link as
     *     {@code switch:port}; each is a case of its own, repaired from the placement of the whole fabric
     */
    public static void main(String[] arguments) throws IOException {
        Topology topology = new Topology(read(Path.of(arguments[0])));
        Placement whole = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Files.write(Path.of(arguments[1]), Arrays.stream(arguments).skip(2)
            .map(failure -> new Gson().toJson(of(topology, whole, failure))).toList());
        System.exit(0); // the data broker's threads go on
    }

    /** The first fabric of a fabric file of the lab. */
    private static FabricSpec read(Path file) throws IOException {
        JsonObject fabrics = new JsonObject();
        fabrics.add("fabric", JsonParser.parseString(Files.readString(file)).getAsJsonObject()
            .getAsJsonArray("daqfabric:fabric"));
        JsonObject document = new JsonObject();
        document.add("daqfabric:fabrics", fabrics);
        InMemoryBroker broker = new InMemoryBroker();
        FabricReader.Result result = FabricReader.read(broker.fabrics(broker.parse(document.toString()))
            .nonnullFabric().values().iterator().next());
        return result.spec().orElseThrow(() -> new IllegalArgumentException(file + ": " + result.problems()));
    }

    private static Case of(Topology topology, Placement whole, String failure) {
        Set<PortId> down = down(topology, failure);
        UnusableLinks unusable = new UnusableLinks(down);
        Placement placement = down.isEmpty() ? whole : Placer.place(topology, unusable, whole, Scope.REPAIR);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY,
            Daqrings.needed(topology, placement, topology.roles().keySet()));
        Compiler compiler = new Compiler(topology, unusable, placement, numbers);
        Map<String, Program> programs = new HashMap<>();
        topology.roles().keySet()
            .forEach(name -> programs.put(name, compiler.compile(name, numbers.of(name).keySet())));
        FabricPaths paths = new FabricPaths(topology);
        paths.follow(new Trace(topology, numbers, programs, down));
        Loads loads = Loads.of(topology, unusable, placement);
        SortedMap<String, Ring> rings = new TreeMap<>();
        topology.dcms().forEach(dcm -> rings.put(dcm.address().toString(),
            Ring.of(topology.spec().policy().daqring().of(dcm.address()))));
        return new Case(failure, down.stream().map(PortId::toString).sorted().toList(), loads.bandwidth(),
            loads.bottleneck().map(Object::toString).orElse(""), paths.unreachable, paths.next, rings);
    }

    private static Set<PortId> down(Topology topology, String failure) {
        if (failure.equals("none")) {
            return Set.of();
        }
        String[] parts = failure.split(":", 2);
        Set<PortId> down = topology.segments(parts[0]).stream()
            .filter(each -> parts.length == 1 || each.id().toString().equals(failure)).map(Segment::id)
            .collect(Collectors.toSet());
        if (down.isEmpty()) {
            throw new IllegalArgumentException(failure + ": there is no such switch or link");
        }
        return down;
    }

    private void follow(Trace trace) {
        for (Endpoint to : topology.endpoints().values()) {
            topology.edges().forEach((edge, hosts) -> {
                if (hosts.stream().anyMatch(from -> from.isDcm() != to.isDcm())) {
                    add(trace.follow(edge, to.address()), to.address());
                }
            });
        }
    }

    private void add(PacketPath path, Address to) {
        if (!path.arrived()) {
            unreachable++;
            return;
        }
        boolean ring = false;
        for (PacketPath.Hop hop : path.hops().subList(0, path.hops().size() - 1)) {
            if (PortAllocator.isRing(hop.outPort())) {
                ring = true;
                continue;
            }
            Next there = new Next(hop.outName(), ring);
            Next before = next.computeIfAbsent(hop.switchName(), name -> new TreeMap<>())
                .put(to.toString(), there);
            if (before != null && !before.equals(there)) {
                throw new IllegalStateException(hop.switchName() + " sends packets to " + to + " to " + before
                    + " and to " + there + ", which the simulation cannot tell apart");
            }
            ring = false;
        }
    }
}
